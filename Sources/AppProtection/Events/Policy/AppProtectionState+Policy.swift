import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: PolicyReceived, _ context: EventContext) {
    guard accounts[event.account]?.enrollment.status.isEnrolled == true else { return }
    policies.set(
      PolicyRecord(
        account: event.account, document: event.document,
        version: (policies[event.account]?.version ?? 0) &+ 1, receivedBy: context.sequence,
        isEnforced: !event.waitsForRestart))
    if !event.waitsForRestart { process.noteEnforcement(of: event.account) }
    // Where a policy is required, the question who signs in is moot once there is one.
    if settings.app.policyRequired && !process.isRevision(before: 5) { process.loginQuestion = 0 }
    let removalCode = self.removalCode(afterCheckInOf: event.account)
    let due = due(at: event.nextCheckIn, for: event.account, context)
    accounts.update(event.account) { account in
      account.mayHaveOrganizationData = true
      account.enrollment.status = .enrolledWithPolicy
      account.enrollment.checkInRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(.newPoliciesReceived, nextCheckIn: due, context)
    }
    compliance.noteCheckIn(of: event.account)
  }

  mutating func fold(_ event: PolicyWithdrawn, _ context: EventContext) {
    policies.remove(event.account)
    dropRestart(for: event.account)
    guard event.reason == .untargeted else { return }
    closeQuestions(about: event.account)
    let removalCode = self.removalCode(afterCheckInOf: event.account)
    let due = due(at: event.nextCheckIn, for: event.account, context)
    accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.status = .enrolledWithoutPolicy
      account.enrollment.checkInRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(.noPolicyReceived, nextCheckIn: due, context)
    }
    compliance.noteCheckIn(of: event.account)
  }
}
