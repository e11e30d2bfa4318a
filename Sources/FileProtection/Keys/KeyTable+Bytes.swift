import Cryptography

/// The bytes of a ``FileKeyStore``'s file, as the page on key stores lays them out.
extension KeyTable {
  static let magic: [UInt8] = [0x8A, 0x50, 0x4A, 0x57, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 2
  static let headerByteCount = 40
  static let recordByteCount = 100
  static let maximumByteCount =
    headerByteCount + WrappingCipher.byteCount + maximumCount * recordByteCount + HMACSHA256.byteCount
  private static let saltByteCount = 16
  private static let nameKeyContext = Array("policyjournal key names".utf8)

  /// The file's bytes, under another salt each time: no key ever encrypts for two of them.
  ///
  /// - Parameter path: The file, which errors name.
  /// - Throws: ``KeyStoreError`` if the table has more records than a reader takes, or if the library failed.
  func encoded(
    _ wrapping: SecretKey, for path: String, randomBytes: (Int) -> [UInt8]
  ) throws(KeyStoreError) -> [UInt8] {
    let count = count
    guard count <= Self.maximumCount else {
      throw KeyStoreError(
        .unavailable,
        "the key file \(path) has room for 65,536 keys, and for 1,024 names that never had one; it is full, and stays as it was",
        remedy: "Begin another key file for new journals")
    }
    let salt = randomBytes(Self.saltByteCount)
    guard salt.count == Self.saltByteCount, let cipher = WrappingCipher(wrapping, salt) else { throw .library }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerByteCount + (count + 1) * Self.recordByteCount)
    bytes += Self.magic
    bytes.append(number: Self.version)
    bytes.append(number: UInt16(0))
    bytes.append(number: UInt32(count))
    bytes.append(number: generation)
    bytes += salt
    func wrap(_ key: KeyBytes, _ context: [UInt8]) throws(KeyStoreError) {
      guard let wrapped = cipher.wrap(key, nonce: randomBytes(AES256GCM.nonceByteCount), context) else {
        throw .library
      }
      bytes += wrapped
    }
    try wrap(nameKey, Self.nameKeyContext)
    for record in records {
      guard let key = record.key, let id = record.ids.first else {
        for number in 0..<record.count {
          let end = bytes.count + Self.recordByteCount
          bytes.append(number: 2 | record.epoch << 8)
          bytes += record.nameCode
          for id in record.ids.dropFirst(number * Self.idsInRecord).prefix(Self.idsInRecord) { bytes += id.bytes }
          bytes += [UInt8](repeating: 0, count: end - bytes.count)
        }
        continue
      }
      bytes.append(number: 1 | record.epoch << 8)
      bytes += record.nameCode + id.bytes
      try wrap(key.secret, record.nameCode + id.bytes)
    }
    guard let code = HMACSHA256.code(of: bytes, key: cipher.authentication) else { throw .library }
    return bytes + code
  }

  /// Reads a file of version 1 or 2, which one of the wrapping keys opens.
  ///
  /// - Parameter path: The file, which errors name.
  static func read(
    _ bytes: [UInt8], of path: String, _ wrappings: [SecretKey]
  ) throws(KeyStoreError) -> (table: KeyTable, wrapping: SecretKey) {
    guard bytes.starts(with: Self.magic), bytes.count >= Self.headerByteCount + HMACSHA256.byteCount else {
      throw damaged(path, "it is not a key file, or it was cut")
    }
    let version = bytes.number(at: 8, as: UInt16.self)
    guard version == 1 || version == Self.version else {
      throw KeyStoreError(
        .unsupportedFormat, "the key file \(path) has version \(version), and this program knows 1 and 2",
        remedy: "Use the program that wrote it, or a later one")
    }
    let start = headerByteCount + (version == 1 ? 0 : WrappingCipher.byteCount)
    let count = Int(bytes.number(at: 12, as: UInt32.self))
    let end = bytes.count - HMACSHA256.byteCount
    guard count <= maximumCount, end == start + count * recordByteCount else {
      throw damaged(path, "its length is not that of \(count) keys")
    }
    let salt = Array(bytes[(headerByteCount - saltByteCount)..<headerByteCount])
    let (authenticated, code) = (Array(bytes[..<end]), Array(bytes[end...]))
    for wrapping in wrappings {
      guard let cipher = WrappingCipher(wrapping, salt),
        let expected = HMACSHA256.code(of: authenticated, key: cipher.authentication)
      else { throw .library }
      guard expected == code else { continue }
      let nameKey =
        version == 1
        ? wrapping.derived(salt: salt, purpose: "policyjournal key names")
        : cipher.unwrap(bytes[headerByteCount..<start], nameKeyContext)
      guard let nameKey else { throw damaged(path, "the key of the names cannot be unwrapped") }
      var table = KeyTable(nameKey: nameKey)
      table.generation = bytes.number(at: 16)
      var records: [Record] = []
      records.reserveCapacity(count)
      for place in stride(from: start, to: end, by: recordByteCount) {
        records.append(try record(bytes[place..<(place + recordByteCount)], of: path, cipher))
      }
      table.add(records)
      return (table, wrapping)
    }
    throw damaged(path, "it was changed, or another key wraps it")
  }

  private static func record(
    _ bytes: ArraySlice<UInt8>, of path: String, _ cipher: WrappingCipher
  ) throws(KeyStoreError) -> Record {
    let nameCode = Array(bytes.part(8..<24))
    let epoch = bytes.number(at: 0, as: UInt64.self) >> 8
    switch bytes.part(0..<1).first {
    case 1?:
      let id = Array(bytes.part(24..<40))
      guard let key = cipher.unwrap(bytes.part(40..<100), nameCode + id).flatMap({ SecretKey($0) }),
        let id = KeyID(bytes: id)
      else { throw damaged(path, "the key at byte \(bytes.startIndex) cannot be unwrapped") }
      return Record(nameCode: nameCode, ids: [id], key: key, epoch: epoch)
    case 2?:
      // Version 1 has zeros after the first id.
      let ids = (0..<idsInRecord).compactMap { number -> KeyID? in
        let id = bytes.part((24 + number * KeyID.byteCount)..<(40 + number * KeyID.byteCount))
        return id.allSatisfy { $0 == 0 } ? nil : KeyID(bytes: id)
      }
      return Record(nameCode: nameCode, ids: ids, key: nil, epoch: epoch)
    default:
      throw KeyStoreError(
        .unsupportedFormat,
        "the record at byte \(bytes.startIndex) of the key file \(path) is of a kind that this program does not know",
        remedy: "Use the program that wrote it, or a later one")
    }
  }

  private static func damaged(_ path: String, _ reason: String) -> KeyStoreError {
    KeyStoreError(
      .damaged, "the key file \(path) cannot be used: \(reason)",
      remedy: "Check the wrapping key; if it is right, the keys are lost unless a copy of the file is sound")
  }
}

extension ArraySlice<UInt8> {
  /// A part, counted from the first byte.
  fileprivate func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
    self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

/// What a wrapping key and the salt of one file derive.
private struct WrappingCipher {
  /// A nonce, a key of 32 bytes and a tag.
  static let byteCount = AES256GCM.nonceByteCount + SecretKey.byteCount + AES256GCM.tagByteCount

  /// The key that authenticates the file.
  let authentication: KeyBytes
  private let cipher: AES256GCM

  /// `nil` if the library failed.
  init?(_ wrapping: SecretKey, _ salt: [UInt8]) {
    guard let key = wrapping.derived(salt: salt, purpose: "policyjournal key wrapping"),
      let cipher = AES256GCM(key: key),
      let authentication = wrapping.derived(salt: salt, purpose: "policyjournal key store")
    else { return nil }
    self.cipher = cipher
    self.authentication = authentication
  }

  /// Encrypts a key: nonce, ciphertext and tag.
  func wrap(_ key: KeyBytes, nonce: [UInt8], _ context: [UInt8]) -> [UInt8]? {
    guard nonce.count == AES256GCM.nonceByteCount else { return nil }
    var sealed = [UInt8](repeating: 0, count: key.count + AES256GCM.tagByteCount)
    let isDone = sealed.withUnsafeMutableBytes { sealed in
      let (text, tag) = (sealed[..<key.count], sealed[key.count...])
      return key.withUnsafeBytes { key in
        nonce.withUnsafeBytes { nonce in
          context.withUnsafeBytes { context in
            cipher.seal(
              key, into: UnsafeMutableRawBufferPointer(rebasing: text),
              tag: UnsafeMutableRawBufferPointer(rebasing: tag), nonce: nonce, context: context)
          }
        }
      }
    }
    return isDone ? nonce + sealed : nil
  }

  /// Decrypts what ``wrap(_:nonce:_:)`` returned, straight to where the key stays; `nil` if it is not that.
  func unwrap(_ wrapped: ArraySlice<UInt8>, _ context: [UInt8]) -> KeyBytes? {
    guard wrapped.count == Self.byteCount else { return nil }
    let end = AES256GCM.nonceByteCount + SecretKey.byteCount
    return try? KeyBytes(count: SecretKey.byteCount) { (key) throws(Refused) in
      let isRight = wrapped.withUnsafeBytes { wrapped in
        let nonce = UnsafeRawBufferPointer(rebasing: wrapped[..<AES256GCM.nonceByteCount])
        let text = UnsafeRawBufferPointer(rebasing: wrapped[AES256GCM.nonceByteCount..<end])
        return context.withUnsafeBytes { context in
          cipher.open(
            text, into: key, tag: UnsafeRawBufferPointer(rebasing: wrapped[end...]), nonce: nonce, context: context)
        }
      }
      if !isRight { throw Refused() }
    }
  }

  private struct Refused: Error {}
}
