/// The rules of files at rest and of files that are handed out.
enum EncryptionRule: CaseIterable, DecisionRule {
  /// S004 Identity overview.
  case classUnmanaged
  /// D: Encrypt org data; G.
  case classOfPolicy
  /// S001 Configure settings: `MaxFileProtectionLevel`.
  case classOfApp
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

  var id: String {
    switch self {
    case .classUnmanaged: "fileProtection.1"
    case .classOfPolicy: "fileProtection.2"
    case .classOfApp: "fileProtection.3"
    case .encryptionUnmanaged: "fileEncryption.1"
    case .encryptionOfDevice: "fileEncryption.2"
    case .encryptionByType, .encryptionNotByType: "fileEncryption.3"
    case .providerUnmanaged: "fileProvider.1"
    case .providerSendsToAll: "fileProvider.2"
    case .providerEncrypts, .providerLeavesPlain: "fileProvider.3"
    }
  }

  var assumption: String? {
    switch self {
    case .encryptionByType, .encryptionNotByType: "encryptionTypeRequiresFileEncryption"
    case .providerEncrypts, .providerLeavesPlain: "fileProviderEncryptsForManagedApps"
    default: nil
    }
  }

  var reason: String {
    switch self {
    case .classUnmanaged, .encryptionUnmanaged, .providerUnmanaged: "no policy is in force for the account"
    case .classOfPolicy: "the account's policy says when files are protected"
    case .classOfApp: "the app cannot work with what the account's policy asks for, and limits it"
    case .encryptionOfDevice: "the account's policy leaves encryption to the device"
    case .encryptionByType: "the account's policy names an encryption type, which is taken to ask for encrypted files"
    case .encryptionNotByType: "an encryption type is taken to say when files are protected, and nothing more"
    case .providerSendsToAll: "the account may send data to all apps"
    case .providerEncrypts: "the account may not send data to all apps, and anybody may ask a file provider"
    case .providerLeavesPlain: "a file provider is taken to hand out files as they are"
    }
  }

  var ground: DecisionGround { .encryption(self) }
}
