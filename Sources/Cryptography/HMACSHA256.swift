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
  package static func code(of message: [UInt8], key: KeyBytes) -> [UInt8]? {
    message.withUnsafeBytes { message in key.withUnsafeBytes { code(of: message, key: $0) } }
  }

  /// The same for callers that cannot go on without it: the library fails only if it is out of memory or lacks the algorithm,
  /// and the program then stops, as it does when an array cannot allocate.
  package static func requiredCode(of message: [UInt8], key: KeyBytes) -> [UInt8] {
    guard let code = code(of: message, key: key) else {
      preconditionFailure("the library computes no HMAC: it is out of memory or installed incompletely")
    }
    return code
  }

  /// A key of 32 bytes that only this purpose has: HKDF (RFC 5869), of which 32 bytes are a single block. `nil` if the library
  /// failed.
  package static func derive(from key: KeyBytes, salt: [UInt8], purpose: String) -> KeyBytes? {
    let info = Array(purpose.utf8) + [1]
    let extracted = salt.withUnsafeBytes { salt in key.withUnsafeBytes { keyBytes(of: $0, key: salt) } }
    return extracted?.withUnsafeBytes { extracted in
      info.withUnsafeBytes { keyBytes(of: $0, key: extracted) }
    }
  }

  private struct LibraryFailure: Error {}

  /// A code that is a key itself.
  private static func keyBytes(of message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> KeyBytes? {
    try? KeyBytes(count: byteCount) { (output) throws(LibraryFailure) in
      guard write(codeOf: message, key: key, into: output) else { throw LibraryFailure() }
    }
  }

  private static func code(of message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: byteCount)
    let isDone = output.withUnsafeMutableBytes { write(codeOf: message, key: key, into: $0) }
    return isDone ? output : nil
  }

  private static func write(
    codeOf message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    #if canImport(CryptoKit)
      let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
      code.withUnsafeBytes { output.copyMemory(from: $0) }
      return true
    #else
      // Keys are padded with zeros, so a zero is the empty key. libcrypto takes a null pointer for no key at all.
      return withUnsafeBytes(of: 0 as UInt8) { zero in
        let key = key.isEmpty ? zero : key
        let text = (message.isEmpty ? zero : message).baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var count: UInt32 = 0
        return HMAC(EVP_sha256(), key.baseAddress, Int32(key.count), text, message.count, code, &count) != nil
          && Int(count) == byteCount
      }
    #endif
  }
}
