/// A domain whose histories can be questioned: what a log, a filter or statistics ask beside how events change the state.
///
/// Tools that read histories are written against this protocol and import no domain.
public protocol HistoryDomain: Reducer {
  /// What points at a mistake in the app.
  associatedtype Finding: HistoryFinding

  /// What an event says about mistakes in the app. Pure.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - before: The state into which it was folded.
  ///   - after: The state after it.
  static func findings(for event: Event, before: State, after: State) -> [Finding]

  /// The names that identify an account, such as its object id, as far as a state knows them.
  static func identities(ofAccount number: UInt64, in state: State) -> [String]

  /// How much the part of a state's tree at `path`, such as `/accounts/a1/status`, says about the event that changed it.
  ///
  /// The default is ``HeadlineRank/ordinary`` for every part.
  static func headlineRank(ofPath path: String) -> HeadlineRank
}

extension HistoryDomain {
  /// No part says more than another.
  public static func headlineRank(ofPath path: String) -> HeadlineRank { .ordinary }
}

/// Something in a history that points at a mistake in the app, found by a rule of the domain.
public protocol HistoryFinding: Sendable {
  /// The rule's stable name, such as `S-30`.
  var rule: String { get }
}
