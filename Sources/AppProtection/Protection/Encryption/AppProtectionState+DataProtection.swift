import EventSourcing

extension AppProtectionState {
  /// What becomes of data that is protected for an account (`protect:identity:`).
  ///
  /// - Parameters:
  ///   - data: the data; data that was protected before counts as any other.
  ///   - account: the account that owns it; `nil` for none.
  ///   - cipherFails: whether encrypting fails on the device.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func protect(
    _ data: DataForm, for account: AccountNumber?, cipherFails: Bool = false
  ) -> Decision<DataProtectionOutcome> {
    var explanation = Explanation()
    return protect(data, for: account, cipherFails: cipherFails, explanation: &explanation)
  }

  /// What becomes of data that is protected, with every rule that was evaluated and every field it read.
  public func protect(
    _ data: DataForm, for account: AccountNumber?, cipherFails: Bool = false, explanation: inout Explanation
  ) -> Decision<DataProtectionOutcome> {
    if let rule = Self.unusable(data, .protectMissing, .protectEmpty) {
      return rule.settles("there is data", false, in: &explanation)
    }
    let policy = effectivePolicy(for: account, explanation: &explanation)
    let isEncrypted = policy.isManaged && !cipherFails
    guard !policy.isManaged else {
      return (isEncrypted ? DataProtectionRule.protectManaged : .protectFailed).settles(
        "the data of \(Self.shown(account)) is encrypted", isEncrypted, in: &explanation)
    }
    let needsManaged = settings.app.assumptions.protectionNeedsManagedApp
    if needsManaged && !policies.records.contains(where: \.isEnforced) {
      return DataProtectionRule.protectUnmanagedApp.settles(
        "an account of the app is managed", false, reads: assumptionRead("protectionNeedsManagedApp", true),
        in: &explanation)
    }
    return DataProtectionRule.protectUnmanaged.settles("\(Self.shown(account)) is unmanaged", true, in: &explanation)
  }

  /// What becomes of data whose protection is taken away (`unprotect:`).
  ///
  /// - Parameters:
  ///   - data: the form in which the data is.
  ///   - cipherFails: whether decrypting fails on the device.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func unprotect(_ data: DataForm, cipherFails: Bool = false) -> Decision<DataProtectionOutcome> {
    var explanation = Explanation()
    return unprotect(data, cipherFails: cipherFails, explanation: &explanation)
  }

  /// What becomes of data whose protection is taken away, with every rule that was evaluated and every field it read.
  public func unprotect(
    _ data: DataForm, cipherFails: Bool = false, explanation: inout Explanation
  ) -> Decision<DataProtectionOutcome> {
    if let rule = Self.unusable(data, .unprotectMissing, .unprotectEmpty) {
      return rule.settles("there is data", false, in: &explanation)
    }
    switch data {
    case .encrypted(let owner):
      let policy = effectivePolicy(for: owner.number, explanation: &explanation)
      let isReadable = policy.isManaged && !cipherFails
      return (isReadable ? DataProtectionRule.unprotectEncrypted : .unprotectFailed).settles(
        "the data of \(Self.shown(owner.number)) can be decrypted", isReadable, in: &explanation)
    case .marked: return DataProtectionRule.unprotectMarked.settles("the data is encrypted", false, in: &explanation)
    default: return DataProtectionRule.unprotectPlain.settles("the data is protected", false, in: &explanation)
    }
  }

  /// Whether data says whose it is (`protectionInfo:`). Allocates nothing.
  public func protectionInfo(of data: DataForm) -> Decision<DataProtectionOutcome> {
    if let rule = Self.unusable(data, .infoMissing, .infoEmpty) { return rule.decision }
    return (data == .plain ? DataProtectionRule.infoPlain : .info).decision
  }

  private static func unusable(
    _ data: DataForm, _ missing: DataProtectionRule, _ empty: DataProtectionRule
  ) -> DataProtectionRule? {
    switch data {
    case .missing: missing
    case .empty: empty
    default: nil
    }
  }
}
