import EventSourcing

extension Deliberation {
  /// Returns the number of the account that an app names; introduces a new account, and records what is new about a
  /// known one.
  mutating func resolve(_ reference: AccountReference?) throws(AppProtectionRejection) -> AccountNumber {
    guard let reference, reference.isUsable else {
      try require(false, or: .missingAccount, "an account is named")
      throw .missingAccount
    }
    if let known = reading({ $0.account(for: reference) }) {
      explanation.evaluate("account.known", "\(known.account) is meant", true)
      recordIdentity(of: known, as: reference)
      return known.account
    }
    try require(reference.number == nil, or: .unknownAccount, "the account is known to the journal")
    let last = state.accounts.records.last?.account
    guard let number = last.map(\.next) ?? AccountNumber.first else {
      try require(false, or: .tooManyAccounts, "an account number is left")
      throw .tooManyAccounts
    }
    assert(state.accounts[number] == nil, "\(number) is given to a second account")
    explanation.evaluate("account.known", "the account is new and becomes \(number)", true)
    emit(
      .accountIntroduced(
        AccountIntroduced(
          account: number, objectID: reference.objectID, userPrincipalName: reference.userPrincipalName)))
    return number
  }

  /// Returns the named account, which must be known.
  mutating func find(_ reference: AccountReference?) throws(AppProtectionRejection) -> Account {
    guard let reference, reference.isUsable else {
      try require(false, or: .missingAccount, "an account is named")
      throw .missingAccount
    }
    guard let account = reading({ $0.account(for: reference) }) else {
      try require(false, or: .unknownAccount, "the account is known to the journal")
      throw .unknownAccount
    }
    return account
  }

  /// Records a newly known object id or a new name. A name that differs only in case is not new.
  private mutating func recordIdentity(of account: Account, as reference: AccountReference) {
    let objectID = account.objectID == nil ? reference.objectID : nil
    var name: String?
    if let given = reference.userPrincipalName {
      let isKnown = account.userPrincipalName.map { AccountReference.areEqual($0, given) } ?? false
      name = isKnown ? nil : given
    }
    guard objectID != nil || name != nil else { return }
    emit(
      .accountIdentified(
        AccountIdentified(account: account.account, objectID: objectID, userPrincipalName: name)))
  }

  mutating func identifyAccount(_ reference: AccountReference) throws(AppProtectionRejection) {
    let account = try find(reference)
    recordIdentity(of: account, as: reference)
  }

  mutating func acquireToken(_ reference: AccountReference) throws(AppProtectionRejection) {
    let account = try find(reference)
    let enrollment = account.enrollment
    let hasWipeToResume = state.wipes[account.account]?.dueTime != nil
    guard account.tokensRemoved || enrollment.awaitsSignIn || hasWipeToResume else { return }
    emit(.tokenAcquired(TokenAcquired(account: account.account)))
    guard enrollment.awaitsSignIn else { return }
    switch enrollment.status {
    case .registered: requestEnrollment(of: account.account, .signIn)
    case .enrolledWithPolicy, .enrolledWithoutPolicy:
      emit(.checkInRequested(CheckInRequested(account: account.account, trigger: .retry)))
    case .unenrolling: unenroll(account.account, wipe: enrollment.unenrollmentWipes)
    case .unknown, .enrolling, .wiping, .removed: break
    }
  }

  mutating func removeToken(_ reference: AccountReference) throws(AppProtectionRejection) {
    let account = try find(reference)
    if !account.tokensRemoved { emit(.tokenRemoved(TokenRemoved(account: account.account))) }
  }
}
