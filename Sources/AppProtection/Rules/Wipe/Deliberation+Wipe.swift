import EventSourcing

extension Deliberation {
  /// Orders a wipe. A wipe under way or done is not ordered again (S-21), and the data of an account that was never
  /// managed is not touched.
  mutating func requestWipe(
    _ reference: AccountReference, _ reason: WipeReason, _ origin: WipeOrigin
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    let status = account.enrollment.status
    if ask(
      "wipe.idempotent", "\(number) is wiped already, or its wipe is under way",
      isWiped(number) || (status == .removed && !account.mayHaveOrganizationData),
      reads: { state in
        [state.statusRead(number)]
          + (state.wipes[number].map { [.init("/wipes/\(number)/status", .name($0.phase.name))] } ?? [])
      })
    {
      return
    }
    try require(
      status != .removed, or: .notRegistered(number), "\(number) is registered",
      reads: { state in [state.statusRead(number)] })
    if origin == .service {
      try require(
        status.isEnrolled || status == .enrolling || status == .unenrolling, or: .notEnrolled(number),
        "\(number) is enrolled", reads: { state in [state.statusRead(number)] })
    } else {
      try require(
        account.mayHaveOrganizationData, or: .notManaged(number), "\(number) has had a policy since its last wipe",
        reads: { _ in
          [.init("/accounts/\(number)/mayHaveOrganizationData", .bool(account.mayHaveOrganizationData))]
        })
    }
    orderWipe(of: number, reason, origin)
  }

  /// Orders a wipe unless one is under way: a condition found at every launch wipes the account once (S-21).
  ///
  /// - Parameter precedesUnenrollment: whether the service must then be notified that the account leaves.
  mutating func orderWipe(
    of account: AccountNumber, _ reason: WipeReason, _ origin: WipeOrigin, precedesUnenrollment: Bool = false
  ) {
    guard !isWiped(account) else { return }
    emit(
      .wipeRequested(
        WipeRequested(
          account: account, reason: reason, origin: origin, precedesUnenrollment: precedesUnenrollment)))
    endRemediation(of: account)
    refuseWaitingIdentities(of: account)
  }

  /// Whether the account's data is being removed, or is gone and the service must still be notified.
  private func isWiped(_ account: AccountNumber) -> Bool {
    state.accounts[account]?.enrollment.status == .wiping || state.wipes[account]?.phase == .unenrolling
  }

  mutating func answerWipe(
    _ reference: AccountReference, removedEverything: Bool, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try wiping(reference, .requested, .wipe, intent)
    let answer = WipeDelegateAnswered(account: account, removedEverything: removedEverything)
    if removedEverything {
      finishData(of: account, .wipeDelegateAnswered(answer))
    } else {
      emit(.wipeDelegateAnswered(answer))
    }
  }

  mutating func reportFilesRemoved(
    _ reference: AccountReference, count: UInt64, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try wiping(reference, .removingFiles, .fileRemoval, intent)
    finishData(of: account, .wipeFilesRemoved(WipeFilesRemoved(account: account, count: count)))
  }

  /// Records that the data is gone. This ends the wipe unless the service must still be notified; then the answer ends
  /// it, but accounts that wait for room need not wait for the answer.
  private mutating func finishData(of account: AccountNumber, _ event: AppProtectionEvent) {
    if state.wipes[account]?.precedesUnenrollment == true {
      makeRoom(of: account) { $0.emit(event) }
    } else {
      emit(event)
      completeWipe(of: account)
    }
  }

  mutating func reportFilesLeft(
    _ reference: AccountReference, count: UInt64, error: String, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try wiping(reference, .removingFiles, .fileRemoval, intent)
    emit(.wipeFailed(WipeFailed(account: account, count: count, error: error, nextRetry: later(schedule.leaving))))
  }

  /// Returns the account whose wipe waits for an answer in this phase.
  private mutating func wiping(
    _ reference: AccountReference, _ phase: WipePhase, _ question: AppProtectionRejection.Question, _ intent: UInt64?
  ) throws(AppProtectionRejection) -> AccountNumber {
    let account = try find(reference).account
    let wipe = state.wipes[account]
    try require(
      wipe?.phase == phase, or: .nothingAsked(question, account), "\(account)'s wipe waits for this answer",
      reads: { _ in [.init("/wipes/\(account)/status", wipe.map { .name($0.phase.name) } ?? .unset)] })
    try requireCurrent(intent, asked: wipe?.requestedBy ?? 0, question, of: account)
    return account
  }

  /// Ends a wipe: enrolls the accounts waiting for room, and asks for a restart if one is needed.
  mutating func completeWipe(of account: AccountNumber) {
    guard let wipe = state.wipes[account] else { return }
    makeRoom(of: account) { $0.emit(.wipeCompleted(WipeCompleted(account: account))) }
    let rule = state.settings.app.assumptions.restartAfterWipe
    if ask(
      "wipe.restart", "this wipe asks for a restart",
      rule == .always || (rule == .engineWipes && wipe.origin == .engine),
      reads: { _ in [.init("/settings/assumptions/restartAfterWipe", .name(rule.name))] })
    {
      let isLaunchCondition = wipe.reason == .conditionalLaunch || wipe.reason == .offlineInterval
      requireRestart(isLaunchCondition ? .conditionalLaunchWipe : .accountRemoved, account)
    }
  }
}
