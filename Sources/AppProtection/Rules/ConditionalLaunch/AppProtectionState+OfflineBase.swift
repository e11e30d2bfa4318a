import EventSourcing

extension AppProtectionState {
  /// The time by ``LaunchClock`` from which offline access counts: the last completed check-in. `nil` if no check-in
  /// has completed.
  ///
  /// SDKs before 16.1.1 count from another moment (I#284). Which one is not published; it is assumed to be the
  /// service's last answer, even one that completes no check-in (`oldSDKCountsAnyAnswer`). The interval before an
  /// offline wipe has not changed.
  func offlineAccessBase(of account: AccountNumber, explanation: inout Explanation) -> Int64? {
    guard let completed = launch.accounts.read(account, { $0.checkedInAt }) ?? nil else { return nil }
    guard countsAnyAnswer, let enrollment = accounts[account]?.enrollment,
      enrollment.checkInRequest == 0 && enrollment.enrollmentRequest == 0, let code = enrollment.lastCode,
      let attempted = enrollment.lastAttemptedCheckIn, let wall = launch.clock.wall
    else { return completed }
    // The state records the attempt by the wall clock, whose high-water mark counts as elapsed time.
    let ago = max(wall.distanceClamping(from: attempted), 0)
    let base = max(completed, launch.clock.elapsed.distanceClamping(from: ago))
    let counts = explanation.evaluate(
      Self.offlineBaseRule.name, Self.offlineBaseRule.statement,
      Self.answersOfService.contains(code) && base > completed,
      reads: sdkRead()
        + assumptionRead("oldSDKCountsAnyAnswer", settings.app.assumptions.oldSDKCountsAnyAnswer) + [
          .init("/accounts/\(account)/enrollment/lastAttemptedCheckIn", .time(attempted)),
          .init("/accounts/\(account)/enrollment/lastCode", .integer(Int64(code.rawValue))),
        ])
    return counts ? base : completed
  }

  /// The name of that assumption's rule, and what it states.
  static let offlineBaseRule = (
    name: "offline.base", statement: "an SDK before 16.1.1 counts from the service's last answer, whatever it said"
  )

  /// Whether offline access counts from any answer of the service: for SDKs before 16.1.1, where that is assumed.
  var countsAnyAnswer: Bool {
    process.isSDK(before: SDKVersion(16, 1, 1)) && settings.app.assumptions.oldSDKCountsAnyAnswer
  }

  /// The codes of check-ins that failed although the service was reached: its answer was the failure.
  private static let answersOfService: [EnrollmentStatusCode] = [
    .accountNotLicensed, .parsingFailure, .notEnrolledAccount, .tenantMigration, .licensedNotTargeted,
    .deviceBlockedEnrollment,
  ]
}
