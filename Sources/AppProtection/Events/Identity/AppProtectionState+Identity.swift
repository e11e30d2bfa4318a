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

  /// Whether an identity is unmanaged or belongs to an account the journal knows.
  private func knows(_ identity: Identity) -> Bool {
    identity.account.map { accounts.index(of: $0) != nil } ?? true
  }
}
