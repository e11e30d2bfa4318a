import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: SignInsReported, _ context: EventContext) {
    for account in event.accounts { withdrawAddition(of: account) }
    for account in accounts.records {
      let isSignedIn = event.accounts.contains(account.account)
      let isForWork = isSignedIn && event.workOrSchool.contains(account.account)
      guard account.isSignedIn != isSignedIn || account.isForWorkOrSchool != isForWork else { continue }
      accounts.update(account.account) { account in
        account.isSignedIn = isSignedIn
        account.isForWorkOrSchool = isForWork
      }
    }
  }

  mutating func fold(_ event: AccountAdditionRequested, _ context: EventContext) {
    accounts.update(event.account) { account in
      guard account.enrollment.status.isRegistered else { return }
      account.additionQuestion = context.sequence
    }
  }

  mutating func fold(_ event: AccountAdditionAnswered, _ context: EventContext) {
    accounts.update(event.account) { account in
      account.additionQuestion = 0
      if event.result == .success { account.isSignedIn = true }
    }
  }

  /// Withdraws the question to add an account: the app has it already, or it leaves.
  mutating func withdrawAddition(of account: AccountNumber) {
    guard !process.isRevision(before: 5), accounts.read(account, { $0.additionQuestion }) ?? 0 != 0 else { return }
    accounts.update(account) { $0.additionQuestion = 0 }
  }

  mutating func fold(_ event: AccountExclusivityChanged, _ context: EventContext) {
    accounts.update(event.account) { $0.isExclusive = event.isExclusive }
  }

  /// The code that still requires the app to remove an account after a completed check-in: the code for accounts that
  /// device management does not allow. The check-in clears every other code.
  func removalCode(afterCheckInOf account: AccountNumber) -> EnrollmentStatusCode? {
    guard let index = accounts.index(of: account), accounts.records[index].removalCode != nil,
      !settings.allows(account)
    else { return nil }
    return settings.app.assumptions.unlistedAccountCode
  }

  /// The signed-in accounts for work or school that the app has not registered. It must register them, even those that
  /// were signed in before it had this SDK (T39).
  public var unregisteredSignIns: [AccountNumber] {
    accounts.records.filter { $0.isForWorkOrSchool && !$0.enrollment.status.isRegistered }.map(\.account)
  }

  /// The signed-in accounts that are not allowed (T35).
  public var disallowedSignIns: [AccountNumber] {
    accounts.records.filter { $0.isSignedIn && !settings.allows($0.account) }.map(\.account)
  }
}
