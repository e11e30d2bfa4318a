import EventSourcing

extension Deliberation {
  /// T39, T35: the app reports the signed-in accounts. An account used for work or school must be registered, and one
  /// that is not allowed must be signed out.
  mutating func reportSignIns(
    _ references: [AccountReference], workOrSchool: [AccountReference]
  ) throws(AppProtectionRejection) {
    var (all, work): (Set<AccountNumber>, Set<AccountNumber>) = ([], [])
    for reference in references { all.insert(try resolve(reference)) }
    for reference in workOrSchool { work.insert(try resolve(reference)) }
    all.formUnion(work)
    let report = SignInsReported(accounts: all.sorted(), workOrSchool: work.sorted())
    let records = state.accounts.records
    guard
      report.accounts != records.filter(\.isSignedIn).map(\.account)
        || report.workOrSchool != records.filter(\.isForWorkOrSchool).map(\.account)
    else { return }
    emitForSignIns(.signInsReported(report))
  }

  /// Adds an event about signed-in or allowed accounts, and tells the app to sign out the accounts that are now signed
  /// in but not allowed: once each time an account gets into that state (T35).
  mutating func emitForSignIns(_ event: AppProtectionEvent) {
    let told = state.disallowedSignIns
    emit(event)
    let code = state.settings.app.assumptions.unlistedAccountCode
    for account in state.disallowedSignIns where !told.contains(account) {
      emit(.accountRemovalRequired(AccountRemovalRequired(account: account, code: code)))
    }
  }

  /// Asks the app to add an account that it did not enroll itself (`addAccountId`, T17).
  mutating func requestAddition(of account: AccountNumber) {
    guard let record = state.accounts[account], !record.isSignedIn, record.additionQuestion == 0 else { return }
    emit(.accountAdditionRequested(AccountAdditionRequested(account: account)))
  }

  mutating func answerAddition(
    _ reference: AccountReference, _ result: AddIdentityResult, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    try require(
      account.additionQuestion != 0, or: .nothingAsked(.addition, number), "the app was asked to add \(number)",
      reads: { _ in [.init("/accounts/\(number)/additionQuestion", .pending(account.additionQuestion))] })
    try requireCurrent(intent, asked: account.additionQuestion, .addition, of: number)
    emitForSignIns(.accountAdditionAnswered(AccountAdditionAnswered(account: number, result: result)))
  }

  /// Sets whether an account must be the only managed one. This applies to accounts that become managed from now on;
  /// managed accounts stay.
  mutating func setExclusivity(
    _ reference: AccountReference, _ isExclusive: Bool
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    guard account.isExclusive != isExclusive else { return }
    emit(
      .accountExclusivityChanged(AccountExclusivityChanged(account: account.account, isExclusive: isExclusive)))
  }
}
