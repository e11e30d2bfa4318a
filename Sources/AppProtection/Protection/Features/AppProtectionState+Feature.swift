import EventSourcing

extension AppProtectionState {
  /// Whether a feature may be used with an account's data.
  ///
  /// - Parameters:
  ///   - feature: the feature that the app asks about.
  ///   - account: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func use(_ feature: ProtectedFeature, for account: AccountNumber?) -> Decision<Permission> {
    var explanation = Explanation()
    return use(feature, for: account, explanation: &explanation)
  }

  /// Whether a feature may be used, with every rule that was evaluated and every field it read.
  public func use(
    _ feature: ProtectedFeature, for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return FeatureRule(feature: feature, row: .unmanaged).settles(
        "\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    let isBlocked = feature.isBlocked(by: policy)
    let row: FeatureRule.Row =
      if !isBlocked {
        .allowed
      } else if feature == .contactSync && settings.app.multiIdentity {
        .blockedByApp
      } else {
        .blocked
      }
    return FeatureRule(feature: feature, row: row).settles(
      "\(Self.shown(account))'s policy blocks \(feature.phrase)", isBlocked,
      reads: (row == .blockedByApp ? [.init("/settings/multiIdentity", .bool(true))] : [])
        + settingRead(feature.setting, of: account), in: &explanation)
  }
}
