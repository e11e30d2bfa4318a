extension AES256GCM {
  /// `nil` unless the key has 32 bytes, or if the library failed.
  package convenience init?(key: KeyBytes) {
    self.init(key: key.withUnsafeBytes { Array($0) })
  }
}

extension HMACSHA256 {
  /// The code of a message under a key; `nil` if the library failed, as when it is out of memory.
  package static func code(of message: [UInt8], key: KeyBytes) -> [UInt8]? {
    code(of: message, key: key.withUnsafeBytes { Array($0) })
  }

  /// A key of 32 bytes that only this purpose has: HKDF (RFC 5869), of which 32 bytes are a single block.
  package static func derive(from key: KeyBytes, salt: [UInt8], purpose: String) -> KeyBytes? {
    derive(from: key.withUnsafeBytes { Array($0) }, salt: salt, purpose: purpose).map { KeyBytes(copying: $0) }
  }
}
