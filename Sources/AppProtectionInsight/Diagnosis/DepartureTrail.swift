import AppProtection
import EventSourcing

/// How an account leaves, or fails to: what the app did in which order, and whether the service was notified.
struct DepartureTrail: Sendable {
  /// The removal of the account's tokens, until it has some again.
  private(set) var removal: EventContext?
  /// The removal before an enrollment that needed no token of the app: what it began lasts.
  private var formerRemoval: EventContext?
  /// The report that the account is no longer signed in, until it is again.
  private(set) var signOut: EventContext?
  /// The request to leave.
  private(set) var request: EventContext?
  /// The removal of the tokens before that request.
  private(set) var earlyRemoval: EventContext?
  /// The service's refusals of it, each with its code.
  private(set) var failures = Observations<EnrollmentStatusCode>()
  /// The departure without the service's knowledge.
  private(set) var lingering: EventContext?

  /// The service's first refusal of it, and its code.
  var failure: EventContext? { failures.first }
  /// The code of the first refusal; `nil` where the state alone shows it, which need not keep the code.
  var code: EnrollmentStatusCode? { failures.firstValue.flatMap { $0.isSuccess ? nil : $0 } }

  /// Whether the account has begun to leave, and the service does not know that it has.
  var isUnheard: Bool { request != nil }
  /// Whether the user has gone, as far as the app shows, and the account has not begun to leave.
  var isForgotten: Bool { request == nil && (signOut ?? removal) != nil }
  /// What decided that traces of the account remain, if some do and may hinder others.
  var traces: UInt64? {
    isUnheard ? (earlyRemoval ?? failure ?? request)?.sequence : (signOut ?? removal)?.sequence
  }

  /// The app removed the account's tokens.
  mutating func loseTokens(_ context: EventContext) { removal = removal ?? context }

  /// The app has a token.
  mutating func acquireToken() { (removal, formerRemoval) = (nil, nil) }

  /// The app reported whether the account is signed in.
  mutating func signIn(_ isSignedIn: Bool, _ context: EventContext) { signOut = isSignedIn ? nil : signOut ?? context }

  /// The service is to be notified that the account leaves. A repetition changes nothing.
  mutating func leave(_ context: EventContext, isEarlyRemoval: Bool) {
    guard request == nil else { return }
    request = context
    earlyRemoval = isEarlyRemoval ? removal ?? formerRemoval : nil
  }

  /// The service enrolled the account: it is there, and nothing of its departure is left.
  mutating func stay() {
    let last = removal ?? formerRemoval
    self = DepartureTrail()
    formerRemoval = last
  }

  /// Its data is wiped, and with it what the app knew. Without a token, the service was not notified.
  mutating func vanish(_ context: EventContext) {
    if earlyRemoval != nil { lingering = lingering ?? context }
  }

  /// The service was not notified.
  mutating func fail(_ context: EventContext, _ code: EnrollmentStatusCode, lingers: Bool) {
    failures.add(context, code)
    if lingers { lingering = lingering ?? context }
  }
}

extension PerAccount<DepartureTrail> {
  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    switch event {
    case .tokenRemoved(let event):
      // Tokens that go after the account has left leave no trace.
      guard before.accounts[event.account]?.enrollment.status.isRegistered == true || self[event.account] != nil
      else { break }
      self[event.account, default: DepartureTrail()].loseTokens(context)
    case .tokenAcquired(let event): self[event.account]?.acquireToken()
    case .signInsReported, .accountAdditionAnswered:
      for account in after.accounts.records {
        let wasSignedIn = before.accounts[account.account]?.isSignedIn ?? false
        guard wasSignedIn != account.isSignedIn else { continue }
        self[account.account, default: DepartureTrail()].signIn(account.isSignedIn, context)
      }
    case .unenrollmentRequested(let request):
      let findings = AppProtectionMachine.findings(for: event, before: before, after: after)
      self[request.account, default: DepartureTrail()].leave(
        context, isEarlyRemoval: findings.contains { $0.kind == .deregisteredAfterTokenRemoval })
    case .unenrollmentFailed(let event): self[event.account]?.fail(context, event.code, lingers: event.lingersAtService)
    case .accountDeregistered(let event): if !event.lingersAtService { self[event.account] = nil }
    case .wipeCompleted(let event):
      self[event.account]?.vanish(context)
      if self[event.account]?.lingering == nil { self[event.account] = nil }
    case .unenrollmentSucceeded(let event): self[event.account] = nil
    case .enrollmentSucceeded(let event): self[event.account]?.stay()
    default: break
    }
  }
}
