import JSON
import PolicyDocuments

/// Why a scenario cannot be read, or cannot be run to its end: the place, the reason and the next step.
///
/// What a scenario expects and does not find is no error: it is an ``UnmetExpectation``.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// A file cannot be read.
    case unreadable
    /// The text is not JSON, or not a scenario.
    case notAScenario
    /// A policy document that the scenario names cannot be read as one.
    case policyRefused
    /// Something already is where the journal is to be written.
    case targetExists
    /// A step cannot be carried out where it stands, such as a command while the app is not running.
    case stepOutOfPlace
    /// The engine asked for an answer that the scenario does not give.
    case unanswered
    /// No step launches the app, so that there is nothing to write.
    case neverLaunched
    /// The journal could not be written.
    case journal
    /// A crash was announced, and the scenario ended before its point was reached.
    case crashNotReached
    /// The damage that the scenario asks for cannot be done to this journal.
    case damageRefused
  }

  /// What kind of trouble it is.
  public let code: Code
  /// The file it is about: the scenario, a policy document, or the journal.
  public let file: String
  /// Where in the file; `nil` when it is about the whole.
  public let position: JSONPosition?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  /// Creates an error.
  public init(_ code: Code, file: String, at position: JSONPosition? = nil, message: String, remedy: String) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
    self.remedy = remedy
  }

  init(_ error: JSONError, in file: String, code: Code = .notAScenario) {
    let subject = error.path.components.isEmpty ? "" : "\(error.path): "
    self.init(code, file: file, at: error.position, message: subject + error.message, remedy: error.remedy)
  }

  init(_ error: PolicyDocumentError, in file: String) {
    let subject = error.path.components.isEmpty ? "" : "\(error.path): "
    self.init(
      .policyRefused, file: file, at: error.position, message: subject + error.message, remedy: error.remedy)
  }

  /// `scenario.json: line 12, column 5: the reason; the next step`.
  public var description: String {
    let place = position.map { $0.isInText ? "\(file): \($0)" : file } ?? file
    return "\(place): \(message); \(remedy)"
  }
}
