import AppProtection
import FileProtection

/// Protects an app's files, and says whose they are (`IntuneMAMFileProtectionManager`).
///
/// ```swift
/// let manager = FileProtectionManager(protector: protector) { engine.state }
/// try manager.protect(path, for: alice)
/// try manager.protectionInfo(path)?.owner
/// ```
///
/// A file of a managed account is encrypted with the account's key; one of an unmanaged account only names its owner. The file
/// itself is the record of its owner; nothing about it is written to the journal. May be used on any thread.
public struct FileProtectionManager: Sendable {
  /// Encrypts, with the keys of the accounts.
  public let protector: Protector
  let state: @Sendable () throws -> AppProtectionState

  /// - Parameters:
  ///   - protector: Encrypts, with the keys of the accounts.
  ///   - state: The current state, such as the engine's. In another process than the app's it reads what the app has written
  ///     until then: nothing may be protected for an account of whose wipe only the app knows. A follower's `latestState()` does.
  ///     Where it throws, so do the calls that go by the state, with the cause `stateUnavailable`.
  public init(protector: Protector, state: @escaping @Sendable () throws -> AppProtectionState) {
    self.protector = protector
    self.state = state
  }

  // MARK: Whole files

  /// Makes an account the owner of a file, in place (`protect:identity:`); `nil` means none. See
  /// ``/FileProtection/Protector/protectFile(_:_:ifOwned:)`` for what stays of the file.
  ///
  /// - Throws: ``DataProtectionError`` with code 100 (no account of the app is managed), 102, also while a wipe of the account is
  ///   pending (its cause is then `wipePending`), or 103 if the file would be decrypted and the account that owned it is not
  ///   managed here. A file that was marked while the state became unreadable is again as it was, and the call fails with code 102.
  public func protect(_ path: String, for account: AccountReference?) throws(DataProtectionError) {
    try protect(path, for: account) { _ in true }
  }

  /// Makes sure that an account owns a file (`verifyAndProtect:identity:`): protects it as
  /// ``protect(_:for:)`` does. Under the assumption `protectionConflictRefuses` another account's file is refused.
  ///
  /// - Throws: ``DataProtectionError`` as above, and with code 101 if another account owns the file and the app assumes that
  ///   this is refused.
  public func verifyAndProtect(_ path: String, for account: AccountReference?) throws(DataProtectionError) {
    let owners = try owners(orFailing: .failedToEncryptData)
    guard owners.state.settings.app.assumptions.protectionConflictRefuses else {
      return try protect(path, for: account)
    }
    do throws(DataProtectionError) {
      try protect(path, for: account) { info in (try? owners.isOwner(account, of: info)) ?? false }
    } catch {
      guard error.cause?.code == .otherOwner else { throw error }
      throw DataProtectionError(.invalidArguments, "another account owns the file", cause: error.cause)
    }
  }

  private func protect(
    _ path: String, for account: AccountReference?, ifOwned isAllowed: (ProtectionInfo) -> Bool
  ) throws(DataProtectionError) {
    let owners = try owners(orFailing: .failedToEncryptData)
    let protection = try owners.protection(for: account)
    // Without encryption for the new owner, the file is decrypted.
    if case .marked = protection { try checkReadable(path, owners) }
    var before: ProtectionInfo?
    do throws(DataProtectionError) {
      try encrypting { () throws(ProtectionError) in
        try protector.protectFile(path, protection) { info in
          guard isAllowed(info) else { return false }
          before = info
          guard case .marked = protection else { return true }
          return (try? checkReadable(info, owners)) != nil
        }
      }
      try checkNotWiped(account, since: owners)
    } catch {
      if error.cause?.code == .wipePending { try removeMarked(path) }
      // It may be the only copy.
      if error.cause?.code == .stateUnavailable, let before { try restore(path, before, owners) }
      throw error
    }
  }

  /// Gives a file that was marked the protection that it had. One that was encrypted stays.
  private func restore(_ path: String, _ before: ProtectionInfo, _ owners: Owners) throws(DataProtectionError) {
    let isMarked: (ProtectionInfo) -> Bool = { !$0.isEncrypted }
    var account: AccountReference?
    if case .account(let number) = try owners.account(of: before) { account = AccountReference(number) }
    let old: Protection? =
      try before.isEncrypted ? owners.encrypted(for: account) : before.owner.map { .marked(owner: $0) }
    do throws(ProtectionError) {
      guard let old else { return try protector.unprotectFile(path, ifOwned: isMarked) }
      try protector.protectFile(path, old, ifOwned: isMarked)
    } catch {
      // It is encrypted: a wipe has destroyed the key, or will.
      if error.code == .otherOwner { return }
      // The account was wiped, and its files with it.
      guard error.code == .destroyedKey else { throw DataProtectionError(.failedToEncryptData, error) }
      try removeMarked(path)
    }
  }

  /// Whose a file is, and whether it is encrypted (`protectionInfo:`); `nil` for a file without an owner. The owner is `nil` if
  /// its key is not here.
  ///
  /// - Throws: ``DataProtectionError`` with code 103 if the file cannot be read or its headers are damaged.
  public func protectionInfo(_ path: String) throws(DataProtectionError) -> ProtectionInfo? {
    try header(path).map { info throws(DataProtectionError) in
      try owners(orFailing: .failedToDecryptData).current(info)
    }
  }

  /// Encrypts a file for an account, in place (`encryptFile:identity:`).
  ///
  /// - Throws: ``DataProtectionError`` with code 100 if the account is not managed, and 102.
  public func encryptFile(_ path: String, for account: AccountReference) throws(DataProtectionError) {
    let protection = try owners(orFailing: .failedToEncryptData).protection(for: account)
    guard case .encrypted = protection else {
      throw DataProtectionError(.applicationNotManaged, "the account is not managed")
    }
    try encrypting { () throws(ProtectionError) in try protector.protectFile(path, protection) }
  }

  /// Writes a plain copy of a file (`decryptFile:toCopyPath:`). The file stays as it is.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - copy: The copy's path.
  ///   - required: Pass `encrypted` for a file that was encrypted once.
  /// - Throws: ``DataProtectionError`` with code 103, also if the file's account is not managed here, and 104 for a file that is
  ///   not encrypted where that is required: its cause is then `notEncrypted`.
  public func decryptFile(
    _ path: String, toCopy copy: String, requiring required: RequiredProtection = .any
  ) throws(DataProtectionError) {
    let owners = try owners(orFailing: .failedToDecryptData)
    try checkReadable(path, owners)
    try decrypting { () throws(ProtectionError) in
      try protector.copyUnprotected(path, to: copy, requiring: required) { (try? checkReadable($0, owners)) != nil }
    }
  }

  /// Whether a file is encrypted (`isFileEncrypted:`).
  public func isFileEncrypted(_ path: String) throws(DataProtectionError) -> Bool {
    try decrypting { () throws(ProtectionError) in try protector.isEncrypted(path) }
  }

  // MARK: Contents

  /// Writes a file as the account's policy wants it: encrypted if a policy is in force for it, and otherwise with its owner's
  /// name, by which a wipe finds it. Without an owner it is plain, as it is for one that the journal does not know while no
  /// account is managed.
  ///
  /// After a crash at any point, the path leads to the old contents or to the new ones, which are durable once this returns.
  /// Plain text of what is encrypted never reaches the disk.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - path: The path. A file that has it is replaced, no matter whose it is, unless it is a link or open for writing.
  ///   - account: The owner; `nil` for none.
  /// - Throws: ``DataProtectionError`` with code 102, also while a wipe of the account is pending: its cause is then
  ///   `wipePending`. It is `stateUnavailable` where the state cannot be read; what was marked meanwhile is then removed.
  public func write(
    _ bytes: [UInt8], to path: String, for account: AccountReference?
  ) throws(DataProtectionError) {
    let owners = try owners(orFailing: .failedToEncryptData)
    let protection = try account.flatMap { (account) throws(DataProtectionError) in try owners.wish(of: account) }
    try marking(path, for: account, since: owners) { () throws(DataProtectionError) in
      try encrypting { () throws(ProtectionError) in try protector.write(bytes, to: path, protection) }
    }
  }

  /// The contents of a file, protected or not.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes that are taken into memory. A file may say that it is longer than any memory.
  ///   - required: Pass `encrypted` for a file that was encrypted once: only the app can know that.
  /// - Throws: ``DataProtectionError`` with code 103, also if the file's account is not managed here, and for a file with more
  ///   bytes than `limit`: ``open(_:forWriting:requiring:)`` reads it part by part. With code 104 for a file that is not encrypted
  ///   where that is required: its cause is then `notEncrypted`.
  public func contents(
    of path: String, atMost limit: Int = 1 << 30, requiring required: RequiredProtection = .any
  ) throws(DataProtectionError) -> [UInt8] {
    let owners = try owners(orFailing: .failedToDecryptData)
    try checkReadable(path, owners)
    return try decrypting { () throws(ProtectionError) in
      try protector.contents(of: path, atMost: limit, requiring: required) { (try? checkReadable($0, owners)) != nil }
    }
  }

  // MARK: Open files

  /// Creates a protected file (`IntuneMAMFile create`).
  public func create(_ path: String, for account: AccountReference?) throws(DataProtectionError) -> ProtectedFile {
    let owners = try owners(orFailing: .failedToEncryptData)
    let protection = try owners.protection(for: account)
    let file = try encrypting { () throws(ProtectionError) in try protector.create(at: path, protection) }
    do throws(DataProtectionError) { try checkNotWiped(account, since: owners) } catch {
      // It holds the file's lock.
      try? file.close()
      try removeMarked(path)
      throw error
    }
    return file
  }

  /// Opens a protected file (`IntuneMAMFile open`).
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - forWriting: Whether it is to be changed.
  ///   - required: Pass `encrypted` for a file that was encrypted once.
  /// - Throws: ``DataProtectionError`` with code 103, also if the file's account is not managed here, and 104 for a file that
  ///   is not protected, or not encrypted where that is required: its cause is then `notEncrypted`.
  public func open(
    _ path: String, forWriting: Bool = false, requiring required: RequiredProtection = .any
  ) throws(DataProtectionError) -> ProtectedFile {
    let owners = try owners(orFailing: .failedToDecryptData)
    try checkReadable(path, owners)
    do throws(ProtectionError) {
      return try protector.open(path, forWriting: forWriting, requiring: required) {
        (try? checkReadable($0, owners)) != nil
      }
    } catch {
      guard error.code == .notProtected else { throw DataProtectionError(decrypting: error) }
      throw DataProtectionError(.dataNotProtected, error)
    }
  }

  // MARK: Rules

  /// Makes a file for an account, and looks at the state once more: a wipe that was ordered meanwhile, also by another process,
  /// may have passed the file's folder before the file was there. An encrypted one has lost its key then; one that is not goes, also
  /// where it is unknown whether a wipe was ordered.
  ///
  /// - Throws: ``DataProtectionError`` with code 102 if a wipe was ordered, or if the state cannot be read.
  func marking<Value>(
    _ path: String, for account: AccountReference?, since owners: Owners,
    _ body: () throws(DataProtectionError) -> Value
  ) throws(DataProtectionError) -> Value {
    let value = try body()
    do throws(DataProtectionError) { try checkNotWiped(account, since: owners) } catch {
      try removeMarked(path)
      throw error
    }
    return value
  }

  private func checkNotWiped(_ account: AccountReference?, since owners: Owners) throws(DataProtectionError) {
    let now = try self.owners(orFailing: .failedToEncryptData)
    guard now.lastWipe(of: account) == owners.lastWipe(of: account) else { throw Owners.wipePending }
  }

  private func removeMarked(_ path: String) throws(DataProtectionError) {
    try encrypting { () throws(ProtectionError) in try protector.removeMarked(path) }
  }

  func owners(orFailing code: DataProtectionStatusCode) throws(DataProtectionError) -> Owners {
    try Owners(state, protector, orFailing: code)
  }

  /// What a file's header says; `nil` for a file without one.
  func header(_ path: String) throws(DataProtectionError) -> ProtectionInfo? {
    do throws(ProtectionError) { return try protector.info(path) } catch {
      if error.code == .notProtected || error.code == .empty { return nil }
      throw DataProtectionError(.failedToDecryptData, error)
    }
  }

  /// Checks that the policy of a file's owner lets it be decrypted here.
  private func checkReadable(_ path: String, _ owners: Owners) throws(DataProtectionError) {
    if let info = try header(path) { try checkReadable(info, owners) }
  }

  func checkReadable(_ info: ProtectionInfo, _ owners: Owners) throws(DataProtectionError) {
    guard info.isEncrypted else { return }
    let decision = owners.state.unprotect(.encrypted(try owners.account(of: info)))
    if case .failed(let code) = decision.outcome { throw DataProtectionError(code, decision.reason) }
  }

  func encrypting<Value>(_ body: () throws(ProtectionError) -> Value) throws(DataProtectionError) -> Value {
    do throws(ProtectionError) { return try body() } catch { throw DataProtectionError(.failedToEncryptData, error) }
  }

  func decrypting<Value>(_ body: () throws(ProtectionError) -> Value) throws(DataProtectionError) -> Value {
    do throws(ProtectionError) { return try body() } catch { throw DataProtectionError(decrypting: error) }
  }
}

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
