import Cryptography
import Journal
import SystemCalls

/// Protects the files and data of an app's accounts, each with its account's key.
///
/// ```swift
/// let protector = Protector(keys: keys, scope: "com.contoso.notes", randomBytes: { SystemRandom.bytes($0) })
/// try protector.protectFile(path, .encrypted(owner: "alice@contoso.com"))
/// ```
///
/// The format knows accounts by their names only; which of them are managed, and what policy asks for, is decided by the
/// caller.
public struct Protector: Sendable {
  /// Where the keys are.
  public let keys: any KeyStore
  /// The scope of the keys that this app encrypts with, such as its bundle identifier.
  public let scope: String
  let randomBytes: @Sendable (Int) -> [UInt8]
  let fileSystem: any FileSystem

  /// Creates what an app protects its files and data with.
  ///
  /// - Parameters:
  ///   - keys: Where the keys are.
  ///   - scope: The scope of the keys that this app encrypts with. It reads what any key of the store opens.
  ///   - randomBytes: Returns as many bytes as asked for, that only a secure random generator can predict.
  ///   - fileSystem: The file system; the system's own outside of tests.
  public init(
    keys: any KeyStore, scope: String, randomBytes: @escaping @Sendable (Int) -> [UInt8],
    fileSystem: any FileSystem = PosixFileSystem()
  ) {
    self.keys = keys
    self.scope = scope
    self.randomBytes = randomBytes
    self.fileSystem = fileSystem
  }

  /// Whether a key is one that this app made for an account, in use or destroyed.
  ///
  /// - Throws: ``ProtectionError/Code/keysUnavailable`` if the keys cannot be read now.
  public func isKey(_ id: KeyID, of account: KeyAccount) throws(ProtectionError) -> Bool {
    do throws(KeyStoreError) {
      return try keys.keyIDs(named: KeyName(scope: scope, account: account.name)).contains(id)
    } catch {
      throw ProtectionError(error)
    }
  }

  /// The key that encrypts for an account, made if there is none.
  func sealingKey(of account: KeyAccount) throws(ProtectionError) -> (id: KeyID, key: SecretKey) {
    let entry: KeyEntry
    do throws(KeyStoreError) {
      entry = try keys.makeKey(named: KeyName(scope: scope, account: account.name), epoch: account.epoch)
    } catch {
      throw ProtectionError(error)
    }
    guard case .key(let key) = entry else {
      throw ProtectionError(
        .destroyedKey, "the account was wiped or erased, so nothing more is encrypted for it",
        remedy:
          "Look at the account again; if it is still managed, the journal is older than the wipe, as in a restored "
          + "backup: unenroll the account, and enroll it again")
    }
    guard let id = key.id else { throw .encryptionFailed }
    return (id, key)
  }

  /// Creates an empty protected file, durably before it returns.
  ///
  /// - Throws: ``ProtectionError/Code/alreadyExists`` if the name is taken, also by another program at the same time.
  public func create(at path: String, _ protection: Protection) throws(ProtectionError) -> ProtectedFile {
    try protection.checkOwner()
    let taken = ProtectionError(
      .alreadyExists, "a file exists at the path", remedy: "Open it, or remove it first", file: path)
    // Before a key is made for nothing.
    if let file = try? fileSystem.open(path, .read) {
      fileSystem.close(file)
      throw taken
    }
    let contents = try newFile(at: path, isNew: true) { (file) throws(ProtectionError) in
      try newContents(of: path, file, protection)
    } moving: { (temporary) throws(ProtectionError) in
      do throws(FileSystemError) { try fileSystem.rename(temporary, toFreeName: path) } catch {
        throw error.code == FileCalls.exists ? taken : ProtectionError(error, file: path)
      }
    }
    return ProtectedFile(path, contents)
  }

  /// Opens a protected file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - forWriting: Whether it is to be changed. A file is open for that once at a time.
  ///   - required: Pass `encrypted` for a file that was encrypted once.
  ///   - isAllowed: Whether the file may be opened, given what it is. Asked about the file that is then open.
  /// - Throws: ``ProtectionError/Code/notProtected`` for any other file, ``ProtectionError/Code/notEncrypted`` for one that is not
  ///   encrypted where that is required, and the code that names what is wrong with a header or a key.
  public func open(
    _ path: String, forWriting: Bool = false, requiring required: RequiredProtection = .any,
    ifOwned isAllowed: (ProtectionInfo) -> Bool = { _ in true }
  ) throws(ProtectionError) -> ProtectedFile {
    let file = try forWriting ? openLocked(path) : openForReading(path)
    let contents = try contents(of: file, path, isWritable: forWriting, mayBePlain: required == .encrypted)
    do throws(ProtectionError) {
      try required.check(contents.info)
      guard isAllowed(contents.info) else { throw Self.otherOwner(path) }
    } catch {
      contents.release()
      throw error.within(path)
    }
    guard forWriting else { return ProtectedFile(path, contents) }
    do throws(ProtectionError) {
      // The file's name may not be durable yet, if the process that created it died.
      try atFile(path) { () throws(FileSystemError) in try fileSystem.syncDirectory(FileName.folder(of: path)) }
    } catch {
      contents.release()
      throw error
    }
    return ProtectedFile(path, contents)
  }

  // MARK: Opening

  func openForReading(_ path: String) throws(ProtectionError) -> OpenFile {
    try atFile(path) { () throws(FileSystemError) in try fileSystem.open(path, .read) }
  }

  /// Opens a file for changes, and takes its lock. A program that replaces a file has its lock, so what this returns stays the
  /// file that the path leads to until it is closed.
  func openLocked(_ path: String) throws(ProtectionError) -> OpenFile {
    while true {
      let file = try atFile(path) { () throws(FileSystemError) in try fileSystem.open(path, .update) }
      do throws(ProtectionError) {
        guard try atFile(path, { () throws(FileSystemError) in try fileSystem.lock(file) }) else {
          throw ProtectionError(
            .locked, "it is open for writing elsewhere, or being replaced", remedy: "Close it there, and try again",
            file: path)
        }
        // It may have been replaced between the two calls.
        if try atFile(path, { () throws(FileSystemError) in try fileSystem.isNamed(file, path) }) { return file }
      } catch {
        fileSystem.close(file)
        throw error
      }
      fileSystem.close(file)
    }
  }

  /// What an open file holds. Takes the file over, and closes it if this throws.
  ///
  /// - Parameter mayBePlain: Whether a file without a header is taken as it is.
  func contents(
    of file: OpenFile, _ path: String, isWritable: Bool, mayBePlain: Bool = false
  ) throws(ProtectionError) -> any FileContents {
    do throws(ProtectionError) {
      let copies = try OpenedHeader.copies(file, path, fileSystem)
      if mayBePlain, try form(of: copies) == .plain {
        return PlainContents(path: path, file: file, fileSystem: fileSystem)
      }
      if let marked = copies.first, try !isEncrypted(copies) {
        return try MarkedContents(
          owner: try FileHeader.markedOwner(marked), path: path, file: file, fileSystem: fileSystem,
          isWritable: isWritable)
      }
      return SealedContents(
        try OpenedHeader(copies, keys), path: path, file: file, isWritable: isWritable, protector: self)
    } catch {
      fileSystem.close(file)
      throw error.within(path)
    }
  }

  /// Writes the headers of an empty file; a plain one has none.
  func newContents(
    of path: String, _ file: OpenFile, _ protection: Protection?
  ) throws(ProtectionError) -> any FileContents {
    switch protection {
    case nil: return PlainContents(path: path, file: file, fileSystem: fileSystem)
    case .marked(let owner):
      try atFile(path) { () throws(FileSystemError) in
        try fileSystem.writeAll(file, FileHeader.marked(owner), at: 0)
      }
      return try MarkedContents(owner: owner, path: path, file: file, fileSystem: fileSystem, isWritable: true)
    case .encrypted(let owner, let account):
      let (id, key) = try sealingKey(of: account ?? KeyAccount(owner))
      let fileID = randomBytes(FileHeader.fileIDByteCount)
      let nonce = randomBytes(AES256GCM.nonceByteCount)
      guard fileID.count == FileHeader.fileIDByteCount, nonce.count == AES256GCM.nonceByteCount,
        let cipher = BlockCipher(key, fileID: fileID)
      else { throw .encryptionFailed }
      var header = FileHeader(keyID: id, fileID: fileID, owner: owner)
      header.generation = 1
      header.sealedCount = 1
      guard let bytes = header.encoded(cipher.cipher, nonce: nonce) else { throw .encryptionFailed }
      try atFile(path) { () throws(FileSystemError) in try fileSystem.writeAll(file, bytes + bytes, at: 0) }
      return SealedContents(
        OpenedHeader(header: header, bytes: bytes, isSecondCurrent: true, cipher: cipher), path: path, file: file,
        isWritable: true, protector: self)
    }
  }
}
