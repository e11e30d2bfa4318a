import EventSourcing

extension AppProtectionState {
  /// Whether a share sheet lists another app.
  ///
  /// - Parameters:
  ///   - app: the other app.
  ///   - takesEncrypted: whether what it offers can take encrypted data, which needs SDK 8.1.1 there.
  ///   - owner: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func shareSheet(
    lists app: DataParty, takesEncrypted: Bool, owner: AccountNumber?
  ) -> Decision<Permission> {
    var explanation = Explanation()
    return shareSheet(lists: app, takesEncrypted: takesEncrypted, owner: owner, explanation: &explanation)
  }

  /// Whether a share sheet lists another app, with every rule that was evaluated and every field it read.
  public func shareSheet(
    lists app: DataParty, takesEncrypted: Bool, owner: AccountNumber?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: owner, explanation: &explanation)
    guard policy.isManaged else {
      return ShareSheetRule.unmanaged.settles("\(Self.shown(owner)) is unmanaged", true, in: &explanation)
    }
    let reads = settingRead("filterOpenInToOnlyManagedApps", of: owner, in: explanation)
    guard policy.switches.contains(.openInFiltered) else {
      return ShareSheetRule.notFiltered.settles(
        "\(Self.shown(owner))'s policy filters the share sheet", false, reads: reads, in: &explanation)
    }
    guard filtersShareSheet(policy) else {
      return ShareSheetRule.tooOld.settles("the SDK knows the filter", false, reads: sdkRead(), in: &explanation)
    }
    let isListed = takesEncrypted && app.actsFor(owner)
    return (isListed ? ShareSheetRule.managed : .hidden).settles(
      "\(app.shown) acts for \(Self.shown(owner)) and takes what is encrypted", isListed, reads: reads,
      in: &explanation)
  }

  func filtersShareSheet(_ policy: EffectivePolicy) -> Bool {
    policy.switches.contains(.openInFiltered) && !process.isSDK(before: SDKVersion(8, 1, 1))
  }
}
