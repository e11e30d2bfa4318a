import Cryptography
import Journal

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

  /// The key that encrypts for an account, made if there is none.
  func sealingKey(of account: String) throws(ProtectionError) -> (id: KeyID, key: SecretKey) {
    let entry: KeyEntry
    do throws(KeyStoreError) {
      entry = try keys.makeKey(named: KeyName(scope: scope, account: account), replacesDestroyed: true)
    } catch {
      throw ProtectionError(error)
    }
    guard case .key(let key) = entry, let id = key.id else { throw .encryptionFailed }
    return (id, key)
  }

  /// Creates an empty protected file, durably before it returns.
  ///
  /// - Throws: ``ProtectionError/Code/alreadyExists`` if the name is taken.
  public func create(at path: String, _ protection: Protection) throws(ProtectionError) -> ProtectedFile {
    guard try form(of: path, isMissingAllowed: true) == .missing else {
      throw ProtectionError(
        .alreadyExists, "a file exists at the path", remedy: "Open it, or remove it first", file: path)
    }
    let contents = try replace(path, by: path + Leftover.protecting.suffix) { (file) throws(ProtectionError) in
      try newContents(of: path, file, protection)
    }
    return ProtectedFile(path, contents)
  }

  /// Opens a protected file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - forWriting: Whether it is to be changed. A file is open for that once at a time.
  /// - Throws: ``ProtectionError/Code/notProtected`` for any other file, and the code that names what is wrong with a header or
  ///   a key.
  public func open(_ path: String, forWriting: Bool = false) throws(ProtectionError) -> ProtectedFile {
    ProtectedFile(path, try contents(of: path, forWriting: forWriting))
  }

  func contents(of path: String, forWriting: Bool) throws(ProtectionError) -> any FileContents {
    let file = try atFile(path) { () throws(FileSystemError) in
      try fileSystem.open(path, forWriting ? .update : .read)
    }
    do throws(ProtectionError) {
      if forWriting {
        try lock(file, path)
        // The file's name may not be durable yet, if the process that created it died.
        try atFile(path) { () throws(FileSystemError) in try fileSystem.syncDirectory(path.folder) }
      }
      let copies = try OpenedHeader.copies(file, path, fileSystem)
      if let marked = copies.first, try !isEncrypted(copies) {
        return try MarkedContents(
          owner: try FileHeader.markedOwner(marked), path: path, file: file, fileSystem: fileSystem,
          isWritable: forWriting)
      }
      return SealedContents(
        try OpenedHeader(copies, keys), path: path, file: file, fileSystem: fileSystem, isWritable: forWriting,
        randomBytes: randomBytes)
    } catch {
      fileSystem.close(file)
      throw error.within(path)
    }
  }

  private func lock(_ file: OpenFile, _ path: String) throws(ProtectionError) {
    guard try atFile(path, { () throws(FileSystemError) in try fileSystem.lock(file) }) else {
      throw ProtectionError(
        .locked, "it is open for writing elsewhere", remedy: "Close it there, and try again", file: path)
    }
  }

  /// Writes the headers of an empty file.
  func newContents(
    of path: String, _ file: OpenFile, _ protection: Protection
  ) throws(ProtectionError) -> any FileContents {
    try protection.checkOwner()
    try lock(file, path)
    switch protection {
    case .marked(let owner):
      try atFile(path) { () throws(FileSystemError) in
        try fileSystem.write(file, FileHeader.marked(owner), at: 0)
      }
      return try MarkedContents(owner: owner, path: path, file: file, fileSystem: fileSystem, isWritable: true)
    case .encrypted(let owner):
      let (id, key) = try sealingKey(of: owner)
      let fileID = randomBytes(FileHeader.fileIDByteCount)
      let nonce = randomBytes(AES256GCM.nonceByteCount)
      guard fileID.count == FileHeader.fileIDByteCount, nonce.count == AES256GCM.nonceByteCount,
        let cipher = BlockCipher(key, fileID: fileID)
      else { throw .encryptionFailed }
      var header = FileHeader(keyID: id, fileID: fileID, owner: owner)
      header.generation = 1
      header.sealedCount = 1
      guard let bytes = header.encoded(cipher.cipher, nonce: nonce) else { throw .encryptionFailed }
      try atFile(path) { () throws(FileSystemError) in try fileSystem.write(file, bytes + bytes, at: 0) }
      return SealedContents(
        OpenedHeader(header: header, bytes: bytes, isSecondCurrent: true, cipher: cipher), path: path, file: file,
        fileSystem: fileSystem, isWritable: true, randomBytes: randomBytes)
    }
  }
}
