/// What logs, filters and statistics ask of a domain, apart from how its events change the state.
///
/// A domain need not answer any of it: `extension Book: HistoryDomain {}` is enough.
///
/// Tools that read histories are written against this protocol and import no domain.
public protocol HistoryDomain: Reducer {
  /// A likely mistake in the app.
  associatedtype Finding: HistoryFinding = NoFinding

  /// The likely mistakes in the app that an event reveals. Pure. The default finds none.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - before: The state into which it was folded.
  ///   - after: The state after it.
  static func findings(for event: Event, before: State, after: State) -> [Finding]

  /// The names that identify what a reference means, such as the object id of an account, as far as a state knows them.
  /// The default knows none.
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

  /// Describes what an event means, for the line that a log has for it: a status code with its name, a reason, a limit and the
  /// fact that was compared with it. It marks the ``Headline/changes`` that it describes as covered.
  ///
  /// The default says nothing; a log then shows the event's most informative change.
  static func describe(_ event: Event, in headline: Headline)
}

extension HistoryDomain where Finding == NoFinding {
  /// None.
  @inlinable
  public static func findings(for event: Event, before: State, after: State) -> [NoFinding] { [] }
}

extension HistoryDomain {
  /// None.
  public static func identities(of number: UInt64, _ kind: ReferenceDescriptor, in state: State) -> [String] { [] }

  /// ``HeadlineRank/ordinary`` for every path.
  public static func headlineRank(ofPath path: String) -> HeadlineRank { .ordinary }

  /// Nothing.
  public static func describe(_ event: Event, in headline: Headline) {}
}

/// A likely mistake in the app that a rule of the domain finds in a history. Its description is a sentence about it.
public protocol HistoryFinding: Sendable, CustomStringConvertible {
  /// The rule's stable name, such as `S-30`.
  var rule: String { get }
}

/// The finding of a domain that looks for none.
public enum NoFinding: HistoryFinding {
  /// There is none.
  public var rule: String { switch self {} }
  /// There is none.
  public var description: String { switch self {} }
}
