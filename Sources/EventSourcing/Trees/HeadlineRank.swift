/// How well a part of the state describes the event that changed it. A log shows an event's highest-ranked change on
/// the event's line.
///
/// A status ranks first, then the outcome of an evaluation, then the rule that settled it. Bookkeeping (clocks, event
/// numbers, retry times) never precedes anything else. ``HistoryDomain/headlineRank(ofPath:)`` assigns each part its
/// rank.
public enum HeadlineRank: Int, Comparable, Sendable {
  /// The progress of something, such as an enrollment: the answer to most questions.
  case status
  /// The outcome of an evaluation.
  case outcome
  /// The rule that settled an evaluation.
  case rule
  /// Everything else.
  case ordinary
  /// Values that the rules need to continue but that people rarely look at.
  case bookkeeping
  /// Values that change with almost every event.
  case clock

  /// Whether people ask for it in its own right, wherever it appears.
  public var isAnswer: Bool { self < .ordinary }

  /// Orders ranks from most to least informative.
  public static func < (one: HeadlineRank, other: HeadlineRank) -> Bool { one.rawValue < other.rawValue }
}
