import EventSourcing

extension Deliberation {
  mutating func deregisterAndUnenroll(
    _ reference: AccountReference?, wipe: Bool
  ) throws(AppProtectionRejection) {
    try requireApp()
    let account = try find(reference)
    let number = account.account
    try require(
      account.enrollment.status.isRegistered, or: .notRegistered(number), "\(number) is registered",
      reads: { state in [state.statusRead(number)] })
    try requireStaying(number)
    // T27: an account that had no policy since its last wipe was unmanaged, and its data is the user's own. Its current
    // policy does not matter: the data outlives a policy that no longer targets the account, or a lost record.
    let wipes = wipe && account.mayHaveOrganizationData
    // A registration that the service once confirmed was enrolled, even if its record is now gone.
    let wasEnrolled = account.enrollment.status != .registered || account.enrollment.lastCompletedCheckIn != nil
    if !ask(
      "T29", "the service may count \(number) as enrolled, or its data is to be wiped", wasEnrolled || wipes,
      reads: { state in
        [
          state.statusRead(number),
          .init(
            "/accounts/\(number)/enrollment/lastCompletedCheckIn",
            account.enrollment.lastCompletedCheckIn.map { .time($0) } ?? .unset),
          .init("/accounts/\(number)/mayHaveOrganizationData", .bool(account.mayHaveOrganizationData)),
        ]
      })
    {
      endRemediation(of: number)
      refuseWaitingIdentities(of: number)
      makeRoom(of: number) { $0.emit(.accountDeregistered(AccountDeregistered(account: number))) }
      return
    }
    unenroll(number, wipe: wipes)
  }

  /// Requests an unenrollment and removes at once what does not depend on the service (T26, T27; S001, Deregister user
  /// accounts): the account's data, if it is to be wiped, and then its policy, which protects the data until it is
  /// gone. A repetition finds nothing left to remove, except in journals before revision 4, where the service was
  /// notified first.
  mutating func unenroll(_ account: AccountNumber, wipe: Bool) {
    emit(.unenrollmentRequested(UnenrollmentRequested(account: account, wipe: wipe)))
    endRemediation(of: account)
    refuseWaitingIdentities(of: account)
    if wipe {
      orderWipe(of: account, .appRequest, .app, precedesUnenrollment: true)
    } else if state.isManaged(account) {
      makeRoom(of: account) { deliberation in
        deliberation.emit(.policyWithdrawn(PolicyWithdrawn(account: account, reason: .unenrolled)))
      }
    }
  }

  mutating func answerUnenrollment(
    _ reference: AccountReference, failure: ServiceFailure?, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    let enrollment = account.enrollment
    try require(
      enrollment.status == .unenrolling && enrollment.unenrollmentRequest != 0,
      or: .nothingAsked(.unenrollment, number), "the service was notified that \(number) leaves",
      reads: { state in
        [
          state.statusRead(number),
          .init("/accounts/\(number)/enrollment/unenrollmentRequest", .pending(enrollment.unenrollmentRequest)),
        ]
      })
    try requireCurrent(intent, asked: enrollment.unenrollmentRequest, .unenrollment, of: number)
    guard let failure, !failure.code.meansNotEnrolled else {
      leave(account, lingers: false)
      return
    }
    let (due, step) = repetition(of: number, after: failure.code)
    let lingers = givesUp(after: failure.code)
    emit(
      .unenrollmentFailed(
        UnenrollmentFailed(
          account: number, code: failure.code, error: failure.error, nextRetry: due, backoffStep: step,
          lingersAtService: lingers)))
    if lingers { leave(account, lingers: true) }
  }

  /// Whether an account leaves even though the service could not be notified (T28).
  private mutating func givesUp(after code: EnrollmentStatusCode) -> Bool {
    switch code.repetition(by: state.settings.app.assumptions.unknownCodeRule) {
    case .never: return true
    case .afterSignIn:
      let choice = state.settings.app.assumptions.unreachableUnenrollment
      return ask(
        "T28", "an account without tokens leaves although the service cannot be notified", choice == .removeLocally,
        reads: { _ in [.init("/settings/assumptions/unreachableUnenrollment", .name(choice.name))] })
    case .scheduled, .backoff: return false
    }
  }

  /// Removes an account. In journals before revision 4 the wipe or the policy's removal waited for the service's answer
  /// and happens now.
  private mutating func leave(_ account: Account, lingers: Bool) {
    if state.wipes[account.account]?.phase == .unenrolling {
      completeWipe(of: account.account)
      return
    }
    if account.enrollment.unenrollmentWipes {
      orderWipe(of: account.account, .appRequest, .app)
      return
    }
    if state.isManaged(account.account) {
      emit(.policyWithdrawn(PolicyWithdrawn(account: account.account, reason: .unenrolled)))
    }
    makeRoom(of: account.account) { deliberation in
      if lingers {
        deliberation.emit(.accountDeregistered(AccountDeregistered(account: account.account, lingersAtService: true)))
      } else {
        deliberation.emit(.unenrollmentSucceeded(UnenrollmentSucceeded(account: account.account)))
      }
    }
  }
}

extension EnrollmentStatusCode {
  /// Whether the failure means that the service has no enrollment to end, so the unenrollment has reached its goal.
  var meansNotEnrolled: Bool {
    switch self {
    case .appNotEnrolled, .policyRecordGone: true
    default: false
    }
  }
}
