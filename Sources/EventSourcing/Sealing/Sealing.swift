import Cryptography

/// What a store needs to seal personal data, and a history to open it: keys, and randomness.
///
/// ```swift
/// var options = StoreOptions()
/// options.sealing = Sealing(keys: keys, randomBytes: { SystemRandom.bytes($0) })
/// ```
public struct Sealing: Sendable {
  /// The keys.
  public let keys: any SealingKeys
  /// Returns this many random bytes. Nothing below the kit is random: simulations seed it, apps take the system's.
  public let randomBytes: @Sendable (Int) -> [UInt8]

  /// - Parameter randomBytes: Returns as many bytes as asked for, that only a secure random generator can predict. Outside of
  ///   tests it must be the system's.
  public init(keys: any SealingKeys, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
    self.keys = keys
    self.randomBytes = randomBytes
  }

  /// Seals a value for an account. After the account's key was destroyed, seals it with a key that is not kept, so that
  /// nothing opens it.
  func seal(
    _ text: [UInt8], for account: UInt64, _ use: SealedValue.Use
  ) throws(SealingError) -> SealedValue {
    let key = try keys.keyForSealing(account) ?? randomKey()
    let nonce = randomBytes(SealingKey.nonceByteCount)
    guard let key, nonce.count == SealingKey.nonceByteCount else {
      throw .withoutRandomness
    }
    return SealedValue(sealing: text, for: account, use, key: key, nonce: nonce)
  }

  /// A key that is kept nowhere.
  private func randomKey() -> SealingKey? {
    var drawn = randomBytes(SealingKey.byteCount)
    return SealingKey(bytes: KeyBytes(taking: &drawn))
  }

  /// The bytes of a sealed value; `nil` if its key was destroyed, or the value was moved or changed.
  func open(_ value: SealedValue, _ use: SealedValue.Use) throws(SealingError) -> [UInt8]? {
    guard let key = try keys.key(of: value.account) else { return nil }
    return value.opened(with: key, use)
  }

  /// A command's idempotency key or fingerprint in the form that a sealed journal keeps: the first bytes of an HMAC.
  ///
  /// - Parameter purpose: Keeps one kind of value from being compared with another.
  func code(of bytes: [UInt8], _ purpose: Purpose) throws(SealingError) -> [UInt8] {
    guard let key = try keys.keyForSealing(0) else {
      throw SealingError(
        "the journal's own key, number 0, was destroyed",
        remedy: "Append without an idempotency key, or begin a journal.")
    }
    return Self.code(of: bytes, purpose, under: key)
  }

  private static func code(of bytes: [UInt8], _ purpose: Purpose, under key: SealingKey) -> [UInt8] {
    Array(key.authenticationCode(of: [purpose.rawValue] + bytes).prefix(purpose.byteCount))
  }

  /// How many bytes tell keys from others.
  static var keyCheckLength: Int { Purpose.keyCheck.byteCount }

  /// What tells these keys from others: a code of nothing. Empty if key number 0 was destroyed.
  func keyCheck() throws(SealingError) -> [UInt8] {
    try keys.keyForSealing(0).map { Self.code(of: [], .keyCheck, under: $0) } ?? []
  }

  /// Refuses keys that are not those under which this was recorded. Makes no key.
  func requireKeys(of keyCheck: [UInt8]) throws(SealingError) {
    guard let key = try keys.key(of: 0) else { throw .lostKeys }
    guard Self.code(of: [], .keyCheck, under: key) == keyCheck else { throw .otherKeys }
  }

  /// What a code stands for.
  enum Purpose: UInt8 {
    case idempotencyKey = 1
    case commandFingerprint = 2
    case keyCheck = 3

    var byteCount: Int {
      switch self {
      case .idempotencyKey: 32
      case .commandFingerprint, .keyCheck: 8
      }
    }
  }
}
