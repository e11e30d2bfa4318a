import GraphDocuments
import JSON

/// Why a scenario cannot be read or run to its end: place, reason and next step.
///
/// An unmet expectation is not an error: see ``UnmetExpectation``.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// A file cannot be read.
    case unreadable
    /// The text is not JSON, or not a scenario.
    case notAScenario
    /// A policy document named in the scenario cannot be read as a policy.
    case policyRefused
    /// The journal's target path already exists.
    case targetExists
    /// A step cannot run at its place in the scenario, such as a command while the app is not running.
    case stepOutOfPlace
    /// The engine asked for an answer that the scenario does not provide.
    case unanswered
    /// No step launches the app, so no journal is written.
    case neverLaunched
    /// The journal could not be written.
    case journal
    /// The scenario ended before a requested crash was reached.
    case crashNotReached
    /// The damage that the scenario requests is impossible in this journal.
    case damageRefused
  }

  /// The kind of error.
  public let code: Code
  /// The file concerned: the scenario, a policy document, or the journal.
  public let file: String
  /// The place in the file; `nil` if the error concerns the whole file.
  public let position: JSONPosition?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  /// `message` and `remedy` are sentences without a full stop; see ``description``.
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
