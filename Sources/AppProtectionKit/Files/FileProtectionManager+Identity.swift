import AppProtection
import FileProtection

/// Files of the identity under which the caller runs. The members that name an account come first where both are known.
///
/// ```swift
/// IdentityContext.with(account) { try files.write(bytes, to: path) }
/// ```
///
/// The owner is that of ``IdentityContext/currentOwner(in:isolation:)``: the account of the scope, of the thread or of the process,
/// and none where the identity is unmanaged or was never set.
extension FileProtectionManager {
  /// Creates a protected file for the current identity; see ``create(_:for:)``.
  public func create(_ path: String) throws(DataProtectionError) -> ProtectedFile {
    try create(path, for: try currentOwner)
  }

  /// Writes a file as the current identity's policy wants it; see ``write(_:to:for:)``.
  public func write(_ bytes: [UInt8], to path: String) throws(DataProtectionError) {
    try write(bytes, to: path, for: try currentOwner)
  }

  /// Makes the current identity the owner of a file, in place; see ``protect(_:for:)``.
  public func protect(_ path: String) throws(DataProtectionError) {
    try protect(path, for: try currentOwner)
  }

  private var currentOwner: AccountReference? {
    get throws(DataProtectionError) {
      let state = try owners(orFailing: .failedToEncryptData).state
      return IdentityContext.currentOwner(in: state, isolation: nil).account.map { AccountReference($0) }
    }
  }
}
