import Cryptography

/// The header of a protected file: what both of its copies say.
struct FileHeader: Equatable {
  /// The first bytes, which need no key.
  struct Beginning: Equatable {
    static let byteCount = 140

    var isEncrypted: Bool
    var keyID: [UInt8]
    var fileID: [UInt8]
  }

  static let fileIDByteCount = 32
  private static let tagPlace = Layout.page - AES256GCM.tagByteCount

  var keyID: KeyID
  var fileID: [UInt8]
  /// Counts the syncs.
  var generation: UInt64
  /// The length of the contents.
  var size: UInt64
  /// Blocks and headers that the file's key has sealed.
  var sealedCount: UInt64
  /// The root of the tree.
  var root: BlockReference
  var owner: String

  // MARK: Encrypted

  /// A copy of the header; `nil` if the library failed.
  func encoded(_ cipher: AES256GCM, nonce: [UInt8]) -> [UInt8]? {
    var bytes = Self.start(isEncrypted: true)
    bytes += keyID.bytes + fileID
    bytes.append(number: generation)
    bytes.append(number: size)
    bytes.append(number: sealedCount)
    root.append(to: &bytes)
    bytes += [0, 0, 0, 0] + nonce
    return cipher.seal(Self.owner(owner, in: Self.tagPlace - bytes.count), nonce: nonce, context: bytes).map {
      bytes + $0
    }
  }

  /// Opens a copy; `nil` if it is not as the holder of the key wrote it.
  init?(_ bytes: [UInt8], keyID: KeyID, _ cipher: AES256GCM) {
    let start = Beginning.byteCount
    guard bytes.count == Layout.page, let beginning = try? Beginning(bytes), beginning.isEncrypted,
      let opened = cipher.open(bytes[start...], nonce: bytes[(start - 12)..<start], context: Array(bytes[..<start])),
      let owner = Self.owner(opened)
    else { return nil }
    self.keyID = keyID
    fileID = beginning.fileID
    generation = bytes.number(at: 64)
    size = bytes.number(at: 72)
    sealedCount = bytes.number(at: 80)
    root = BlockReference(bytes, at: 88)
    self.owner = owner
    guard size <= Layout.maximumSize, generation < 1 << 62, sealedCount < 1 << 62 else { return nil }
  }

  init(keyID: KeyID, fileID: [UInt8], owner: String) {
    self.keyID = keyID
    self.fileID = fileID
    generation = 0
    size = 0
    sealedCount = 0
    root = .hole
    self.owner = owner
  }

  // MARK: Plain

  /// The header of a file that names its owner and is not encrypted.
  static func marked(_ owner: String) -> [UInt8] {
    let start = start(isEncrypted: false)
    return start + self.owner(owner, in: Layout.page - start.count)
  }

  /// The owner in such a header.
  static func markedOwner(_ bytes: [UInt8]) throws(ProtectionError) -> String {
    guard bytes.count == Layout.page else { throw Beginning.truncated }
    guard let owner = owner(Array(bytes[16...])) else {
      throw ProtectionError(
        .tamperedHeader, "the header's owner is not a text with its length before it and zeros after it",
        remedy: "Take the file from a copy")
    }
    return owner
  }

  // MARK: Common

  private static func start(isEncrypted: Bool) -> [UInt8] {
    var bytes = Layout.magic
    bytes.append(number: Layout.version)
    return bytes + [isEncrypted ? 1 : 2, 0, 0, 0, 0, 0]
  }

  private static func owner(_ owner: String, in count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt16(owner.utf8.count))
    bytes += Array(owner.utf8)
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  private static func owner(_ bytes: [UInt8]) -> String? {
    let count = Int(bytes.number(at: 0, as: UInt16.self))
    guard count <= Protection.maximumOwnerByteCount, count + 2 <= bytes.count,
      bytes[(count + 2)...].allSatisfy({ $0 == 0 })
    else { return nil }
    return String(validating: bytes[2..<(count + 2)], as: UTF8.self)
  }
}

extension FileHeader.Beginning {
  static let truncated = ProtectionError(
    .truncated, "the file ends within its headers", remedy: "Take the file from a copy")

  /// Reads the beginning of a copy.
  init(_ bytes: [UInt8]) throws(ProtectionError) {
    guard !bytes.isEmpty else {
      throw ProtectionError(.empty, "the file is empty", remedy: "Protect the file after it was written")
    }
    guard bytes.starts(with: Layout.magic) else {
      guard !Layout.magic.starts(with: bytes) else { throw Self.truncated }
      throw ProtectionError(
        .notProtected, "the file has no header of a protected file",
        remedy: "Read it as any other file, or protect it first")
    }
    guard bytes.count >= Self.byteCount else { throw Self.truncated }
    guard bytes.number(at: 8) == Layout.version else {
      throw ProtectionError(
        .unsupportedFormat,
        "the file has format version \(bytes.number(at: 8, as: UInt16.self)), and this program knows version 1",
        remedy: "Use the program that wrote it, or a later one")
    }
    guard bytes[10] == 1 || bytes[10] == 2 else {
      throw ProtectionError(
        .unsupportedFormat, "the header's kind is \(bytes[10]), and this program knows 1 and 2",
        remedy: "Use the program that wrote it, or a later one")
    }
    isEncrypted = bytes[10] == 1
    keyID = Array(bytes[16..<32])
    fileID = Array(bytes[32..<64])
  }
}
