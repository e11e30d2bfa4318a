import EventSourcing

/// What the offline intervals of an account's policy demand.
public enum OfflineOutcome: Equatable, Sendable, CaseIterable {
  /// Nothing: the account checked in recently enough.
  case open
  /// Access is blocked until a check-in completes.
  case blocked
  /// A check-in must complete now; when it is refused or fails, the account is wiped with reason 608.
  case wipeDue

  /// The name in lower camel case.
  public var name: String {
    switch self {
    case .open: "open"
    case .blocked: "blocked"
    case .wipeDue: "wipeDue"
    }
  }
}

extension AppProtectionState {
  /// Whether an account has been offline for too long.
  ///
  /// Both intervals run from the last *completed* check-in, whatever was attempted since (SDK 16.1.1 and later), and
  /// end where they are reached. An interval that the policy does not set, or sets to zero, has no effect.
  /// ``LaunchClock`` measures both, so setting the device's clock back does not lengthen them.
  public func offlineDecision(
    for account: AccountNumber, at moment: Moment, explanation: inout Explanation
  ) -> Decision<OfflineOutcome> {
    guard let policy = enforcedPolicy(for: .account(account)),
      let last = launch.accounts[account]?.checkedInAt
    else {
      explanation.evaluate(
        OfflineRule.unmanaged.rawValue, "account \(account) has a policy that is enforced", false,
        reads: [.init("/policies/\(account)/enforced", policies[account].map { .bool($0.isEnforced) } ?? .unset)],
        decides: true)
      return OfflineRule.unmanaged.decision
    }
    let conditions = policy.conditionalLaunch
    if isOver(
      conditions.periodOfflineBeforeWipeIsEnforced, "periodOfflineBeforeWipeIsEnforced", since: last, account, moment,
      &explanation)
    {
      return OfflineRule.wipe.decision
    }
    let base = offlineAccessBase(of: account, explanation: &explanation) ?? last
    if isOver(
      conditions.periodOfflineBeforeAccessCheck, "periodOfflineBeforeAccessCheck", since: base, account, moment,
      &explanation)
    {
      return OfflineRule.access.decision
    }
    return OfflineRule.recent.decision
  }

  /// Whether an account has been offline for too long, without an explanation.
  public func offlineDecision(for account: AccountNumber, at moment: Moment) -> Decision<OfflineOutcome> {
    var explanation = Explanation()
    return offlineDecision(for: account, at: moment, explanation: &explanation)
  }

  private func isOver(
    _ interval: PolicyDuration?, _ setting: String, since last: Int64, _ account: AccountNumber, _ moment: Moment,
    _ explanation: inout Explanation
  ) -> Bool {
    let length = interval?.nanoseconds ?? 0
    let isOver = length > 0 && launch.clock.elapsed(at: moment).distanceClamping(from: last) >= length
    return explanation.evaluate(
      (setting == "periodOfflineBeforeAccessCheck" ? OfflineRule.access : .wipe).rawValue,
      "the account was out of touch for \(setting)", isOver,
      reads: [
        .init("/policies/\(account)/\(setting)", interval.map { .duration($0.nanoseconds) } ?? .unset),
        .init(
          "/accounts/\(account)/enrollment/lastCompletedCheckIn",
          accounts[account]?.enrollment.lastCompletedCheckIn.map { .time($0) } ?? .unset),
        .init(
          "/launch/accounts/\(account)/checkedInAt",
          launch.accounts[account]?.checkedInAt.map { .duration($0) } ?? .unset),
      ], decides: isOver)
  }
}
