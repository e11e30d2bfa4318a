/// A stretch of a history during which a problem was seen.
public struct DiagnosisEpisode: Equatable, Sendable {
  /// The first event that shows it; its number is 0 where that lies before the first event that the history has.
  public var first: EventContext
  /// The last event that shows it.
  public var last: EventContext
  /// The number of events that show it.
  public var count = 1
  /// How it ended; `nil` while it lasts.
  public var ending: DiagnosisEnding?

  /// An episode that has just begun.
  public init(beginning event: EventContext) { (first, last) = (event, event) }
}

/// How a problem, or one episode of it, ended.
public struct DiagnosisEnding: Equatable, Sendable {
  /// What became of it.
  public enum Kind: String, CaseIterable, Sendable {
    /// What was wrong is right again.
    case recovered
    /// Another problem, or another answer, took its place.
    case replaced
    /// The data that it was about was wiped.
    case wiped
    /// The app, or its user, gave up: the account left, or the question was put aside.
    case abandoned
    /// It was not seen any more, and no event shows why.
    case outOfSight
  }

  /// What became of it.
  public var kind: Kind
  /// The event that ended it; the last event that shows it where it is out of sight.
  public var event: EventContext

  /// An end with an event.
  public init(_ kind: Kind, at event: EventContext) { (self.kind, self.event) = (kind, event) }
}
