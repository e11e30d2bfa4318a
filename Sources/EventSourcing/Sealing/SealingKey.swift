import Cryptography

/// A key of 256 bits that seals values with AES-256-GCM (NIST SP 800-38D) and authenticates others with HMAC-SHA-256
/// (RFC 2104).
///
/// Keys come from a key store, which also destroys them: see ``SealingKeys``. All copies of one share its bytes, which nothing
/// prints and which are overwritten when the last copy is gone.
public struct SealingKey: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The length of a key, 32 bytes.
  public static let byteCount = 32
  static let nonceByteCount = AES256GCM.nonceByteCount
  static let tagByteCount = AES256GCM.tagByteCount

  private let bytes: KeyBytes

  /// The key with these random bytes; `nil` unless there are 32. The caller's array stays as it is.
  public init?(bytes: [UInt8]) {
    self.init(bytes: KeyBytes(copying: bytes))
  }

  /// The key with these bytes; `nil` unless there are 32.
  package init?(bytes: KeyBytes) {
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

  /// Never the key.
  public var description: String { "sealing key" }

  /// Never the key.
  public var debugDescription: String { description }

  /// Never the key: `dump` and debuggers show what a mirror has.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
