import AppProtection
import GraphDocuments

/// What an administrator's folder says, read at one moment.
///
/// ```swift
/// let folder = try ServiceFolder.read(at: "/srv/protection")
/// for mistake in folder.mistakes { print(mistake) }
/// ```
///
/// <doc:ServiceFolders> describes every file.
public struct ServiceFolder: Sendable {
  /// The users, in the order of the file.
  public internal(set) var users: [ServiceUser] = []
  /// The assignments, in the order of the file.
  public internal(set) var assignments: [ServiceAssignment] = []
  /// The users with a wipe that is pending or active.
  public internal(set) var wipes: [AccountReference] = []
  /// The faults that are switched on, in the order of the file.
  public internal(set) var faults: [ServiceFault] = []
  /// Everything that is wrong, in the order of the files' names; empty for a folder that a service can answer from.
  public internal(set) var mistakes: [ServiceFolderMistake] = []
  /// The documents by their paths.
  var documents: [String: GraphDocument] = [:]

  /// Reads a folder. A mistake in a file is listed in ``mistakes``.
  ///
  /// - Throws: ``ServiceFolderMistake`` if the folder cannot be listed, or changes while it is read.
  public static func read(at path: String) throws(ServiceFolderMistake) -> ServiceFolder {
    ServiceFolder(try FolderSnapshot(of: path))
  }

  /// The user of a request; `nil` if the folder does not list one. The object id counts for more than a name, which may belong
  /// to another user by now.
  func user(_ reference: AccountReference) -> ServiceUser? {
    users.first { $0.reference.objectID != nil && $0.reference.objectID == reference.objectID }
      ?? users.first { $0.reference.isSame(as: reference) }
  }

  /// What targets a user, in the order of the documents' paths.
  func documents(for user: ServiceUser) -> TargetedDocuments {
    let paths = Set(assignments.lazy.filter { $0.targets(user) }.map(\.document))
    return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: TargetedDocuments()) {
      found, path in
      if let document = documents[path] { found.add(document) }
    }
  }
}
