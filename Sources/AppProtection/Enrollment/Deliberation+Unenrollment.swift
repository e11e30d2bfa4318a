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
    // T27: an account that had no policy since its last wipe was unmanaged, and its data is the user's own. Whether it has
    // one at this moment does not matter: its data outlives a policy that no longer targets it, or a lost record.
    let wipes = wipe && account.mayHaveOrganizationData
    // A registration that the service once confirmed was enrolled, even where its record is gone since.
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
      makeRoom(of: number) { $0.emit(.accountDeregistered(AccountDeregistered(account: number))) }
      return
    }
    emit(.unenrollmentRequested(UnenrollmentRequested(account: number, wipe: wipes)))
    endRemediation(of: number)
  }

  mutating func answerUnenrollment(
    _ reference: AccountReference, failure: ServiceFailure?, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    try require(
      account.enrollment.unenrollmentRequest != 0, or: .nothingAsked(.unenrollment, number),
      "the service was told that \(number) leaves",
      reads: { _ in
        [
          .init("/accounts/\(number)/enrollment/unenrollmentRequest", .pending(account.enrollment.unenrollmentRequest))
        ]
      })
    try requireCurrent(intent, asked: account.enrollment.unenrollmentRequest, .unenrollment, of: number)
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

  /// Whether an account leaves although the service could not be told (T28).
  private mutating func givesUp(after code: EnrollmentStatusCode) -> Bool {
    switch code.repetition(by: state.settings.app.assumptions.unknownCodeRule) {
    case .never: return true
    case .afterSignIn:
      let choice = state.settings.app.assumptions.unreachableUnenrollment
      return ask(
        "T28", "an account without tokens leaves although the service cannot be told", choice == .removeLocally,
        reads: { _ in [.init("/settings/assumptions/unreachableUnenrollment", .name(choice.name))] })
    case .scheduled, .backoff: return false
    }
  }

  /// Takes an account out, with a wipe first where that was asked for (T26, T27).
  private mutating func leave(_ account: Account, lingers: Bool) {
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
  /// Whether an unenrollment that fails so has reached what it wanted: the service has no enrollment to end.
  var meansNotEnrolled: Bool {
    switch self {
    case .appNotEnrolled, .policyRecordGone: true
    default: false
    }
  }
}
