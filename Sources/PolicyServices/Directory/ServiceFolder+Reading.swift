import AppProtection
import JSON
import GraphDocuments
import PlainText

extension ServiceFolder {
  /// The files beside the two folders of documents, and whether each must exist. An editor that replaces a file removes
  /// it for a moment: a missing file that must exist is a mistake, not an empty list.
  private static let files: [(name: String, isRequired: Bool)] = [
    ("assignments.json", true), ("faults.json", false), ("users.json", true), ("wipes.json", false),
  ]
  init(_ snapshot: FolderSnapshot) {
    mistakes = snapshot.mistakes
    let names = Self.files.map(\.name)
    for name in snapshot.folders where !FolderSnapshot.folders.contains(name) {
      guard let near = EditDistance.nearest(to: name, in: FolderSnapshot.folders, limit: 1).first else { continue }
      mistakes.append(
        ServiceFolderMistake(.name, name, "nothing reads this folder", remedy: "rename it to \(near)"))
    }
    let contents = Dictionary(snapshot.files.map { ($0.path, $0.bytes) }) { first, _ in first }
    for (path, bytes) in snapshot.files where path.contains("/") { read(document: path, bytes) }
    for (path, _) in snapshot.files where !path.contains("/") && !names.contains(path) {
      let near = EditDistance.nearest(to: path, in: names, limit: 1).first
      mistakes.append(
        ServiceFolderMistake(
          .name, path, "nothing reads this file",
          remedy: near.map { "rename it to \($0)" } ?? "move documents to policies or configurations"))
    }
    let unreadable = Set(snapshot.mistakes.map(\.file))
    for file in Self.files where file.isRequired && contents[file.name] == nil && !unreadable.contains(file.name) {
      mistakes.append(
        ServiceFolderMistake(.missing, file.name, "the file does not exist", remedy: "create it; the page shows one"))
    }
    // The users first: the other lists name them.
    if let known = list("users.json", contents, { (root) throws(JSONError) in try ServiceFolderLists(root) }) {
      let paths = documents.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      // A document that cannot be read is a mistake of its own, and not one of those that name it.
      let documents = paths + mistakes.map(\.file).filter { $0.contains("/") }
      users = known.users
      assignments =
        list("assignments.json", contents) { (root) throws(JSONError) in try known.assignments(root, of: documents) }
        ?? []
      wipes = list("wipes.json", contents) { (root) throws(JSONError) in try known.wipes(root) } ?? []
      faults = list("faults.json", contents) { (root) throws(JSONError) in try known.faults(root) } ?? []
    }
    mistakes.sort { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
  }

  private mutating func read(document path: String, _ bytes: [UInt8]) {
    do {
      let document = try GraphDocument.read(try JSONDocument.parse(bytes), including: .everything)
      let isPolicy = path.hasPrefix("policies/")
      if let refusal = document.refusals.first { return mistakes.append(ServiceFolderMistake(refusal, in: path)) }
      let configurations = document.others.count { other in
        if case .appConfiguration(let configuration) = other { configuration.channel == .managedApps } else { false }
      }
      let fits =
        isPolicy
        ? !document.policies.isEmpty && document.others.isEmpty
        : document.policies.isEmpty && configurations > 0 && configurations == document.others.count
      guard fits else {
        return mistakes.append(
          ServiceFolderMistake(
            .document, path,
            isPolicy
              ? "the document does not hold app protection policies alone"
              : "the document does not hold app configurations for managed apps alone",
            remedy: isPolicy ? "move configurations to configurations" : "move policies to policies"))
      }
      documents[path] = document
    } catch let error as JSONError {
      mistakes.append(ServiceFolderMistake(error, in: path))
    } catch let error as PolicyDocumentError {
      mistakes.append(ServiceFolderMistake(error, in: path))
    } catch {
      mistakes.append(ServiceFolderMistake(.content, path, "\(error)", remedy: "check the file"))
    }
  }

  private mutating func list<Value>(
    _ name: String, _ contents: [String: [UInt8]], _ read: (JSONNode) throws(JSONError) -> Value
  ) -> Value? {
    guard let bytes = contents[name] else { return nil }
    do throws(JSONError) {
      return try read(try JSONDocument.parse(bytes).root)
    } catch {
      mistakes.append(ServiceFolderMistake(error, in: name))
      return nil
    }
  }
}
