/// Why a history cannot be imagined so: reason and next step.
public struct EditError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do instead, without a full stop.
  public let remedy: String

  /// Both without a full stop.
  public init(_ message: String, remedy: String) {
    (self.message, self.remedy) = (message, remedy)
  }

  /// Reason and next step in one line.
  public var description: String { "\(message); \(remedy)" }
}
