import EventSourcing

extension AppProtectionState {
  /// The result of protecting data for an account (`protect:identity:`).
  ///
  /// - Parameters:
  ///   - data: the data; data that was protected before is treated like any other.
  ///   - account: the account that owns it; `nil` for none.
  ///   - cipherFails: whether encrypting fails on the device.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func protect(
    _ data: DataForm, for account: AccountNumber?, cipherFails: Bool = false
  ) -> Decision<DataProtectionOutcome> {
    var explanation = Explanation()
    return protect(data, for: account, cipherFails: cipherFails, explanation: &explanation)
  }

  package func protect(
    _ data: DataForm, for account: AccountNumber?, cipherFails: Bool = false, explanation: inout Explanation
  ) -> Decision<DataProtectionOutcome> {
    switch data {
    case .missing: return decide(DataProtectionRule.protectMissing, in: &explanation)
    case .empty: return decide(DataProtectionRule.protectEmpty, in: &explanation)
    case .plain, .marked, .encrypted: break
    }
    let policy = effectivePolicy(for: account, explanation: &explanation)
    let isEncrypted = policy.isManaged && !cipherFails
    guard !policy.isManaged else {
      return decide(isEncrypted ? DataProtectionRule.protectManaged : .protectFailed, of: account, in: &explanation)
    }
    let needsManaged = settings.app.assumptions.protectionNeedsManagedApp
    if needsManaged && !policies.records.contains(where: \.isEnforced) {
      return decide(DataProtectionRule.protectUnmanagedApp, in: &explanation)
    }
    return decide(DataProtectionRule.protectUnmanaged, of: account, in: &explanation)
  }

  /// The result of removing the protection of data (`unprotect:`).
  ///
  /// - Parameters:
  ///   - data: the form of the data.
  ///   - cipherFails: whether decrypting fails on the device.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func unprotect(_ data: DataForm, cipherFails: Bool = false) -> Decision<DataProtectionOutcome> {
    var explanation = Explanation()
    return unprotect(data, cipherFails: cipherFails, explanation: &explanation)
  }

  package func unprotect(
    _ data: DataForm, cipherFails: Bool = false, explanation: inout Explanation
  ) -> Decision<DataProtectionOutcome> {
    switch data {
    case .missing: return decide(DataProtectionRule.unprotectMissing, in: &explanation)
    case .empty: return decide(DataProtectionRule.unprotectEmpty, in: &explanation)
    case .plain: return decide(DataProtectionRule.unprotectPlain, in: &explanation)
    case .marked: return decide(DataProtectionRule.unprotectMarked, in: &explanation)
    case .encrypted(let owner):
      let policy = effectivePolicy(for: owner.number, explanation: &explanation)
      let isReadable = policy.isManaged && !cipherFails
      return decide(
        isReadable ? DataProtectionRule.unprotectEncrypted : .unprotectFailed, of: owner.number, in: &explanation)
    }
  }

  /// Whether data names its owner (`protectionInfo:`). Allocates nothing.
  public func protectionInfo(of data: DataForm) -> Decision<DataProtectionOutcome> {
    var explanation = Explanation()
    return protectionInfo(of: data, explanation: &explanation)
  }

  package func protectionInfo(of data: DataForm, explanation: inout Explanation) -> Decision<DataProtectionOutcome> {
    let rule: DataProtectionRule =
      switch data {
      case .missing: .infoMissing
      case .empty: .infoEmpty
      case .plain: .infoPlain
      case .marked, .encrypted: .info
      }
    return decide(rule, in: &explanation)
  }
}
