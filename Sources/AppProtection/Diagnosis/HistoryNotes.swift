import EventSourcing

/// What several rules need of the events so far. Kept once for all of them.
struct HistoryNotes: Sendable {
  /// Every account's contact with the service.
  private(set) var contacts = PerAccount<ContactTrail>()

  /// Takes note of an event, before the rules look at it.
  mutating func note(_ event: AppProtectionEvent, _ context: EventContext, after: AppProtectionState) {
    switch event {
    case .enrollmentRequested(let event): contacts[event.account, default: ContactTrail()].ask(context)
    case .checkInRequested(let event): contacts[event.account, default: ContactTrail()].ask(context)
    case .enrollmentSucceeded(let event): contacts[event.account, default: ContactTrail()].complete(context)
    case .checkInUnchanged(let event): contacts[event.account, default: ContactTrail()].complete(context)
    case .policyReceived(let event): contacts[event.account, default: ContactTrail()].complete(context)
    case .policyWithdrawn(let event):
      if event.reason == .untargeted { contacts[event.account, default: ContactTrail()].complete(context) }
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
}
