/// How much a part of the state says about the event that changed it: a log chooses by it the change that stands in an
/// event's line.
///
/// A status comes first, then what an evaluation came to, then the rule that settled it. Bookkeeping (clocks, the numbers
/// of events, when something is tried again) never stands before anything else. ``HistoryDomain/headlineRank(ofPath:)`` says
/// which part has which rank.
public enum HeadlineRank: Int, Comparable, Sendable {
  /// How far something is: the answer to most questions.
  case status
  /// What an evaluation came to.
  case outcome
  /// The rule that settled an evaluation.
  case rule
  /// Everything else.
  case ordinary
  /// What the rules need to go on, and people mostly do not.
  case bookkeeping
  /// What changes with almost every event.
  case clock

  /// Whether people ask for it by itself, wherever it stands.
  public var isAnswer: Bool { self < .ordinary }

  /// Orders from what says most to what says least.
  public static func < (one: HeadlineRank, other: HeadlineRank) -> Bool { one.rawValue < other.rawValue }
}
