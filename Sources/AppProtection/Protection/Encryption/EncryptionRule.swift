/// The rules that decide which files the app must encrypt, at rest and when it hands them out.
package enum EncryptionRule: UInt8, DecisionRule {
  case encryptionUnmanaged
  /// H: `isFileEncryptionRequired`; that it follows from the encryption type is DERIVED.
  case encryptionByType
  case encryptionNotByType
  case encryptionOfDevice
  case providerUnmanaged
  /// D: sending to all apps.
  case providerSendsToAll
  /// H: `shouldFileProviderEncryptFiles`; for which levels is DERIVED.
  case providerEncrypts
  case providerLeavesPlain

  @inline(__always)
  package var row: RuleRow<EncryptionDemand> {
    switch self {
    case .encryptionUnmanaged:
      RuleRow("fileEncryption.1", .notRequired, "no policy is in force for the account", when: "{account} is unmanaged")
    case .encryptionByType:
      RuleRow(
        "fileEncryption.3", .required,
        "the account's policy names an encryption type, which is taken to ask for encrypted files",
        when: "an encryption type asks for encrypted files", reads: .assumption,
        assumes: "encryptionTypeRequiresFileEncryption")
    case .encryptionNotByType:
      RuleRow(
        "fileEncryption.3", .notRequired,
        "an encryption type is taken to say when files are protected, and nothing more",
        unless: "an encryption type asks for encrypted files", reads: .assumption,
        assumes: "encryptionTypeRequiresFileEncryption")
    case .encryptionOfDevice:
      RuleRow(
        "fileEncryption.2", .notRequired, "the account's policy leaves encryption to the device",
        when: "{account}'s policy leaves encryption to the device", reads: .setting { .appDataEncryptionType })
    case .providerUnmanaged:
      RuleRow("fileProvider.1", .notRequired, "no policy is in force for the account", when: "{account} is unmanaged")
    case .providerSendsToAll:
      RuleRow(
        "fileProvider.2", .notRequired, "the account may send data to all apps",
        when: "{account} may send data to all apps", reads: .sending)
    case .providerEncrypts:
      RuleRow(
        "fileProvider.3", .required, "the account may not send data to all apps, and anybody may ask a file provider",
        when: "a file provider encrypts what it hands out", reads: .assumption,
        assumes: "fileProviderEncryptsForManagedApps")
    case .providerLeavesPlain:
      RuleRow(
        "fileProvider.3", .notRequired, "a file provider is taken to hand out files as they are",
        unless: "a file provider encrypts what it hands out", reads: .assumption,
        assumes: "fileProviderEncryptsForManagedApps")
    }
  }
}
