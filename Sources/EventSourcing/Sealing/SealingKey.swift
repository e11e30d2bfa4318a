import Cryptography

/// A key of 256 bits that seals values with AES-256-GCM (NIST SP 800-38D) and authenticates others with HMAC-SHA-256
/// (RFC 2104).
///
/// Keys come from a key store, which also destroys them: see ``SealingKeys``.
public struct SealingKey: Equatable, Sendable {
  /// The length of a key, 32 bytes.
  public static let byteCount = 32
  static let nonceByteCount = AES256GCM.nonceByteCount
  static let tagByteCount = AES256GCM.tagByteCount

  private let bytes: [UInt8]

  /// The key with these random bytes; `nil` unless there are 32.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Encrypts `text`, and authenticates it together with `context`: the ciphertext, followed by the tag. A nonce must never
  /// be used twice with one key.
  ///
  /// The library fails only if it is out of memory or lacks the algorithm; the program then stops, as it does when an array
  /// cannot allocate.
  func seal(_ text: [UInt8], nonce: [UInt8], context: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Self.nonceByteCount, "a nonce has 12 bytes")
    guard let sealed = AES256GCM(key: bytes)?.seal(text, nonce: nonce, context: context) else {
      preconditionFailure("the library cannot encrypt: it is out of memory or installed incompletely")
    }
    return sealed
  }

  /// Decrypts what ``seal(_:nonce:context:)`` returned; `nil` if another key sealed it, or if it or the context was changed.
  func open(_ sealed: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>, context: [UInt8]) -> [UInt8]? {
    AES256GCM(key: bytes)?.open(sealed, nonce: nonce, context: context)
  }

  /// The key that only this purpose has: HKDF-SHA-256 (RFC 5869).
  func derived(salt: [UInt8], purpose: String) -> SealingKey {
    guard let derived = HMACSHA256.derive(from: bytes, salt: salt, purpose: purpose),
      let key = SealingKey(bytes: derived)
    else { preconditionFailure("the library derives no key: it is out of memory or installed incompletely") }
    return key
  }

  /// The HMAC-SHA-256 of `bytes`, for telling them apart without keeping them.
  func authenticationCode(of bytes: [UInt8]) -> [UInt8] {
    HMACSHA256.requiredCode(of: bytes, key: self.bytes)
  }
}
