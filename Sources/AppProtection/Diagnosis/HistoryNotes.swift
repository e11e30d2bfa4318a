import EventSourcing

/// What several rules need of the events so far. Kept once for all of them.
struct HistoryNotes: Sendable {
  /// Every account's contact with the service.
  private(set) var contacts = PerAccount<ContactTrail>()
  /// How every account leaves, or fails to.
  private(set) var departures = PerAccount<DepartureTrail>()

  /// Takes note of an event, before the rules look at it.
  mutating func note(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    noteDeparture(event, context, before: before, after: after)
    switch event {
    case .enrollmentRequested(let event): contacts[event.account, default: ContactTrail()].ask(context)
    case .checkInRequested(let event): contacts[event.account, default: ContactTrail()].ask(context)
    case .enrollmentSucceeded(let event):
      contacts[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn)
    case .checkInUnchanged(let event):
      contacts[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn)
    case .policyReceived(let event):
      contacts[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn)
    case .policyWithdrawn(let event):
      guard event.reason == .untargeted else { return }
      contacts[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn)
    case .enrollmentFailed(let event): contacts[event.account, default: ContactTrail()].fail(context, event.code)
    case .checkInFailed(let event): contacts[event.account, default: ContactTrail()].fail(context, event.code)
    case .processStarted(let event) where !event.isExtension:
      for account in after.accounts.records where account.enrollment.status.isRegistered {
        contacts[account.account, default: ContactTrail()].launch(context)
      }
    default: break
    }
  }

  /// Takes note of a change of the clock.
  mutating func noteClockJump(by nanoseconds: Int64, before sequence: UInt64) {
    guard nanoseconds > 0 else { return }
    contacts.updateAll { $0.advance(by: nanoseconds, before: sequence) }
  }

  /// What decided that other accounts left traces, or that this one did when it last left.
  func traces(inTheWayOf account: AccountNumber) -> [UInt64] {
    departures.inOrder.filter { $0.account != account || $0.value.isUnheard }.compactMap(\.value.traces)
  }

  private mutating func noteDeparture(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    switch event {
    case .tokenRemoved(let event): departures[event.account, default: DepartureTrail()].loseTokens(context)
    case .tokenAcquired(let event): departures[event.account]?.acquireToken()
    case .signInsReported, .accountAdditionAnswered:
      for account in after.accounts.records {
        let wasSignedIn = before.accounts[account.account]?.isSignedIn ?? false
        guard wasSignedIn != account.isSignedIn else { continue }
        departures[account.account, default: DepartureTrail()].signIn(account.isSignedIn, context)
      }
    case .unenrollmentRequested(let request):
      let findings = AppProtectionMachine.findings(for: event, before: before, after: after)
      departures[request.account, default: DepartureTrail()].leave(
        context, isEarlyRemoval: findings.contains { $0.kind == .deregisteredAfterTokenRemoval })
    case .unenrollmentFailed(let event):
      departures[event.account]?.fail(context, event.code, lingers: event.lingersAtService)
    case .accountDeregistered(let event): if !event.lingersAtService { departures[event.account] = nil }
    case .wipeCompleted(let event): if departures[event.account]?.lingering == nil { departures[event.account] = nil }
    case .unenrollmentSucceeded(let event): departures[event.account] = nil
    case .enrollmentSucceeded(let event): departures[event.account] = nil
    default: break
    }
  }
}
