/// Why a position cannot be used: the reason and the next step in one line.
public struct PositionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Code: Equatable, Sendable {
    /// The text is not a position.
    case malformed
    /// The history has no such position.
    case outside
    /// The history had such an event, and it is not there any more because of damage.
    case lost
    /// The first end of a range lies behind the second.
    case reversed
  }

  /// What kind of trouble it is.
  public let code: Code
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to write instead.
  public let remedy: String

  /// Creates an error.
  public init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Reason and next step in one line.
  public var description: String { "\(message); \(remedy)" }
}
