import Cryptography

/// The bytes of a ``FileKeyStore``'s file, as the page on key stores lays them out.
struct KeyTable: Equatable {
  struct Record: Equatable {
    /// Stands for the name, and tells nothing about it.
    var nameCode: [UInt8]
    /// `nil` if the name never had a key before it was destroyed.
    var id: KeyID?
    /// `nil` once destroyed.
    var key: SecretKey?
    /// The epoch from which on the key is used; of one that was destroyed, the first in which the name may have another
    /// one, or 0 for none.
    var epoch: UInt64
  }

  static let magic: [UInt8] = [0x8A, 0x50, 0x4A, 0x57, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 1
  static let headerByteCount = 40
  static let recordByteCount = 100
  static let codeByteCount = 16
  static let maximumCount = 65_536
  /// Seven bytes.
  static let maximumEpoch: UInt64 = 1 << 56 - 1
  static let maximumByteCount = headerByteCount + maximumCount * recordByteCount + HMACSHA256.byteCount

  var generation: UInt64
  var salt: [UInt8]
  var records: [Record] = []

  private var header: [UInt8] {
    var bytes = Self.magic
    bytes.append(number: Self.version)
    bytes.append(number: UInt16(0))
    bytes.append(number: UInt32(records.count))
    bytes.append(number: generation)
    return bytes + salt
  }

  /// What stands for a name; `nil` if the library failed.
  func code(of name: KeyName, _ wrapping: SecretKey) -> [UInt8]? {
    var text: [UInt8] = []
    text.append(number: UInt32(name.scope.utf8.count))
    text += Array(name.scope.utf8) + Array(name.account.utf8)
    guard let key = wrapping.derived(salt: salt, purpose: "policyjournal key names") else { return nil }
    return HMACSHA256.code(of: text, key: key).map { Array($0.prefix(Self.codeByteCount)) }
  }

  /// The file's bytes; `nil` if the library failed.
  func encoded(_ wrapping: SecretKey, randomBytes: (Int) -> [UInt8]) -> [UInt8]? {
    guard let cipher = cipher(wrapping), let code = authentication(wrapping) else { return nil }
    var bytes = header
    for record in records {
      let id = record.id?.bytes ?? [UInt8](repeating: 0, count: KeyID.byteCount)
      bytes.append(number: (record.key == nil ? 2 : 1) | record.epoch << 8)
      bytes += record.nameCode + id
      guard let key = record.key else {
        bytes += [UInt8](repeating: 0, count: AES256GCM.nonceByteCount + SecretKey.byteCount + AES256GCM.tagByteCount)
        continue
      }
      let nonce = randomBytes(AES256GCM.nonceByteCount)
      guard nonce.count == AES256GCM.nonceByteCount,
        let sealed = cipher.seal(key.bytes, nonce: nonce, context: record.nameCode + id)
      else { return nil }
      bytes += nonce + sealed
    }
    return HMACSHA256.code(of: bytes, key: code).map { bytes + $0 }
  }

  /// Reads a file.
  init(_ bytes: [UInt8], _ wrapping: SecretKey) throws(KeyStoreError) {
    guard bytes.starts(with: Self.magic), bytes.count >= Self.headerByteCount + HMACSHA256.byteCount else {
      throw Self.damaged("it is not a key file, or it was cut")
    }
    guard bytes.number(at: 8) == Self.version else {
      throw KeyStoreError(
        .unsupportedFormat,
        "the key file has version \(bytes.number(at: 8, as: UInt16.self)), and this program knows 1",
        remedy: "Use the program that wrote it, or a later one")
    }
    generation = bytes.number(at: 16)
    salt = Array(bytes[24..<Self.headerByteCount])
    let count = Int(bytes.number(at: 12, as: UInt32.self))
    let end = bytes.count - HMACSHA256.byteCount
    guard count <= Self.maximumCount, end == Self.headerByteCount + count * Self.recordByteCount else {
      throw Self.damaged("its length is not that of \(count) keys")
    }
    guard let cipher = cipher(wrapping), let code = authentication(wrapping) else { throw KeyStoreError.library }
    guard HMACSHA256.code(of: Array(bytes[..<end]), key: code) == Array(bytes[end...]) else {
      throw Self.damaged("it was changed, or another key wraps it")
    }
    for place in stride(from: Self.headerByteCount, to: end, by: Self.recordByteCount) {
      let nameCode = Array(bytes[(place + 8)..<(place + 24)])
      let id = Array(bytes[(place + 24)..<(place + 40)])
      var record = Record(
        nameCode: nameCode, id: id.allSatisfy { $0 == 0 } ? nil : KeyID(bytes: id),
        epoch: bytes.number(at: place, as: UInt64.self) >> 8)
      guard bytes[place] == 1 || bytes[place] == 2 else {
        throw KeyStoreError(
          .unsupportedFormat,
          "the record at byte \(place) of the key file is of a kind that this program does not know",
          remedy: "Use the program that wrote it, or a later one")
      }
      if bytes[place] == 1 {
        let opened = cipher.open(
          bytes[(place + 52)..<(place + 100)], nonce: bytes[(place + 40)..<(place + 52)], context: nameCode + id)
        guard let key = opened.flatMap({ SecretKey(bytes: $0) }) else {
          throw Self.damaged("the key at byte \(place) cannot be unwrapped")
        }
        record.key = key
      }
      records.append(record)
    }
  }

  init(salt: [UInt8]) {
    generation = 1
    self.salt = salt
  }

  private func cipher(_ wrapping: SecretKey) -> AES256GCM? {
    wrapping.derived(salt: salt, purpose: "policyjournal key wrapping").flatMap { AES256GCM(key: $0) }
  }

  private func authentication(_ wrapping: SecretKey) -> [UInt8]? {
    wrapping.derived(salt: salt, purpose: "policyjournal key store")
  }

  private static func damaged(_ reason: String) -> KeyStoreError {
    KeyStoreError(
      .damaged, "the key file cannot be used: \(reason)",
      remedy: "Check the wrapping key; if it is right, the keys are lost unless a copy of the file is sound")
  }
}

extension KeyTable.Record {
  /// A name that had no key when its keys were destroyed.
  init(nameCode: [UInt8], epoch: UInt64) {
    self.init(nameCode: nameCode, id: nil, key: nil, epoch: epoch)
  }

  /// Whether a caller who knows of no later epoch than this one must not get a key of the name.
  func isOver(in epoch: UInt64) -> Bool { key == nil && self.epoch == 0 || epoch < self.epoch }

  mutating func destroy(until epoch: UInt64) {
    key = nil
    self.epoch = epoch
  }
}

extension [KeyTable.Record] {
  /// What a key store answers for records of one name or id.
  var entry: KeyEntry? { lazy.compactMap(\.key).first.map { .key($0) } ?? (isEmpty ? nil : .destroyed) }

  /// Whether the epochs of a name are to be counted anew from this one: its key in use is of a later one or, if one is wanted
  /// and none is in use, a wipe of a later one destroyed it.
  func isAhead(of epoch: UInt64, makesKey: Bool) -> Bool {
    if let inUse = first(where: { $0.key != nil }) { return inUse.epoch > epoch }
    return makesKey && contains { $0.epoch > epoch } && !contains { $0.epoch == 0 }
  }
}
