import EventSourcing

/// Changes that lead to another answer together.
public struct AdviceItem: Equatable, Sendable {
  /// What to change, each as an order without a full stop.
  public let texts: [String]
  /// What kinds of changes these are.
  public let kinds: [String]
  /// The answer afterwards.
  public let answer: QuestionAnswer
}
