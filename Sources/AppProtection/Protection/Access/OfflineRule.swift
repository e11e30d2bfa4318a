/// The rules of the offline intervals.
package enum OfflineRule: UInt8, DecisionRule {
  case unmanaged
  case wipe
  case access
  case recent

  @inline(__always)
  package var row: RuleRow<OfflineOutcome> {
    switch self {
    case .unmanaged:
      RuleRow(
        "offline.managed", .open, "no policy is enforced for the account",
        unless: "account {account} has a policy that is enforced", reads: .path("/policies/{account}/enforced"))
    case .wipe:
      RuleRow(
        "offline.wipe", .wipeDue, "the interval before an offline wipe is over",
        when: "the account was out of touch for periodOfflineBeforeWipeIsEnforced",
        reads: .setting { .periodOfflineBeforeWipeIsEnforced },
        .path("/accounts/{account}/enrollment/lastCompletedCheckIn"), .path("/launch/accounts/{account}/checkedInAt"))
    case .access:
      RuleRow(
        "offline.access", .blocked, "the interval of offline access is over",
        when: "the account was out of touch for periodOfflineBeforeAccessCheck",
        reads: .setting { .periodOfflineBeforeAccessCheck },
        .path("/accounts/{account}/enrollment/lastCompletedCheckIn"),
        .path("/launch/accounts/{account}/checkedInAt"))
    case .recent:
      RuleRow(
        "offline.recent", .open, "the account checked in recently enough",
        when: "the account checked in recently enough")
    }
  }
}
