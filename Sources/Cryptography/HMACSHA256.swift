#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Authentication and derivation of keys with HMAC-SHA-256 (RFC 2104).
package enum HMACSHA256 {
  /// The length of a code in bytes.
  package static let byteCount = 32

  /// The code of a message under a key; `nil` if the library failed, as when it is out of memory.
  package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
    #if canImport(CryptoKit)
      return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    #else
      var output = [UInt8](repeating: 0, count: byteCount)
      var count: UInt32 = 0
      let isDone = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &output, &count) != nil
      return isDone && Int(count) == byteCount ? output : nil
    #endif
  }

  /// The same for callers that cannot go on without it: the library fails only if it is out of memory or lacks the algorithm,
  /// and the program then stops, as it does when an array cannot allocate.
  package static func requiredCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    guard let code = code(of: message, key: key) else {
      preconditionFailure("the library computes no HMAC: it is out of memory or installed incompletely")
    }
    return code
  }

  /// A key of 32 bytes that only this purpose has: HKDF (RFC 5869), of which 32 bytes are a single block.
  package static func derive(from key: [UInt8], salt: [UInt8], purpose: String) -> [UInt8]? {
    guard let extracted = code(of: key, key: salt) else { return nil }
    return code(of: Array(purpose.utf8) + [1], key: extracted)
  }
}
