import Cryptography
import PlainText
import WireFormat

/// The layout of protected data, which the page ProtectedFileFormat explains.
enum DataLayout {
  static let magic: [UInt8] = [0x8A, 0x50, 0x4A, 0x44, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 1
  /// The bytes before the owner of marked data.
  static let markedStart = 12
  /// The bytes before the ciphertext.
  static let sealedStart = 72
  static let purpose = "policyjournal protected data"
  /// In Base64, the magic and no other beginning has these letters.
  static let textStart = "ilBKRA0KGg"
}

extension Protector {
  /// Protects data: encrypts it with its owner's key, or writes its owner before it.
  ///
  /// - Throws: ``ProtectionError/Code/empty`` if there is no byte, ``ProtectionError/Code/destroyedKey`` if the account was
  ///   wiped since its epoch.
  public func protect(_ data: [UInt8], _ protection: Protection) throws(ProtectionError) -> [UInt8] {
    guard !data.isEmpty else { throw Self.emptyData }
    try protection.checkOwner()
    var name: [UInt8] = []
    name.append(number: UInt16(protection.owner.utf8.count))
    name += Array(protection.owner.utf8)
    var bytes = DataLayout.magic
    bytes.append(number: DataLayout.version)
    switch protection {
    case .marked: return bytes + [2, 0] + name + data
    case .encrypted(let owner, let account):
      let (id, key) = try sealingKey(of: account ?? KeyAccount(owner))
      let random = randomBytes(32 + AES256GCM.nonceByteCount)
      guard random.count == 32 + AES256GCM.nonceByteCount,
        let derived = key.derived(salt: Array(random[..<32]), purpose: DataLayout.purpose)
      else { throw .encryptionFailed }
      bytes += [1, 0] + id.bytes + random
      guard
        let sealed = AES256GCM(key: derived)?.seal(name + data, nonce: Array(random[32...]), context: bytes)
      else { throw .encryptionFailed }
      return bytes + sealed
    }
  }

  /// The data as it was before it was protected.
  ///
  /// - Parameter required: Pass `encrypted` for data that was encrypted once.
  /// - Throws: ``ProtectionError/Code/notProtected`` for data without a header of this format, and
  ///   ``ProtectionError/Code/notEncrypted`` for any that is not encrypted where that is required.
  public func unprotect(
    _ data: [UInt8], requiring required: RequiredProtection = .any
  ) throws(ProtectionError) -> [UInt8] {
    try check(data, required)
    return try open(data).data
  }

  private func check(_ data: [UInt8], _ required: RequiredProtection) throws(ProtectionError) {
    guard required == .encrypted, !data.isEmpty else { return }
    guard data.starts(with: DataLayout.magic) else { throw .notEncrypted(isMarked: false) }
    if try !isEncrypted(data) { throw .notEncrypted(isMarked: true) }
  }

  /// What the header of protected data says.
  public func info(_ data: [UInt8]) throws(ProtectionError) -> ProtectionInfo {
    guard try isEncrypted(data) else {
      return ProtectionInfo(isEncrypted: false, owner: try open(data).owner, keyID: nil)
    }
    let id = KeyID(bytes: data.dropFirst(DataLayout.markedStart).prefix(KeyID.byteCount))
    do throws(ProtectionError) {
      return ProtectionInfo(isEncrypted: true, owner: try open(data).owner, keyID: id)
    } catch {
      guard error.code == .foreignKey || error.code == .destroyedKey else { throw error }
      return ProtectionInfo(isEncrypted: true, owner: nil, keyID: id)
    }
  }

  /// Protects a text: the protected data in Base64.
  public func protect(text: String, _ protection: Protection) throws(ProtectionError) -> String {
    ProtectedText.encoded(try protect(Array(text.utf8), protection))
  }

  /// The text as it was before it was protected.
  ///
  /// - Parameter required: Pass `encrypted` for a text that was encrypted once.
  public func unprotect(
    text: String, requiring required: RequiredProtection = .any
  ) throws(ProtectionError) -> String {
    if required == .encrypted, !text.isEmpty, !text.hasPrefix(DataLayout.textStart) {
      throw .notEncrypted(isMarked: false)
    }
    let bytes = try unprotect(try Self.bytes(of: text), requiring: required)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProtectionError(
        .tamperedData, "the data that the text protects is not a text", remedy: "Unprotect its bytes")
    }
    return text
  }

  /// What the header of a protected text says.
  public func info(text: String) throws(ProtectionError) -> ProtectionInfo { try info(try Self.bytes(of: text)) }

  private static let emptyData = ProtectionError(.empty, "the data is empty", remedy: "Protect no empty data")
  private static let truncatedData = ProtectionError(
    .truncated, "the data ends before its contents do", remedy: "Take the data from a copy")

  private static func bytes(of text: String) throws(ProtectionError) -> [UInt8] {
    guard !text.isEmpty else { throw emptyData }
    guard text.hasPrefix(DataLayout.textStart) else {
      throw ProtectionError(
        .notProtected, "the text has no header of protected data", remedy: "Use it as any other text")
    }
    guard let bytes = ProtectedText.decoded(text) else {
      throw ProtectionError(.tamperedData, "the text is not Base64", remedy: "Take the text from a copy")
    }
    return bytes
  }

  private func isEncrypted(_ data: [UInt8]) throws(ProtectionError) -> Bool {
    guard !data.isEmpty else { throw Self.emptyData }
    guard data.starts(with: DataLayout.magic) else {
      throw ProtectionError(
        .notProtected, "the data has no header of protected data", remedy: "Use it as any other data")
    }
    guard data.count >= DataLayout.markedStart else { throw Self.truncatedData }
    guard data.number(at: 8) == DataLayout.version, data[10] == 1 || data[10] == 2 else {
      throw ProtectionError(
        .unsupportedFormat, "the data has a version or kind that this program does not know",
        remedy: "Use the program that wrote it, or a later one")
    }
    return data[10] == 1
  }

  private func open(_ data: [UInt8]) throws(ProtectionError) -> (owner: String, data: [UInt8]) {
    guard try isEncrypted(data) else { return try Self.split(data[DataLayout.markedStart...]) }
    guard data.count >= DataLayout.sealedStart + 2 + AES256GCM.tagByteCount,
      let id = KeyID(bytes: data[12..<28])
    else { throw Self.truncatedData }
    let key = try OpenedHeader.key(id, keys)
    guard let derived = key.derived(salt: Array(data[28..<60]), purpose: DataLayout.purpose),
      let cipher = AES256GCM(key: derived)
    else { throw .encryptionFailed }
    let opened = cipher.open(
      data[DataLayout.sealedStart...], nonce: data[60..<72], context: Array(data[..<DataLayout.sealedStart]))
    guard let opened else {
      throw ProtectionError(
        .tamperedData, "the data is not as the holder of the key wrote it, or was cut",
        remedy: "Take the data from a copy")
    }
    return try Self.split(opened[...])
  }

  /// The owner's name with its length before it, and the data after it.
  private static func split(_ bytes: ArraySlice<UInt8>) throws(ProtectionError) -> (owner: String, data: [UInt8]) {
    let count = Int(bytes.number(at: 0, as: UInt16.self))
    guard count <= Protection.maximumOwnerByteCount, bytes.count >= 2 + count else { throw truncatedData }
    guard let owner = String(validating: bytes.dropFirst(2).prefix(count), as: UTF8.self) else {
      throw ProtectionError(.tamperedData, "the owner is not a text", remedy: "Take the data from a copy")
    }
    return (owner, Array(bytes.dropFirst(2 + count)))
  }
}

/// Protected data as a text: Base64 (RFC 4648, section 4).
package enum ProtectedText {
  package static func encoded(_ data: [UInt8]) -> String { Base64.text(data) }

  /// The data of a text; `nil` for any text that does not begin as protected data does, or is not Base64.
  package static func decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    guard text.hasPrefix(DataLayout.textStart), Base64.decode(text, into: &bytes) else { return nil }
    return bytes
  }
}
