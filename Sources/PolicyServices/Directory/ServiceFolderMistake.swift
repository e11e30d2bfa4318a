import JSON
import GraphDocuments

/// A mistake in a service folder: file, place, reason and next step.
public struct ServiceFolderMistake: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of mistake.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// A file or the folder is not there.
    case missing
    /// A file cannot be read, or changes whenever it is read.
    case unreadable
    /// A file is too long, or a list has too many entries.
    case tooLarge
    /// A text is not JSON, or a value is not what its place needs.
    case content
    /// A document is not of the kind that its folder holds.
    case document
    /// A file or a folder has a name that nothing reads.
    case name
  }

  /// The kind of mistake.
  public let code: Code
  /// The file below the folder, such as `policies/level-2.json`; empty for the folder itself.
  public let file: String
  /// The place in the file; `nil` if the mistake has none.
  public let place: DocumentPlace?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  init(_ code: Code, _ file: String, at place: DocumentPlace? = nil, _ message: String, remedy: String) {
    self.code = code
    self.file = file
    self.place = place
    self.message = message
    self.remedy = remedy
  }

  init(_ error: JSONError, in file: String) {
    let message = error.path.components.isEmpty ? error.message : "\(error.path): \(error.message)"
    self.init(
      error.code == .tooLong ? .tooLarge : .content, file, at: DocumentPlace(error.position), message,
      remedy: error.remedy)
  }

  init(_ error: PolicyDocumentError, in file: String) {
    let message = error.path.components.isEmpty ? error.message : "\(error.path): \(error.message)"
    self.init(
      error.foreignKind == nil ? .content : .document, file, at: DocumentPlace(error.position), message,
      remedy: error.remedy)
  }

  /// File, place, reason and next step in one line: `users.json: line 4, column 9: … ; …`. Names of persons are
  /// withheld, as in every message about a document.
  public var description: String {
    [file.isEmpty ? nil : file, place?.description, "\(message); \(remedy)"].compactMap { $0 }.joined(separator: ": ")
  }
}
