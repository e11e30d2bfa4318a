/// A personal value that only an account's key opens, as a journal, its checkpoints and its keyframes hold it.
///
/// | bytes | what |
/// |---|---|
/// | 1 | `FF`, which begins no text in UTF-8 |
/// | 1 | the version of this layout, 1 |
/// | 8 | the account whose key seals it, least significant byte first |
/// | 12 | the nonce: random, never derived from the event's number, which a failed append or a fork uses again |
/// | n | the value's bytes, encrypted with AES-256-GCM |
/// | 16 | the tag |
///
/// The tag also covers the name of the domain, the first ten bytes, and the value's kind and privacy class. A sealed value
/// that is moved to another account, domain, kind of field or privacy class cannot be opened. Within them it can: states keep
/// the sealed values of events under other names.
public struct SealedValue: Hashable, Sendable {
  /// The bytes, as a field holds them.
  public let bytes: [UInt8]

  static let headerByteCount = 10
  /// The length of a sealed empty value.
  static let minimumByteCount = headerByteCount + SealingKey.nonceByteCount + SealingKey.tagByteCount
  private static let beginning: [UInt8] = [0xFF, 1]

  /// Whether the bytes of a field are a sealed value. No text in UTF-8 is one, nor are the 16 bytes of a GUID.
  @inlinable
  public static func isSealed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, first == 0xFF else { return false }
    return hasSealedForm(bytes)
  }

  @usableFromInline
  static func hasSealedForm(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= minimumByteCount && bytes.prefix(beginning.count).elementsEqual(beginning)
  }

  /// The bytes of a field; they must have the form of a sealed value.
  @usableFromInline
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = [UInt8](bytes)
  }

  /// The account whose key opens it.
  public var account: UInt64 { bytes[2..<Self.headerByteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  /// Distinguishes sealed values without showing them: the first eight bytes of the digest of ``bytes``.
  public var mark: UInt64 {
    bytes.withUnsafeBytes { Digest.sha256($0) }.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  init(sealing text: [UInt8], for account: UInt64, _ use: Use, key: SealingKey, nonce: [UInt8]) {
    let header = Self.beginning + (0..<8).map { UInt8(truncatingIfNeeded: account >> (8 * UInt64($0))) }
    bytes = header + nonce + key.seal(text, nonce: nonce, context: use.context(header[...]))
  }

  /// The value's bytes; `nil` if another key sealed it, or for another use.
  func opened(with key: SealingKey, _ use: Use) -> [UInt8]? {
    let text = Self.headerByteCount + SealingKey.nonceByteCount
    return key.open(
      bytes[text...], nonce: bytes[Self.headerByteCount..<text], context: use.context(bytes[..<Self.headerByteCount]))
  }

  /// Where a value may be opened.
  struct Use: Hashable, Sendable {
    /// The name of the domain.
    var domain: String
    /// The type of its field, as a catalogue numbers it.
    var kind: UInt64
    /// The privacy class of its field.
    var privacy: Privacy
    /// What else only the sealed value's own writer can have written; empty for fields.
    var bound: [UInt8] = []

    /// What the tag covers besides the value.
    func context(_ header: ArraySlice<UInt8>) -> [UInt8] {
      Array("policyjournal sealed value".utf8) + [0] + Array(domain.utf8) + [0] + header
        + [UInt8(truncatingIfNeeded: kind), privacy.rawValue] + bound
    }
  }
}
