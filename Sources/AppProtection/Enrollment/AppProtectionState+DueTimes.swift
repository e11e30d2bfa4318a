import EventSourcing

extension AppProtectionState {
  /// When a check-in or a repetition for the account is due; `nil` when none is scheduled, when one is under way, or
  /// when another account's enrollment suspends it.
  func dueTime(of account: Account) -> Int64? {
    let enrollment = account.enrollment
    guard enrollment.enrollmentRequest == 0 && enrollment.checkInRequest == 0 && !enrollment.awaitsSignIn else {
      return nil
    }
    switch enrollment.status {
    case .registered:
      // One success stops the repetitions of all other accounts; they resume after the unenrollment (guide, FAQ).
      return hasRoom(for: account.account) ? enrollment.nextRetry : nil
    case .enrolledWithPolicy, .enrolledWithoutPolicy:
      return enrollment.nextRetry ?? enrollment.nextCheckIn
    case .unenrolling:
      return enrollment.nextRetry
    case .unknown, .enrolling, .wiping, .removed:
      return nil
    }
  }

  /// Whether something for the account is due.
  func isDue(_ account: Account, at moment: Moment) -> Bool {
    dueTime(of: account).map(moment.hasReached) ?? false
  }

  /// Whether an account without a policy may become managed: there are fewer than the most that may be, and neither it
  /// nor a managed one must be the only one.
  func hasRoom(for account: AccountNumber) -> Bool {
    guard !policies.isEmpty else { return true }
    return policies.count < Int(clamping: settings.app.maximumManagedAccounts) && rival(of: account) == nil
  }

  /// The managed account that must leave before this one can be managed, where one of the two must be the only one.
  func rival(of account: AccountNumber) -> AccountNumber? {
    let isExclusive = accounts.index(of: account).map { accounts.records[$0].isExclusive } ?? false
    return policies.records.lazy.map(\.account).first { other in
      other != account
        && (isExclusive || accounts.index(of: other).map { self.accounts.records[$0].isExclusive } ?? false)
    }
  }
}

extension Moment {
  /// Whether a due time has come: it is past, or so far ahead that it was written while the clock stood wrong. No pause
  /// reaches beyond ``RetrySchedule/horizon``, so such a clock can delay nothing by more than that.
  func hasReached(_ due: Int64) -> Bool {
    due <= wallNanoseconds || due > wallNanoseconds.advancedClamping(by: RetrySchedule.horizon)
  }
}
