import Journal

/// The header of an encrypted file, opened with the key that it names.
struct OpenedHeader {
  var header: FileHeader
  /// The copy that was opened.
  var bytes: [UInt8]
  /// Whether the second place holds it.
  var isSecondCurrent: Bool
  var cipher: BlockCipher

  /// Both copies, as far as the file has them.
  static func copies(
    _ file: OpenFile, _ path: String, _ fileSystem: any FileSystem
  ) throws(ProtectionError) -> [[UInt8]] {
    let page = UInt64(Layout.page)
    return try atFile(path) { () throws(FileSystemError) in
      [try fileSystem.bytes(of: file, in: 0..<page), try fileSystem.bytes(of: file, in: page..<(2 * page))]
    }
  }

  /// Opens the later of two copies that is sound.
  init(_ copies: [[UInt8]], _ keys: any KeyStore) throws(ProtectionError) {
    var failure: ProtectionError?
    var found: [OpenedHeader] = []
    for bytes in copies {
      do throws(ProtectionError) {
        found.append(try OpenedHeader(bytes, keys))
      } catch {
        // The first copy says what is wrong, unless it is only damaged.
        if failure == nil || failure?.code == .tamperedHeader || failure?.code == .notProtected { failure = error }
      }
    }
    guard let newest = found.max(by: { $0.header.generation < $1.header.generation }) else {
      throw failure ?? FileHeader.Beginning.truncated
    }
    guard found.allSatisfy({ $0.header.fileID == newest.header.fileID }) else {
      throw ProtectionError(
        .tamperedHeader, "one of the headers is that of another file", remedy: "Take the file from a copy")
    }
    self = newest
    isSecondCurrent = newest.bytes == copies.last
  }

  private init(_ bytes: [UInt8], _ keys: any KeyStore) throws(ProtectionError) {
    let beginning = try FileHeader.Beginning(bytes)
    guard beginning.isEncrypted, let id = KeyID(bytes: beginning.keyID) else { throw Self.tampered }
    let key = try Self.key(id, keys)
    guard let cipher = BlockCipher(key, fileID: beginning.fileID) else { throw .encryptionFailed }
    guard let header = FileHeader(bytes, keyID: id, cipher.cipher) else { throw Self.tampered }
    self.init(header: header, bytes: bytes, isSecondCurrent: false, cipher: cipher)
  }

  init(header: FileHeader, bytes: [UInt8], isSecondCurrent: Bool, cipher: BlockCipher) {
    self.header = header
    self.bytes = bytes
    self.isSecondCurrent = isSecondCurrent
    self.cipher = cipher
  }

  private static let tampered = ProtectionError(
    .tamperedHeader, "neither header is as the holder of the key wrote it", remedy: "Take the file from a copy")

  static func destroyed(_ id: KeyID) -> ProtectionError {
    ProtectionError(
      .destroyedKey, "its key \(id) was destroyed, so nothing can ever read it", remedy: "Remove it")
  }

  /// The key with an id.
  static func key(_ id: KeyID, _ keys: any KeyStore) throws(ProtectionError) -> SecretKey {
    let entry: KeyEntry?
    do throws(KeyStoreError) { entry = try keys.key(id) } catch { throw ProtectionError(error) }
    switch entry {
    case .key(let key): return key
    case .destroyed: throw Self.destroyed(id)
    case nil:
      throw ProtectionError(
        .foreignKey, "its key \(id) is not in the key store: another app, account or device wrote it",
        remedy: "Open it in the app that wrote it, or share that app's key store")
    }
  }
}
