/// Data to be protected or unprotected.
public enum DataForm: Equatable, Sendable {
  /// No data was given.
  case missing
  /// It is empty.
  case empty
  /// It was never protected.
  case plain
  /// It names its owner, and is not encrypted.
  case marked(LocationAccount)
  /// It is encrypted for an account.
  case encrypted(LocationAccount)
}

/// The result of protecting or unprotecting data.
public enum DataProtectionOutcome: DecisionOutcome {
  /// It is encrypted for its account.
  case encrypted
  /// It names its owner, and is not encrypted.
  case marked
  /// It is plain again.
  case restored
  /// It was plain, and remains unchanged.
  case unchanged
  /// The data's owner is returned.
  case described
  /// Nothing was done.
  case failed(DataProtectionStatusCode)

  /// The name of the case, or of the failure.
  public var name: String {
    if case .failed(let code) = self { code.name } else { "\(self)" }
  }
}

/// Why data cannot be protected (`IntuneMAMDataProtectionStatusCode`; names and numbers are those of the SDK).
public enum DataProtectionStatusCode: UInt8, CaseIterable, Sendable {
  /// No account of the app is managed.
  case applicationNotManaged = 100
  /// An argument is missing.
  case invalidArguments = 101
  /// Encrypting failed.
  case failedToEncryptData = 102
  /// Decrypting failed.
  case failedToDecryptData = 103
  /// The data was never protected.
  case dataNotProtected = 104
  /// The data is empty.
  case emptyData = 105

  /// The name: that of the case.
  public var name: String { "\(self)" }
}
