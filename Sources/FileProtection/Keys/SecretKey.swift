import Cryptography

/// A secret of 32 bytes from which the keys of files, data and sealed values are derived. Never used to encrypt by itself.
///
/// Copies share one place in memory, which is cleared when the last of them goes.
public struct SecretKey: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The length of a key, 32 bytes.
  public static let byteCount = 32

  let secret: KeyBytes

  /// The key with these random bytes; `nil` unless there are 32. The caller's own copy stays as it is.
  public init?(bytes: [UInt8]) { self.init(KeyBytes(copying: bytes)) }

  /// Takes a key that was drawn or read into an array, and overwrites the array with zeros in any case; `nil` unless there are 32
  /// bytes. Other copies of the array stay as they are.
  ///
  /// ```swift
  /// var bytes = SystemRandom.bytes(SecretKey.byteCount)
  /// let key = SecretKey(taking: &bytes)
  /// ```
  public init?(taking bytes: inout [UInt8]) { self.init(KeyBytes(taking: &bytes)) }

  /// `nil` unless there are 32 bytes.
  init?(_ secret: KeyBytes) {
    guard secret.count == Self.byteCount else { return nil }
    self.secret = secret
  }

  /// A key that is drawn for its use here. Clears the array in which it comes.
  init?(drawnFrom randomBytes: (Int) -> [UInt8]) {
    var drawn = randomBytes(Self.byteCount)
    self.init(taking: &drawn)
  }

  /// Lends the secret. Only a key store needs it, to keep it. The pointer is valid only within `body`.
  public func withUnsafeBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try secret.withUnsafeBytes(body)
  }

  /// Names the key without revealing it: the first 16 bytes of the HMAC-SHA-256, under the key, of `policyjournal key id`.
  /// `nil` if the library is out of memory.
  public var id: KeyID? {
    HMACSHA256.code(of: Array("policyjournal key id".utf8), key: secret).flatMap { KeyID(bytes: $0.prefix(16)) }
  }

  /// A key that only this purpose and salt have, by HKDF-SHA-256 (RFC 5869); `nil` if the library is out of memory.
  package func derived(salt: [UInt8] = [], purpose: String) -> KeyBytes? {
    HMACSHA256.derive(from: secret, salt: salt, purpose: purpose)
  }

  /// Never the secret.
  public var description: String { "key \(id?.description ?? "")" }

  /// Never the secret.
  public var customMirror: Mirror { Mirror(self, children: ["id": id as Any]) }
}
