import EventSourcing

/// An event at which a condition begins or ceases to hold.
public struct BisectionFlip: Equatable, Sendable {
  /// The event's number.
  public let sequence: UInt64
  /// The event's type.
  public let type: String
  /// When it was decided, in nanoseconds since 1970-01-01T00:00:00Z.
  public let wallNanoseconds: Int64
  /// Whether the condition holds from there on; `nil` where that rests on values that cannot be compared, such as sealed
  /// ones.
  public let holds: Bool?
  /// What made the difference.
  public let reasons: [BisectionReason]

  @usableFromInline
  init(sequence: UInt64, type: String, wallNanoseconds: Int64, holds: Bool?, reasons: [BisectionReason]) {
    (self.sequence, self.type, self.wallNanoseconds) = (sequence, type, wallNanoseconds)
    (self.holds, self.reasons) = (holds, reasons)
  }
}

/// What made a test of a condition flip.
public enum BisectionReason: Equatable, Sendable {
  /// A value changed.
  case value(StateChange)
  /// An answer changed.
  case answer(question: String, before: QuestionAnswer, after: QuestionAnswer)
}
