import EventSourcing

/// Events after which the answers of a real and an imagined history stay the same.
public struct AskedInterval: Equatable, Sendable {
  /// The first event; 0 for the beginning.
  public let first: UInt64
  /// The last one.
  public var last: UInt64
  /// When the first one was decided; `nil` at the beginning.
  public let wallNanoseconds: Int64?
  /// The answer of the real history.
  public let before: QuestionAnswer
  /// The answer of the imagined history.
  public let after: QuestionAnswer

  /// Whether the answers differ, whatever the reasons.
  public var isDifferent: Bool { before.name != after.name }
}
