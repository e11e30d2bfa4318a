/// The files that are searched: those that were named, and all below the directories that were named.
enum Pile {
  /// Directories inside each other beyond which nothing is looked for.
  static let maximumDepth = 16
  static let maximumFiles = 1 << 20

  /// The paths of the files in a fixed order: as they were named, and in directories by name.
  static func files(of inputs: [String], _ fileSystem: any FileSystem) throws(JournalError) -> [String] {
    var paths: [String] = []
    var visited: Set<String> = []
    for input in inputs { try add(input, depth: 0, fileSystem, &paths, &visited) }
    return paths
  }

  private static func add(
    _ path: String, depth: Int, _ fileSystem: any FileSystem, _ paths: inout [String], _ visited: inout Set<String>
  ) throws(JournalError) {
    var names: [String] = []
    do throws(FileSystemError) {
      names = try fileSystem.list(path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      if depth == 0, error.code == Platform.noEntry {
        throw JournalError(
          .notAJournal, "there is no such file or directory", remedy: "check the path", file: path,
          errorNumber: error.code)
      }
      if depth == 0, error.code != Platform.notADirectory { throw JournalError.system(error, file: path) }
    }
    guard !names.isEmpty else {
      guard paths.count < maximumFiles else {
        throw JournalError(
          .tooLarge, "there are more than \(grouped(UInt64(maximumFiles))) files", remedy: "salvage fewer at a time",
          file: path)
      }
      if visited.insert("file " + path).inserted { paths.append(path) }
      return
    }
    // A link that leads back up must not lead around for ever.
    let identity = (try? fileSystem.identity(of: path)) ?? path
    guard depth <= maximumDepth, visited.insert(identity).inserted else { return }
    for name in names {
      try add(path.hasSuffix("/") ? path + name : path + "/" + name, depth: depth + 1, fileSystem, &paths, &visited)
    }
  }
}
