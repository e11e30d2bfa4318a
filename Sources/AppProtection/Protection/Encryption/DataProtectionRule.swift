/// The rules of protecting and unprotecting data. Sources: S004 Shared data; H:IntuneMAMDataProtection.
package enum DataProtectionRule: UInt8, DecisionRule {
  case protectMissing
  case protectEmpty
  /// DERIVED from the code's name.
  case protectUnmanagedApp
  case protectUnmanaged
  case protectManaged
  case protectFailed
  case unprotectMissing
  case unprotectEmpty
  case unprotectPlain
  case unprotectMarked
  case unprotectEncrypted
  case unprotectFailed
  case infoMissing
  case infoEmpty
  case infoPlain
  case info

  @inline(__always)
  package var row: RuleRow<DataProtectionOutcome> {
    switch self {
    case .protectMissing:
      RuleRow("protect.1", .failed(.invalidArguments), "there is no data", unless: "there is data")
    case .protectEmpty:
      RuleRow("protect.2", .failed(.emptyData), "the data is empty", unless: "there is data")
    case .protectUnmanagedApp:
      RuleRow(
        "protect.3", .failed(.applicationNotManaged), "no account of the app is managed",
        unless: "an account of the app is managed", reads: .assumption, assumes: "protectionNeedsManagedApp")
    case .protectUnmanaged:
      RuleRow(
        "protect.4", .marked, "the account is not managed, so that its data only says whose it is",
        when: "{account} is unmanaged")
    case .protectManaged:
      RuleRow(
        "protect.5", .encrypted, "the account is managed, so that its data is encrypted",
        when: "the data of {account} is encrypted")
    case .protectFailed:
      RuleRow(
        "protect.6", .failed(.failedToEncryptData), "the data could not be encrypted",
        unless: "the data of {account} is encrypted")
    case .unprotectMissing:
      RuleRow("unprotect.1", .failed(.invalidArguments), "there is no data", unless: "there is data")
    case .unprotectEmpty:
      RuleRow("unprotect.2", .failed(.emptyData), "the data is empty", unless: "there is data")
    case .unprotectPlain:
      RuleRow("unprotect.3", .unchanged, "the data was never protected", unless: "the data is protected")
    case .unprotectMarked:
      RuleRow(
        "unprotect.4", .restored, "the data says whose it is, and is not encrypted", unless: "the data is encrypted")
    case .unprotectEncrypted:
      RuleRow(
        "unprotect.5", .restored, "the data is encrypted for an account that is managed here",
        when: "the data of {account} can be decrypted")
    case .unprotectFailed:
      RuleRow(
        "unprotect.6", .failed(.failedToDecryptData),
        "the data could not be decrypted, or is encrypted for an account that is not managed here",
        unless: "the data of {account} can be decrypted")
    case .infoMissing:
      RuleRow("protectionInfo.1", .failed(.invalidArguments), "there is no data", unless: "there is data")
    case .infoEmpty:
      RuleRow("protectionInfo.2", .failed(.emptyData), "the data is empty", unless: "there is data")
    case .infoPlain:
      RuleRow(
        "protectionInfo.3", .failed(.dataNotProtected), "the data says nothing about an owner",
        unless: "the data says whose it is")
    case .info:
      RuleRow("protectionInfo.4", .described, "the data says whose it is", when: "the data says whose it is")
    }
  }
}
