import EventSourcing

extension Deliberation {
  mutating func answerEnrollment(
    _ reference: AccountReference, _ answer: ServiceAnswer, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    try require(
      account.enrollment.enrollmentRequest != 0, or: .nothingAsked(.enrollment, number),
      "the service was asked to enroll \(number)",
      reads: { _ in
        [.init("/accounts/\(number)/enrollment/enrollmentRequest", .pending(account.enrollment.enrollmentRequest))]
      }
    )
    try requireCurrent(intent, asked: account.enrollment.enrollmentRequest, .enrollment, of: number)
    let launch = state.launch.accounts[number]
    switch answer {
    case .policy(let document, let interval):
      acceptPolicy(document, for: number, nextCheckIn: later(schedule.checkIn(named: interval)), isEnrollment: true)
    case .unchanged:
      guard state.isManaged(number) else {
        // A new enrollment has no policy that could be unchanged.
        refuseEnrollment(of: number, ServiceFailure(.parsingFailure))
        return
      }
      succeed(number, .policiesHaveNotChanged, after: schedule.checkIn)
    case .noPolicy:
      // T6: enrolled, but no policy targets the account.
      let interval = intervalWithoutPolicy(of: number)
      let due = later(interval)
      succeed(number, .noPolicyReceived, after: interval)
      if state.isManaged(number) {
        withdrawUntargeted(number, nextCheckIn: due)
      }
    case .wipe(let reason): orderWipe(of: number, reason, .service)
    case .gone: failEnrollment(of: account, ServiceFailure(.policyRecordGone))
    case .failure(let failure): failEnrollment(of: account, failure)
    }
    reevaluateLaunch(of: number, after: launch)
    admitWaiting(for: number)
  }

  /// T11, T23: enrolls the accounts waiting for this one to leave, if it lost its record and its policy and its new
  /// enrollment brought no policy.
  private mutating func admitWaiting(for account: AccountNumber) {
    guard let enrollment = state.accounts[account]?.enrollment, enrollment.enrollmentRequest == 0,
      enrollment.status != .wiping, !state.isManaged(account)
    else { return }
    makeRoom(of: account) { _ in }
  }

  /// T23: an enrolled account that only registered again is treated like a check-in that finds no record. If the
  /// enrollment after such a loss finds no record either, it is refused (221). Any other account stays registered and
  /// is retried on schedule.
  private mutating func failEnrollment(of account: Account, _ failure: ServiceFailure) {
    if endsEnrollment(of: account.account, failure.code) { return }
    let isAwaited = state.launch.accounts[account.account]?.awaitsConfirmation ?? false
    let rule = state.settings.app.assumptions.reenrollmentRefusal
    let number = account.account
    let isRefused = ask(
      "T23", "the service lost its record of \(number) before, and has none for this enrollment either",
      failure.code == .policyRecordGone && account.enrollment.recordLost
        && (rule == .everyAttempt || account.enrollment.trigger == .recordGone),
      reads: { _ in
        [
          .init("/accounts/\(number)/enrollment/recordLost", .bool(account.enrollment.recordLost)),
          .init("/settings/assumptions/reenrollmentRefusal", .name(rule.name)),
        ]
      })
    refuseEnrollment(
      of: account.account, isRefused ? ServiceFailure(.reEnrollForUnenrolledUser, error: failure.error) : failure)
    // An account that registers again after a long silence sends this request instead of a check-in.
    wipeUnconfirmed(account.account, wasAwaited: isAwaited)
  }

  private mutating func succeed(_ account: AccountNumber, _ code: EnrollmentStatusCode, after interval: Int64) {
    emit(
      .enrollmentSucceeded(EnrollmentSucceeded(account: account, code: code, nextCheckIn: later(interval))))
  }

  /// Applies an account's policy, unless another account is managed and only one may be: then the user chooses which to
  /// keep (T11, T12), and the policy is not applied.
  mutating func acceptPolicy(
    _ document: PolicyDocument, for account: AccountNumber, nextCheckIn due: Int64, isEnrollment: Bool
  ) {
    let earlier = state.policies[account]
    let isFirst = earlier == nil
    let existing = state.rival(of: account) ?? state.policies.records.lazy.map(\.account).first { $0 != account }
    if isFirst, let existing,
      !ask(
        "T11", "another account may be managed beside \(existing)", state.hasRoom(for: account),
        reads: { state in
          [
            .init("/settings/maximumManagedAccounts", .integer(Int64(state.settings.app.maximumManagedAccounts))),
            .init("/accounts/\(existing)/isExclusive", .bool(state.accounts[existing]?.isExclusive ?? false)),
            state.policyRead(existing),
          ]
        })
    {
      emit(.accountSwitchAsked(AccountSwitchAsked(account: account, existing: existing)))
      return
    }
    if isEnrollment {
      emit(
        .enrollmentSucceeded(
          EnrollmentSucceeded(account: account, code: .newPoliciesReceived, nextCheckIn: due)))
    }
    let isWaiting = earlier?.isEnforced == false
    let needsRestart = isFirst && needsRestartForFirstPolicy(of: account)
    // Until an already pending restart, a new account's policy is not enforced either (T11).
    let joinsRestart = isFirst && !needsRestart && joinsPendingRestart(account)
    let waits = needsRestart || joinsRestart || isWaiting
    emit(
      .policyReceived(
        PolicyReceived(account: account, document: document, waitsForRestart: waits, nextCheckIn: due)))
    followEnrolledAccount()
    if needsRestart { requireRestart(.firstPolicy, account) }
    if isEnrollment && state.accounts[account]?.enrollment.trigger == .automatic { requestAddition(of: account) }
    reviewLaunch(of: account, after: earlier)
  }

  /// T5: a first policy is enforced from the next launch on, except in a host that needs no restart. An assumption
  /// decides whether "first" means the first policy enforced by this process or the account's first in it. A policy
  /// that returns to a process that enforced it is not a first policy (T23, T25).
  private mutating func needsRestartForFirstPolicy(of account: AccountNumber) -> Bool {
    let isExempt = needsNoRestart()
    let scope = state.settings.app.assumptions.firstPolicyScope
    let enforced = state.process.enforcedAccounts
    let isFirst = scope == .process ? enforced.isEmpty : !enforced.contains(account)
    return ask(
      "T5", "the policy is the first one for the \(scope.name), and the host applies such a one only after a restart",
      isFirst && !isExempt,
      reads: { _ in
        [
          .init("/settings/firstPolicyNeedsNoRestart", .bool(isExempt)),
          .init("/settings/assumptions/firstPolicyScope", .name(scope.name)),
          .init(
            "/process/enforcedAccounts",
            enforced.isEmpty ? .unset : .list(enforced.map { .name($0.description) })),
        ]
      })
  }

  /// Whether the app applies an account's first policy without a restart: the host does not need one (S-26), or the app
  /// enrolls at launch and was blocked until now (T17, T18).
  private mutating func needsNoRestart() -> Bool {
    let app = state.settings.app
    guard !app.firstPolicyNeedsNoRestart, app.autoEnrollOnLaunch && app.policyRequired else {
      return app.firstPolicyNeedsNoRestart
    }
    let choice = app.assumptions.launchEnrollmentNeedsNoRestart
    return ask(
      "T17", "an app that enrolls at launch and requires a policy applies the first one without a restart", choice,
      reads: { state in
        [.init("/settings/autoEnrollOnLaunch", .bool(true)), .init("/settings/policyRequired", .bool(true))]
          + state.assumptionRead("launchEnrollmentNeedsNoRestart", choice)
      })
  }

  /// Whether a policy not yet enforced in this process waits for a restart required for another reason.
  private mutating func joinsPendingRestart(_ account: AccountNumber) -> Bool {
    let isExempt = needsNoRestart()
    let restart = state.process.restart
    return ask(
      "restart.pending", "the app restarts anyway before \(account)'s policy is enforced",
      restart != nil && !isExempt && !state.process.enforcedAccounts.contains(account),
      reads: { _ in [.init("/process/restart/requestedBy", .pending(restart?.requestedBy ?? 0))] })
  }

  /// In a single-identity app, the process has the managed account's identity.
  mutating func followEnrolledAccount() {
    guard !state.settings.app.multiIdentity, let managed = state.policies.records.first?.account else { return }
    let identity = Identity.account(managed)
    guard state.identities.process != identity else { return }
    emit(.identitySwitched(IdentitySwitched(scope: .process, identity: identity, origin: .engine)))
  }

  /// Ends a failed enrollment: schedules the retry and decides whether the app must remove the account (T7–T10).
  mutating func refuseEnrollment(of account: AccountNumber, _ failure: ServiceFailure) {
    let trigger = state.accounts[account]?.enrollment.trigger
    let (due, step) = repetition(of: account, after: failure.code)
    emit(
      .enrollmentFailed(
        EnrollmentFailed(
          account: account, code: failure.code, error: failure.error, nextRetry: due, backoffStep: step)))
    requireRemoval(of: account, after: failure.code)
    // Asked where no known account or no valid token is left (S001 Configure settings): a sign-in mends nothing else.
    if trigger == .automatic, failure.code.repetition == .afterSignIn || failure.code.requiresRemoval {
      askForLoginIfRequired()
    }
  }

  /// T10: the app must remove an account that the service refuses for good.
  mutating func requireRemoval(of account: AccountNumber, after code: EnrollmentStatusCode) {
    guard code.requiresRemoval else { return }
    emit(.accountRemovalRequired(AccountRemovalRequired(account: account, code: code)))
  }

  /// When a failed request is repeated, and how many network failures occurred in a row.
  ///
  /// A code that stops enrollment retries does not end an enrolled account's check-ins: these continue at their
  /// interval, unless the app must remove the account.
  func repetition(of account: AccountNumber, after code: EnrollmentStatusCode) -> (due: Int64?, step: UInt32) {
    let isEnrolled = state.accounts[account]?.enrollment.status.isEnrolled == true
    let assumptions = state.settings.app.assumptions
    switch code.repetition(by: assumptions.unknownCodeRule) {
    case .never: return (isEnrolled && !code.requiresRemoval ? later(schedule.checkIn) : nil, 0)
    case .afterSignIn: return (nil, 0)
    case .scheduled:
      let isLeaving = state.accounts[account]?.enrollment.status == .unenrolling
      return (later(isLeaving ? schedule.leaving : schedule.interval(after: code)), 0)
    case .backoff:
      let step = (state.accounts[account]?.enrollment.backoffStep ?? 0) &+ 1
      return (later(RetrySchedule.pause(afterFailures: step, assumptions.backoffSequence)), step)
    }
  }

  /// Removes an account or its policy, then enrolls the accounts it blocked: open questions about it are withdrawn, and
  /// accounts stopped only by the limit are tried again (T11, T30).
  mutating func makeRoom(of existing: AccountNumber, _ depart: (inout Deliberation) -> Void) {
    let waiting = state.accounts.records.filter { account in
      guard account.enrollment.status == .registered && account.removalCode == nil else { return false }
      return account.enrollment.switchesFrom == existing || wasRefused(account, asNamesakeOf: existing)
    }
    depart(&self)
    for account in waiting { requestEnrollment(of: account.account, .accountSwitch) }
  }

  /// Removes the policy of an account that is no longer targeted (T25).
  mutating func withdrawUntargeted(_ account: AccountNumber, nextCheckIn due: Int64) {
    makeRoom(of: account) { deliberation in
      deliberation.emit(
        .policyWithdrawn(PolicyWithdrawn(account: account, reason: .untargeted, nextCheckIn: due)))
    }
  }

  mutating func answerAccountSwitch(
    _ reference: AccountReference, _ choice: AccountChoice, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    guard account.enrollment.switchQuestion != 0, let existing = account.enrollment.switchesFrom else {
      try require(
        false, or: .nothingAsked(.accountSwitch, number), "the user was asked about \(number)",
        reads: { _ in [.init("/accounts/\(number)/enrollment/switchQuestion", .unset)] })
      return
    }
    // A user asked about another account has not chosen to remove this one.
    try requireCurrent(intent, asked: account.enrollment.switchQuestion, .accountSwitch, of: number)
    emit(
      .accountSwitchAnswered(AccountSwitchAnswered(account: number, existing: existing, choice: choice)))
    switch choice {
    case .keepExisting:
      let code = state.settings.app.assumptions.refusedAccountCode
      emit(.enrollmentFailed(EnrollmentFailed(account: number, code: code)))
      emit(.accountRemovalRequired(AccountRemovalRequired(account: number, code: code)))
    case .canceled:
      emit(.enrollmentFailed(EnrollmentFailed(account: number, code: .loginCanceled)))
    case .switchAccounts:
      // No account is wiped for one that would then be refused.
      if let code = enrollmentRefusal(of: number) {
        refuseEnrollment(of: number, ServiceFailure(code))
        return
      }
      // S-21: a wipe under way is not ordered again; the new account waits for it to end.
      if state.accounts[existing]?.enrollment.status == .wiping { return }
      if state.accounts[existing]?.enrollment.status.isRegistered == true && state.isManaged(existing) {
        orderWipe(of: existing, .accountSwitch, .engine)
      } else {
        requestEnrollment(of: number, .accountSwitch)
      }
    }
  }
}
