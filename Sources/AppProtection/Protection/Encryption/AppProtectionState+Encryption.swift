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

  /// When the files of an account are protected, with every rule that was evaluated and every field it read.
  public func fileProtection(
    for account: AccountNumber?, maximum: FileProtectionClass? = nil, explanation: inout Explanation
  ) -> Decision<FileProtectionClass> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return EncryptionRule.classUnmanaged.settles(
        .deviceSettings, "\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    let asked = FileProtectionClass(policy.encryption)
    let isLimited = maximum.map { asked > $0 } ?? false
    return (isLimited ? EncryptionRule.classOfApp : .classOfPolicy).settles(
      isLimited ? maximum ?? asked : asked, "the app limits what \(Self.shown(account))'s policy asks for", isLimited,
      reads: settingRead("appDataEncryptionType", of: account), in: &explanation)
  }

  /// Whether the app must encrypt an account's files with the SDK (`isFileEncryptionRequired`).
  ///
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func fileEncryption(for account: AccountNumber?) -> Decision<EncryptionDemand> {
    var explanation = Explanation()
    return fileEncryption(for: account, explanation: &explanation)
  }

  /// Whether the app must encrypt an account's files, with every rule that was evaluated and every field it read.
  public func fileEncryption(
    for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<EncryptionDemand> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    let name = Self.shown(account)
    guard policy.isManaged else {
      return EncryptionRule.encryptionUnmanaged.settles(.notRequired, "\(name) is unmanaged", true, in: &explanation)
    }
    let isDevices = policy.encryption == .useDeviceSettings
    if explanation.evaluate(
      EncryptionRule.encryptionOfDevice.id, "\(name)'s policy leaves encryption to the device", isDevices,
      reads: settingRead("appDataEncryptionType", of: account), decides: isDevices)
    {
      return Decision(outcome: .notRequired, ground: EncryptionRule.encryptionOfDevice.ground)
    }
    let follows = settings.app.assumptions.encryptionTypeRequiresFileEncryption
    return (follows ? EncryptionRule.encryptionByType : .encryptionNotByType).settles(
      follows ? .required : .notRequired, "an encryption type asks for encrypted files", follows,
      reads: assumptionRead("encryptionTypeRequiresFileEncryption", follows), in: &explanation)
  }

  /// Whether a file provider must encrypt the files of an account that it hands out (`shouldFileProviderEncryptFiles`).
  ///
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func fileProviderEncryption(for account: AccountNumber?) -> Decision<EncryptionDemand> {
    var explanation = Explanation()
    return fileProviderEncryption(for: account, explanation: &explanation)
  }

  /// Whether a file provider must encrypt files, with every rule that was evaluated and every field it read.
  public func fileProviderEncryption(
    for account: AccountNumber?, explanation: inout Explanation
  ) -> Decision<EncryptionDemand> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    let name = Self.shown(account)
    guard policy.isManaged else {
      return EncryptionRule.providerUnmanaged.settles(.notRequired, "\(name) is unmanaged", true, in: &explanation)
    }
    let sendsToAll = policy.send == .allApps
    if explanation.evaluate(
      EncryptionRule.providerSendsToAll.id, "\(name) may send data to all apps", sendsToAll,
      reads: settingRead("allowedOutboundDataTransferDestinations", of: account), decides: sendsToAll)
    {
      return Decision(outcome: .notRequired, ground: EncryptionRule.providerSendsToAll.ground)
    }
    let encrypts = settings.app.assumptions.fileProviderEncryptsForManagedApps
    return (encrypts ? EncryptionRule.providerEncrypts : .providerLeavesPlain).settles(
      encrypts ? .required : .notRequired, "a file provider encrypts what it hands out", encrypts,
      reads: assumptionRead("fileProviderEncryptsForManagedApps", encrypts), in: &explanation)
  }
}
