import EventSourcing

/// A question that two states answer otherwise, and both answers.
public struct DecisionDifference: Equatable, Sendable {
  /// The question as it is written.
  public let question: String
  /// The answer in the first state.
  public let before: QuestionAnswer
  /// The answer in the second one.
  public let after: QuestionAnswer
}
