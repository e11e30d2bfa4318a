import AppProtection
import EventSourcing
import Observation

/// What an interface shows of the engine, on the main actor.
///
/// ```swift
/// let model = PolicyModel(engine)
/// let updates = Task { await model.follow() }  // until the interface goes away
/// model.accounts.first?.launch.outcome  // tracked by SwiftUI, or by Observation anywhere else
/// ```
///
/// The model holds copies of values of ``PolicyEngine/state`` and no truth of its own. A value is assigned only when it
/// changes, so observers are not called in vain.
@MainActor @Observable
public final class PolicyModel {
  /// An account as an interface shows it.
  public struct Account: Equatable, Sendable, Identifiable {
    /// Its number in the journal.
    public let id: AccountNumber
    /// Its object id and user principal name, as far as known and not erased.
    public let reference: AccountReference
    /// How far its enrollment is.
    public let status: EnrollmentStatus
    /// The code with which its last request ended; `nil` before that.
    public let lastCode: EnrollmentStatusCode?
    /// Whether the user is signed in.
    public let isSignedIn: Bool
    /// The policy in force; `nil` if the account has none.
    public let policy: PolicyDocument?
    /// What its launch conditions say now.
    public let launch: LaunchDecision
  }

  /// A question that waits for the user.
  public enum Question: Equatable, Sendable {
    /// Which managed account to keep.
    case chooseAccount(AccountNumber, existing: AccountNumber)
    /// Who signs in.
    case signIn
    /// The app must be restarted.
    case restart(RestartReason)
  }

  /// The accounts that are registered, enrolled or leaving, in the order of their numbers.
  public private(set) var accounts: [Account] = []
  /// The identity in effect in the default window: an account's, the user's own (`unmanaged`), or none (`unset`).
  public private(set) var identityOnScreen = Identity.unset
  /// What waits for the user, in the order in which it is asked.
  public private(set) var questions: [Question] = []

  @ObservationIgnored private let engine: PolicyEngine

  /// Shows the state as it is now; ``follow()`` keeps it current.
  public init(_ engine: PolicyEngine) {
    self.engine = engine
    update()
  }

  /// Updates the model after each event until the task is canceled. Events that follow each other quickly share one update.
  public func follow() async {
    while !Task.isCancelled {
      let count = engine.relay.bell.count
      update()
      await engine.relay.bell.wait(after: count)
    }
  }

  /// Updates the model now, for instance after time passed on which a launch condition depends.
  public func update() {
    let (state, moment) = (engine.state, engine.clock.now())
    assign(\.accounts, Self.accounts(in: state, at: moment))
    assign(\.identityOnScreen, state.effectiveIdentity(of: .ui(window: nil)).identity)
    assign(\.questions, state.pendingWork(at: moment).compactMap(Self.question))
  }

  private func assign<Value: Equatable>(_ path: ReferenceWritableKeyPath<PolicyModel, Value>, _ value: Value) {
    if self[keyPath: path] != value { self[keyPath: path] = value }
  }

  private static func accounts(in state: AppProtectionState, at moment: Moment) -> [Account] {
    state.accounts.records.compactMap { record in
      let status = record.enrollment.status
      guard status.isRegistered else { return nil }
      return Account(
        id: record.account,
        reference: AccountReference(objectID: record.objectID, userPrincipalName: record.userPrincipalName),
        status: status, lastCode: record.enrollment.lastCode, isSignedIn: record.isSignedIn,
        policy: state.enforcedPolicy(for: .account(record.account)),
        launch: state.conditionalLaunch(for: record.account, at: moment))
    }
  }

  private static func question(_ work: PendingWork) -> Question? {
    switch work.kind {
    case .askAccountSwitch(let existing): work.account.map { .chooseAccount($0, existing: existing) }
    case .askLogin: .signIn
    case .askRestart(let reason), .restart(let reason): .restart(reason)
    // These concern the app or the service.
    case .enroll, .checkIn, .unenroll, .askDelegateToWipe, .removeFiles, .remediate, .tellRemediation,
      .askIdentitySwitch, .askToAddAccount, .startDueWork:
      nil
    }
  }
}
