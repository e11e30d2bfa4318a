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

  package func use(
    _ feature: ProtectedFeature, for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    let kind: FeatureRule.Kind =
      if !policy.isManaged {
        .unmanaged
      } else if !feature.isBlocked(by: policy) {
        .allowed
      } else if feature == .contactSync && settings.app.multiIdentity {
        .blockedByApp
      } else {
        .blocked
      }
    return decide(FeatureRule(feature: feature, kind: kind), of: account, in: &explanation)
  }
}
