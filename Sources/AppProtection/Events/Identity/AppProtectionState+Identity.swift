import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: IdentitySwitched, _ context: EventContext) {
    guard knows(event.identity) && event.scope.isValid else { return }
    identities.set(event.scope, to: event.identity)
  }

  mutating func fold(_ event: IdentitySwitchRequested, _ context: EventContext) {
    guard knows(event.identity) && event.scope.isValid else { return }
    identities.requests.removeAll { $0.scope == event.scope }
    identities.requests.append(
      IdentitySwitchRequest(
        scope: event.scope, identity: event.identity, reason: event.reason, requestedBy: context.sequence))
  }

  mutating func fold(_ event: IdentitySwitchAnswered, _ context: EventContext) {
    identities.requests.removeAll { $0.scope == event.scope }
  }

  mutating func fold(_ event: IdentityScopeClosed, _ context: EventContext) {
    identities.set(event.scope, to: .unset)
    identities.requests.removeAll { $0.scope == event.scope }
  }

  /// The enrolled account whose identity a single-identity app's process has; `nil` if there is none.
  var processOwner: AccountNumber? {
    guard let account = identities.process.account, !settings.app.multiIdentity, isEnrolledOrManaged(account) else {
      return nil
    }
    return account
  }

  /// Takes the process's identity back from an account that is no longer enrolled, whichever event ended it: the SDK
  /// sets it to the enrolled user (S004 Turn on multi-identity). Another managed account takes its place. The policy of
  /// an account that is being wiped protects its data until that is gone, and the identity stays as long.
  ///
  /// - Parameter account: the process's owner before the event.
  mutating func followEnrollment(of account: AccountNumber) {
    guard !process.isRevision(before: 5), !settings.app.multiIdentity, !isEnrolledOrManaged(account),
      identities.process == .account(account) || identities.process == .unset
    else { return }
    let identity = policies.records.first.map { Identity.account($0.account) } ?? .unset
    if identities.process != identity { identities.process = identity }
  }

  private func isEnrolledOrManaged(_ account: AccountNumber) -> Bool {
    isManaged(account) || accounts.read(account) { $0.enrollment.status.isEnrolled } == true
  }

  /// Whether an identity is unmanaged or belongs to an account the journal knows.
  private func knows(_ identity: Identity) -> Bool {
    identity.account.map { accounts.index(of: $0) != nil } ?? true
  }
}
