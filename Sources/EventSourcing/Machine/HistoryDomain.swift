/// What logs, filters and statistics ask of a domain, apart from how its events change the state.
///
/// Tools that read histories are written against this protocol and import no domain.
public protocol HistoryDomain: Reducer {
  /// A likely mistake in the app.
  associatedtype Finding: HistoryFinding

  /// The likely mistakes in the app that an event reveals. Pure.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - before: The state into which it was folded.
  ///   - after: The state after it.
  static func findings(for event: Event, before: State, after: State) -> [Finding]

  /// The names that identify what a reference means, such as the object id of an account, as far as a state knows them.
  ///
  /// - Parameters:
  ///   - number: The number by which events refer to it.
  ///   - kind: What it is: the domain may have several kinds.
  ///   - state: The state to look in.
  static func identities(of number: UInt64, _ kind: ReferenceDescriptor, in state: State) -> [String]

  /// How well the part of a state's tree at `path`, such as `/accounts/a1/status`, describes the event that changed it.
  ///
  /// The default is ``HeadlineRank/ordinary`` for every part.
  static func headlineRank(ofPath path: String) -> HeadlineRank
}

extension HistoryDomain {
  /// ``HeadlineRank/ordinary`` for every path.
  public static func headlineRank(ofPath path: String) -> HeadlineRank { .ordinary }
}

/// A likely mistake in the app that a rule of the domain finds in a history.
public protocol HistoryFinding: Sendable {
  /// The rule's stable name, such as `S-30`.
  var rule: String { get }
}

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
