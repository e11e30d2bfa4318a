/// The rules of protecting data and of taking the protection away. Sources: S004 Shared data; H:IntuneMAMDataProtection.
enum DataProtectionRule: CaseIterable, OutcomeRule {
  case protectMissing
  case protectEmpty
  /// DERIVED from the code's name.
  case protectUnmanagedApp
  case protectManaged
  case protectUnmanaged
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

  var id: String {
    switch self {
    case .protectMissing: "protect.1"
    case .protectEmpty: "protect.2"
    case .protectUnmanagedApp: "protect.3"
    case .protectUnmanaged: "protect.4"
    case .protectManaged: "protect.5"
    case .protectFailed: "protect.6"
    case .unprotectMissing: "unprotect.1"
    case .unprotectEmpty: "unprotect.2"
    case .unprotectPlain: "unprotect.3"
    case .unprotectMarked: "unprotect.4"
    case .unprotectEncrypted: "unprotect.5"
    case .unprotectFailed: "unprotect.6"
    case .infoMissing: "protectionInfo.1"
    case .infoEmpty: "protectionInfo.2"
    case .infoPlain: "protectionInfo.3"
    case .info: "protectionInfo.4"
    }
  }

  var outcome: DataProtectionOutcome {
    switch self {
    case .protectMissing, .unprotectMissing, .infoMissing: .failed(.invalidArguments)
    case .protectEmpty, .unprotectEmpty, .infoEmpty: .failed(.emptyData)
    case .protectUnmanagedApp: .failed(.applicationNotManaged)
    case .protectManaged: .encrypted
    case .protectUnmanaged: .marked
    case .protectFailed: .failed(.failedToEncryptData)
    case .unprotectPlain: .unchanged
    case .unprotectMarked, .unprotectEncrypted: .restored
    case .unprotectFailed: .failed(.failedToDecryptData)
    case .infoPlain: .failed(.dataNotProtected)
    case .info: .described
    }
  }

  var assumption: String? { self == .protectUnmanagedApp ? "protectionNeedsManagedApp" : nil }

  var reason: String {
    switch self {
    case .protectMissing, .unprotectMissing, .infoMissing: "there is no data"
    case .protectEmpty, .unprotectEmpty, .infoEmpty: "the data is empty"
    case .protectUnmanagedApp: "no account of the app is managed"
    case .protectManaged: "the account is managed, so that its data is encrypted"
    case .protectUnmanaged: "the account is not managed, so that its data only says whose it is"
    case .protectFailed: "the data could not be encrypted"
    case .unprotectPlain: "the data was never protected"
    case .unprotectMarked: "the data says whose it is, and is not encrypted"
    case .unprotectEncrypted: "the data is encrypted for an account that is managed here"
    case .unprotectFailed: "the data could not be decrypted, or is encrypted for an account that is not managed here"
    case .infoPlain: "the data says nothing about an owner"
    case .info: "the data says whose it is"
    }
  }

  var ground: DecisionGround { .dataProtection(self) }
}
