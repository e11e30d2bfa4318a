import EventSourcing

extension AppProtectionState {
  /// Whether a share sheet lists another app.
  ///
  /// - Parameters:
  ///   - app: the other app.
  ///   - takesEncrypted: whether its extension accepts encrypted data, which needs SDK 8.1.1 there.
  ///   - owner: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func shareSheet(
    lists app: DataParty, takesEncrypted: Bool, owner: AccountNumber?
  ) -> Decision<Permission> {
    var explanation = Explanation()
    return shareSheet(lists: app, takesEncrypted: takesEncrypted, owner: owner, explanation: &explanation)
  }

  package func shareSheet(
    lists app: DataParty, takesEncrypted: Bool, owner: AccountNumber?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: owner, explanation: &explanation)
    guard policy.isManaged else { return decide(ShareSheetRule.unmanaged, of: owner, in: &explanation) }
    guard policy.switches.contains(.openInFiltered) else {
      return decide(ShareSheetRule.notFiltered, of: owner, in: &explanation)
    }
    guard filtersShareSheet(policy) else { return decide(ShareSheetRule.tooOld, in: &explanation) }
    let isListed = takesEncrypted && app.actsFor(owner)
    return decide(isListed ? ShareSheetRule.managed : .hidden, of: owner, .named(app.shown), in: &explanation)
  }

  func filtersShareSheet(_ policy: EffectivePolicy) -> Bool {
    policy.switches.contains(.openInFiltered) && !process.isSDK(before: SDKVersion(8, 1, 1))
  }
}
