import CommandSupport

/// Finds the documents in a folder and its subfolders.
package enum FolderInput {
  /// The endings of document names.
  private static let endings = [".json", ".plist", ".txt", ".yaml", ".yml", ".ps1", ".mof"]

  /// Whether a name is that of a document, and not hidden.
  static func isDocument(_ name: String) -> Bool {
    !name.hasPrefix(".") && endings.contains { name.lowercased().hasSuffix($0) }
  }

  /// The largest number of names examined, and of folder levels.
  static let mostNames = 100_000
  package static let deepest = 64

  /// The paths of the documents, in the order of the names in each folder. Names that begin with a dot, links to
  /// folders and journals are skipped. Whatever cannot be read, including what might be a folder, is in the list itself, so
  /// that reading it says why.
  package static func documents(in folder: String) throws(Failure) -> [String] {
    var paths: [String] = []
    var left = mostNames
    try find(in: folder, 1, &paths, &left)
    return paths
  }

  private static func find(
    in folder: String, _ depth: Int, _ paths: inout [String], _ left: inout Int
  ) throws(Failure) {
    guard let names = Platform.names(in: folder, limit: left) else {
      paths.append(folder)
      return
    }
    left -= names.count
    guard left >= 0, depth <= deepest else {
      let reason =
        left < 0 ? "more than \(mostNames) names are in this folder" : "this is more than \(deepest) folders deep"
      throw Failure(.unreadable, "\(folder): \(reason)", next: "pj policy lint FILE")
    }
    for name in names {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let isDocument = isDocument(name)
      switch Platform.kind(of: path) {
      case .file, .other:
        if isDocument { paths.append(path) }
      case .folder:
        if !JournalPath.isJournal(path) { try find(in: path, depth + 1, &paths, &left) }
      case .linkToFolder: break
      case nil:
        if isDocument || !Platform.isLinkToNothing(path) { paths.append(path) }
      }
    }
  }
}
