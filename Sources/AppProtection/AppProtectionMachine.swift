import EventSourcing

/// The rules of app protection: what a command leads to, and what an event changes.
///
/// Pure. It reads no clock, no random number, no file; times come from commands' moments and are written into events, so
/// that a replay never computes one. Every effect outside the journal is announced by an event before it may begin,
/// and ``AppProtectionState/pendingWork(at:)`` reads off the state what is announced and not finished.
public enum AppProtectionMachine: Decider {
  /// What the events add up to.
  public typealias State = AppProtectionState
  /// What can happen.
  public typealias Event = AppProtectionEvent
  /// What somebody wants to happen.
  public typealias Command = AppProtectionCommand
  /// Why it cannot.
  public typealias Rejection = AppProtectionRejection

  /// Raised whenever the same events would give another state than before.
  public static let revision: UInt32 = 1

  /// The state before the first event: no process, no accounts, default settings.
  public static var initialState: AppProtectionState { AppProtectionState() }

  /// Checks a command against the rules and returns what happens because of it. The rules of each part of the domain
  /// stand in that part's folder.
  public static func decide(
    _ command: AppProtectionCommand, in state: AppProtectionState, at moment: Moment, explanation: inout Explanation
  ) throws(AppProtectionRejection) -> [AppProtectionEvent] {
    []
  }
}
