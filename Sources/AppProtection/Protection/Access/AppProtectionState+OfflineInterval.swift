import EventSourcing

/// What the offline intervals of an account's policy require.
public enum OfflineOutcome: DecisionOutcome, CaseIterable {
  /// Nothing: the account checked in recently enough.
  case open
  /// Access is blocked until a check-in completes.
  case blocked
  /// A check-in must complete now; if it is refused or fails, the account is wiped with reason 608.
  case wipeDue

  /// The name of the case.
  public var name: String { "\(self)" }
}

extension AppProtectionState {
  /// Whether an account has been offline for too long.
  ///
  /// Both intervals run from the last *completed* check-in, regardless of later attempts (SDK 16.1.1 and later), and
  /// end as soon as they are reached. An interval that the policy does not set, or sets to zero, has no effect.
  /// ``LaunchClock`` measures both, so setting the device's clock back does not lengthen them.
  public func offlineDecision(for account: AccountNumber, at moment: Moment) -> Decision<OfflineOutcome> {
    var explanation = Explanation()
    return offlineDecision(for: account, at: moment, explanation: &explanation)
  }

  package func offlineDecision(
    for account: AccountNumber, at moment: Moment, explanation: inout Explanation
  ) -> Decision<OfflineOutcome> {
    guard let policy = enforcedPolicy(for: .account(account)),
      let last = launch.accounts[account]?.checkedInAt
    else {
      return decide(OfflineRule.unmanaged, of: account, in: &explanation)
    }
    let conditions = policy.conditionalLaunch
    if let wipe = decide(
      OfflineRule.wipe, if: isOver(conditions.periodOfflineBeforeWipeIsEnforced, since: last, at: moment), of: account,
      in: &explanation)
    {
      return wipe
    }
    let base = offlineAccessBase(of: account, explanation: &explanation) ?? last
    if let blocked = decide(
      OfflineRule.access, if: isOver(conditions.periodOfflineBeforeAccessCheck, since: base, at: moment), of: account,
      in: &explanation)
    {
      return blocked
    }
    return decide(OfflineRule.recent, in: &explanation)
  }

  private func isOver(_ interval: PolicyDuration?, since last: Int64, at moment: Moment) -> Bool {
    let length = interval?.nanoseconds ?? 0
    return length > 0 && launch.clock.elapsed(at: moment).distanceClamping(from: last) >= length
  }
}
