import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: AccountIntroduced, _ context: EventContext) {
    guard accounts[event.account] == nil else { return }
    var account = Account(event.account)
    (account.$objectID, account.$userPrincipalName) = (event.$objectID, event.$userPrincipalName)
    accounts.set(account)
  }

  mutating func fold(_ event: AccountIdentified, _ context: EventContext) {
    accounts.update(event.account) { account in
      // Sealed or not: what is absent stays as it was.
      if !event.$objectID.isAbsent { account.$objectID = event.$objectID }
      if !event.$userPrincipalName.isAbsent { account.$userPrincipalName = event.$userPrincipalName }
    }
  }

  mutating func fold(_ event: AccountRegistered, _ context: EventContext) {
    accounts.update(event.account) { account in
      guard !account.enrollment.status.isRegistered else { return }
      account.enrollment = Enrollment()
      account.enrollment.status = .registered
      account.lingersAtService = false
      account.removalCode = nil
    }
  }

  mutating func fold(_ event: AccountDeregistered, _ context: EventContext) {
    guard accounts[event.account]?.enrollment.status.isRegistered == true else { return }
    remove(event.account)
    guard event.lingersAtService else { return }
    // It was enrolled, and leaves without the service's answer.
    accounts.update(event.account) { $0.lingersAtService = true }
    endOverrides()
  }

  mutating func fold(_ event: AccountRemovalRequired, _ context: EventContext) {
    accounts.update(event.account) { $0.removalCode = event.code }
  }

  mutating func fold(_ event: TokenAcquired, _ context: EventContext) {
    accounts.update(event.account) { account in
      account.tokensRemoved = false
      account.enrollment.awaitsSignIn = false
    }
    resumeWipes(of: event.account)
  }

  mutating func fold(_ event: TokenRemoved, _ context: EventContext) {
    accounts.update(event.account) { $0.tokensRemoved = true }
  }

  /// Removes everything about an account but its number and name: registration, policy, identities, remediation.
  mutating func remove(_ account: AccountNumber, code: EnrollmentStatusCode? = nil) {
    accounts.update(account) { account in
      let lastCode = code ?? account.enrollment.lastCode
      account.enrollment = Enrollment()
      account.enrollment.status = .removed
      account.enrollment.lastCode = lastCode
      account.removalCode = nil
      account.isSignedIn = false
      account.isForWorkOrSchool = false
      account.isExclusive = false
      account.additionQuestion = 0
    }
    policies.remove(account)
    configuration.accounts.remove(account)
    identities.forget(account)
    compliance.queue.removeAll { $0 == account }
    compliance.accounts.remove(account)
    launch.accounts.remove(account)
    dropRestart(for: account)
    closeQuestions(about: account)
  }
}
