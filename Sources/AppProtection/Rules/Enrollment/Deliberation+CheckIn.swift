import EventSourcing

extension Deliberation {
  mutating func requestCheckIn(
    _ reference: AccountReference, _ trigger: CheckInTrigger
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    try require(
      account.enrollment.status.isEnrolled, or: .notEnrolled(account.account), "\(account.account) is enrolled",
      reads: { state in [state.statusRead(account.account)] })
    // One check-in at a time: a second request shares the answer to the one under way.
    guard account.enrollment.checkInRequest == 0 && account.enrollment.enrollmentRequest == 0 else { return }
    emit(.checkInRequested(CheckInRequested(account: account.account, trigger: trigger)))
  }

  mutating func answerCheckIn(
    _ reference: AccountReference, _ answer: ServiceAnswer, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    try require(
      account.enrollment.checkInRequest != 0, or: .nothingAsked(.checkIn, number),
      "the service was asked for \(number)'s policy",
      reads: { _ in
        [.init("/accounts/\(number)/enrollment/checkInRequest", .pending(account.enrollment.checkInRequest))]
      })
    try requireCurrent(intent, asked: account.enrollment.checkInRequest, .checkIn, of: number)
    let launch = state.launch.accounts[number]
    apply(answer, of: number)
    reevaluateLaunch(of: number, after: launch)
  }

  private mutating func apply(_ answer: ServiceAnswer, of number: AccountNumber) {
    switch answer {
    case .policy(let document, let interval):
      let due = later(schedule.checkIn(named: interval))
      if ask(
        "T20", "the policy differs from the one that \(number) has", state.policies[number]?.document != document,
        reads: { state in [state.policyRead(number)] })
      {
        acceptPolicy(document, for: number, nextCheckIn: due, isEnrollment: false)
      } else {
        confirm(number, .policiesHaveNotChanged, nextCheckIn: due)
      }
    case .unchanged: confirm(number, .policiesHaveNotChanged, nextCheckIn: later(schedule.checkIn))
    case .noPolicy:
      // T25: no policy targets the account any longer; its data stays.
      let due = later(intervalWithoutPolicy(of: number))
      if state.isManaged(number) {
        withdrawUntargeted(number, nextCheckIn: due)
      } else {
        confirm(number, .noPolicyReceived, nextCheckIn: due)
      }
    case .wipe(let reason): orderWipe(of: number, reason, .service)
    case .gone: reenroll(number)
    case .failure(let failure):
      if endsEnrollment(of: number, failure.code) { return }
      // T22: offline intervals still run from the last completed check-in.
      let (due, step) = repetition(of: number, after: failure.code)
      let isAwaited = state.launch.accounts[number]?.awaitsConfirmation ?? false
      emit(
        .checkInFailed(
          CheckInFailed(
            account: number, code: failure.code, error: failure.error, nextRetry: due, backoffStep: step)))
      requireRemoval(of: number, after: failure.code)
      wipeUnconfirmed(number, wasAwaited: isAwaited)
    }
  }

  /// The time until the next check-in of an account that no policy targets.
  func intervalWithoutPolicy(of account: AccountNumber) -> Int64 {
    state.configuration.accounts[account] == nil ? schedule.checkInWithoutPolicy : schedule.checkInWithConfiguration
  }

  private mutating func confirm(_ account: AccountNumber, _ code: EnrollmentStatusCode, nextCheckIn due: Int64) {
    emit(.checkInUnchanged(CheckInUnchanged(account: account, code: code, nextCheckIn: due)))
  }

  /// T23: the service lost its record, so the account is unenrolled and enrolled again.
  mutating func reenroll(_ account: AccountNumber) {
    loseRecord(of: account, .policyRecordGone)
    requestEnrollment(of: account, .recordGone)
  }

  /// T23: handles a code that ends an account's enrollment, in the answer to any request. After 220 the account is
  /// enrolled again; 221 says that the service would refuse this, so nothing follows until the app or the user asks.
  ///
  /// - Returns: Whether the code ends the enrollment.
  mutating func endsEnrollment(of account: AccountNumber, _ code: EnrollmentStatusCode) -> Bool {
    guard state.accounts[account]?.enrollment.status.isEnrolled == true else { return false }
    switch code {
    case .policyRecordGone: reenroll(account)
    case .reEnrollForUnenrolledUser: makeRoom(of: account) { $0.loseRecord(of: account, code) }
    default: return false
    }
    return true
  }

  private mutating func loseRecord(of account: AccountNumber, _ code: EnrollmentStatusCode) {
    emit(.enrollmentRecordGone(EnrollmentRecordGone(account: account, code: code)))
    if state.isManaged(account) {
      emit(.policyWithdrawn(PolicyWithdrawn(account: account, reason: .recordGone)))
    }
  }

  mutating func startDueWork() {
    let accounts = state.accounts
    var last: AccountNumber?
    while let account = state.firstDue(after: last, in: accounts, at: moment) {
      last = account.account
      let enrollment = account.enrollment
      switch enrollment.status {
      case .registered: requestEnrollment(of: account.account, .retry)
      case .enrolledWithPolicy, .enrolledWithoutPolicy:
        let trigger: CheckInTrigger = enrollment.nextRetry == nil ? .schedule : .retry
        emit(.checkInRequested(CheckInRequested(account: account.account, trigger: trigger)))
      case .unenrolling: unenroll(account.account, wipe: enrollment.unenrollmentWipes)
      case .unknown, .enrolling, .wiping, .removed: break
      }
    }
  }
}
