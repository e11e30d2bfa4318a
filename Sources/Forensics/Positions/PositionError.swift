/// Why a position cannot be used: reason and next step in one line.
public struct PositionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: Equatable, Sendable {
    /// The text is not a position.
    case malformed
    /// The history has no such position.
    case outside
    /// The history had such an event but lost it to damage.
    case lost
    /// The start of a range lies after its end.
    case reversed
  }

  /// The kind of error.
  public let code: Code
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to write instead, without a full stop.
  public let remedy: String

  /// `message` and `remedy` become one line: see ``description``.
  public init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Reason and next step in one line.
  public var description: String { "\(message); \(remedy)" }
}
