import EventSourcing

/// A stretch of a history with one answer, settled by one rule.
public struct AnswerInterval: Equatable, Sendable {
  /// The event after which the answer was first given; 0 before the first event.
  public let first: UInt64
  /// The event's type; empty for the first interval, which began before the events that were looked at.
  public let type: String
  /// When the event was decided, in nanoseconds since 1970-01-01T00:00:00Z; `nil` for the first interval.
  public let wallNanoseconds: Int64?
  /// The answer.
  public let answer: QuestionAnswer
  /// The last event after which it was given.
  public var last: UInt64

  @inlinable
  init(first: UInt64, type: String, wallNanoseconds: Int64?, answer: QuestionAnswer, last: UInt64) {
    (self.first, self.type, self.wallNanoseconds) = (first, type, wallNanoseconds)
    (self.answer, self.last) = (answer, last)
  }
}
