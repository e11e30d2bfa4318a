import EventSourcing

extension AppProtectionState {
  /// When the files of an account are protected.
  ///
  /// - Parameters:
  ///   - account: the account that owns the files; `nil` for none.
  ///   - maximum: the strongest class that the app can work with (`MaxFileProtectionLevel`); `nil` for any.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func fileProtection(
    for account: AccountNumber?, maximum: FileProtectionClass? = nil
  ) -> Decision<FileProtectionClass> {
    var explanation = Explanation()
    return fileProtection(for: account, maximum: maximum, explanation: &explanation)
  }

  package func fileProtection(
    for account: AccountNumber?, maximum: FileProtectionClass? = nil, explanation: inout Explanation
  ) -> Decision<FileProtectionClass> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return fileProtection(.deviceSettings, .unmanaged, account, explanation: &explanation)
    }
    let asked = FileProtectionClass(policy.encryption)
    if let maximum, asked > maximum {
      return fileProtection(maximum, .classOfApp, account, explanation: &explanation)
    }
    return fileProtection(asked, .classOfPolicy, account, explanation: &explanation)
  }

  /// A class with the rule that determines its source.
  private func fileProtection(
    _ outcome: FileProtectionClass, _ rule: FileProtectionRule, _ account: AccountNumber?,
    explanation: inout Explanation
  ) -> Decision<FileProtectionClass> {
    Decision(outcome: outcome, ground: decide(rule, of: account, in: &explanation).ground)
  }

  /// Whether the app must encrypt an account's files with the SDK (`isFileEncryptionRequired`).
  ///
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func fileEncryption(for account: AccountNumber?) -> Decision<EncryptionDemand> {
    var explanation = Explanation()
    return fileEncryption(for: account, explanation: &explanation)
  }

  package func fileEncryption(
    for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<EncryptionDemand> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(EncryptionRule.encryptionUnmanaged, of: account, in: &explanation) }
    if let devices = decide(
      EncryptionRule.encryptionOfDevice, if: policy.encryption == .useDeviceSettings, of: account, in: &explanation)
    {
      return devices
    }
    let follows = settings.app.assumptions.encryptionTypeRequiresFileEncryption
    return decide(follows ? EncryptionRule.encryptionByType : .encryptionNotByType, in: &explanation)
  }

  /// Whether a file provider must encrypt the files of an account that it hands out (`shouldFileProviderEncryptFiles`).
  ///
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func fileProviderEncryption(for account: AccountNumber?) -> Decision<EncryptionDemand> {
    var explanation = Explanation()
    return fileProviderEncryption(for: account, explanation: &explanation)
  }

  package func fileProviderEncryption(
    for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<EncryptionDemand> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(EncryptionRule.providerUnmanaged, of: account, in: &explanation) }
    if let free = decide(
      EncryptionRule.providerSendsToAll, if: policy.send == .allApps, of: account, in: &explanation)
    {
      return free
    }
    let encrypts = settings.app.assumptions.fileProviderEncryptsForManagedApps
    return decide(encrypts ? EncryptionRule.providerEncrypts : .providerLeavesPlain, in: &explanation)
  }
}
