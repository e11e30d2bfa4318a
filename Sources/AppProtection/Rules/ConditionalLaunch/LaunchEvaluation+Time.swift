import EventSourcing

/// A launch condition that depends on time: what is checked, and what is announced before it comes, are this one value.
struct TimedCondition {
  /// When a condition is not met.
  enum Due {
    /// Time does not change that it is met.
    case never
    /// As soon as an interval is over that began at a time by ``LaunchClock``, in nanoseconds.
    case after(Int64, since: Int64)
    /// Now, whatever the time is: what the interval would count from has not happened.
    case unmet
  }

  let rule: LaunchRule
  let outcome: LaunchOutcome
  /// The setting that says after how long.
  let setting: PolicyProperty
  let due: Due

  init(_ rule: LaunchRule, _ outcome: LaunchOutcome, _ setting: PolicyProperty, _ due: Due) {
    (self.rule, self.outcome, self.setting, self.due) = (rule, outcome, setting, due)
  }
}

extension TimedCondition.Due {
  /// An interval that begins at a time. One that is not set, or zero, is never over, nor one that has not begun.
  fileprivate init(_ interval: PolicyDuration?, since base: Int64?) {
    guard let base, let length = interval?.nanoseconds, length > 0 else {
      self = .never
      return
    }
    self = .after(length, since: base)
  }
}

extension LaunchEvaluation {
  /// The period after which access requirements are checked again if the policy sets none.
  private static let defaultRecheck = 30 * RetrySchedule.minute

  /// The conditions that depend on time, of those that the policy asks for.
  ///
  /// - Parameter base: The time from which offline access counts.
  func timedConditions(offlineSince base: Int64?) -> [TimedCondition] {
    [offlineWipe, offlineAccess(since: base)]
      + [clockOut, pinMissing, pinExpired, pinQuality, pinRecheck, signIn].compactMap(\.self)
  }

  var offlineWipe: TimedCondition {
    let interval = policy.conditionalLaunch.periodOfflineBeforeWipeIsEnforced
    return TimedCondition(
      .offlineWipe, .signInOrWipe, .periodOfflineBeforeWipeIsEnforced, .init(interval, since: record.checkedInAt))
  }

  func offlineAccess(since base: Int64?) -> TimedCondition {
    let interval = policy.conditionalLaunch.periodOfflineBeforeAccessCheck
    return TimedCondition(.offlineAccess, .block, .periodOfflineBeforeAccessCheck, .init(interval, since: base))
  }

  /// Without a grace period the feature is off; a period of zero is over at once.
  var clockOut: TimedCondition? {
    let conditions = policy.conditionalLaunch
    guard let grace = conditions.gracePeriodToBlockAppsDuringOffClockHours else { return nil }
    let due = record.offWorkSince.map { TimedCondition.Due.after(grace.nanoseconds, since: $0) }
    return TimedCondition(
      .clockOut, Self.outcome(conditions.appActionIfAccountIsClockedOut), .gracePeriodToBlockAppsDuringOffClockHours,
      isClockedOut ? due ?? .never : .never)
  }

  var pinMissing: TimedCondition? {
    demandsPIN ? TimedCondition(.pinMissing, .promptNewPIN, .pinRequired, isPINSet ? .never : .unmet) : nil
  }

  var pinExpired: TimedCondition? {
    guard demandsPIN, isPINSet else { return nil }
    let due = TimedCondition.Due(policy.access.periodBeforePinReset, since: pin.setAt)
    return TimedCondition(.pinExpired, .promptNewPIN, .periodBeforePinReset, due)
  }

  var pinQuality: TimedCondition? {
    guard demandsPIN, isPINSet, assumptions.policyChangeNeedsNewPIN else { return nil }
    let refusal = policy.access.refusals(of: pin.facts).first
    return TimedCondition(
      .pinQuality, .promptNewPIN, refusal?.property ?? .minimumPinLength, refusal == nil ? .never : .unmet)
  }

  var pinRecheck: TimedCondition? {
    guard demandsPIN, isPINSet else { return nil }
    return TimedCondition(
      .pin, areBiometricsEnough ? .promptBiometrics : .promptPIN, .periodOnlineBeforeAccessCheck,
      recheck(since: provedAt))
  }

  var signIn: TimedCondition? {
    guard policy.access.organizationalCredentialsRequired == true else { return nil }
    return TimedCondition(
      .signIn, .promptSignIn, .periodOnlineBeforeAccessCheck, recheck(since: record.signedInAt))
  }

  /// Whether a proof given at a time must be repeated.
  func isRecheckDue(_ last: Int64?) -> Bool {
    guard case .after(let period, let start) = recheck(since: last) else { return true }
    return elapsed(since: start) >= period
  }

  /// When a proof given at a time must be repeated. A period of less than a minute counts as a minute, so that an answer has some
  /// effect.
  private func recheck(since last: Int64?) -> TimedCondition.Due {
    guard let last else { return .unmet }
    let start = assumptions.recheckRunsFromLastOpening ? max(last, record.passedAt ?? last) : last
    let period = policy.access.periodOnlineBeforeAccessCheck?.nanoseconds ?? Self.defaultRecheck
    return .after(max(period, RetrySchedule.minute), since: start)
  }

  /// Whether the account's user counts as not at work.
  private var isClockedOut: Bool {
    switch record.clockStatus {
    case .notConfigured, .clockedIn: false
    case .clockedOut: true
    case .unknown, .clockedInStale, .clockedOutStale: assumptions.uncertainClockStatusCountsAsOut
    }
  }
}
