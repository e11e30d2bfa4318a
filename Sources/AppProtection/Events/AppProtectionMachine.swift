import EventSourcing
import WireFormat

/// The rules of app protection: what a command leads to, and what an event changes.
///
/// Pure. It reads no clock, no random number, no file; times come from commands' moments and are written into events,
/// so that a replay never computes one. An event announces every effect outside the journal before it may begin, and
/// ``AppProtectionState/pendingWork(at:)`` lists what the state has announced and not finished.
public enum AppProtectionMachine: Reducer {
  /// The state that the events produce.
  public typealias State = AppProtectionState
  /// What can happen.
  public typealias Event = AppProtectionEvent

  /// Raised whenever the same events would produce a different state than before: ``AppProtectionState/revision``.
  public static var revision: UInt32 { AppProtectionState.revision }

  /// Since revision 5, a rule that changes asks for the revision of the process.
  public static var earliestKeptRevision: UInt32 { 4 }

  /// `process.started` starts a process; each event carries the position of its process's start.
  public static var processStart: UInt32? { ProcessStarted.entry.number }

  /// `process.started` records the revision of the rules that computed the states after it.
  public static func recordedRevision(in event: AppProtectionEvent) -> UInt32? {
    if case .processStarted(let start) = event, start.reducerRevision != 0 { start.reducerRevision } else { nil }
  }

  /// Takes over the states of revisions 3 and 4. Their slices have the same shape; what later revisions added is absent,
  /// and means what it means in the events of that time: nothing is left to report or to notify.
  public static func migrate(
    _ stored: StoredState<AppProtectionState>
  ) throws(WireError) -> AppProtectionState? {
    (3...4).contains(stored.revision) ? try stored.decoded() : nil
  }

  /// The state before the first event: no process, no accounts, default settings.
  public static var initialState: AppProtectionState { AppProtectionState() }

  /// Folds one event into the state. An event that does not fit the state, such as one about an account that was never
  /// introduced, changes nothing.
  public static func reduce(
    into state: inout AppProtectionState, _ event: AppProtectionEvent, _ context: EventContext
  ) {
    state.fold(event, context)
  }
}

extension AppProtectionState {
  /// Raised whenever the same events would produce a different state than before.
  ///
  /// Since revision 5, what an earlier revision wrote keeps its states and callbacks: a rule that changes asks for
  /// ``ProcessSlice/reducerRevision``, which `process.started` records. What revision 5 changed are the process's identity
  /// after an enrollment ends, what an app's word counts for in launch conditions, announced levels of protection, moot
  /// questions, and the default of `verifyAndProtect`.
  public static let revision: UInt32 = 5

  /// Folds one event into the state. An event that does not fit the state, such as one about an account that was never
  /// introduced, changes nothing.
  mutating func fold(_ event: AppProtectionEvent, _ context: EventContext) {
    let bootSession = process.bootSession
    let owner = processOwner
    event.fold(into: &self, context)
    if let owner { followEnrollment(of: owner) }
    updateLaunch(event, context, bootSessionBefore: bootSession)
  }
}
