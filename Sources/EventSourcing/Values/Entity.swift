/// A thing that events are about, such as one room of a hotel: its kind, and the key that tells it from others of the kind.
///
/// ``EventTypes/keyed(_:by:)`` says which fields of the events hold the keys. A domain gives its kinds names in Swift:
///
/// ```swift
/// extension Entity {
///   static func room(_ number: UInt64) -> Entity { Entity("room", number) }
/// }
/// ```
public struct Entity: Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing it is, as ``EventTypes/keyed(_:by:)`` names it.
  public let kind: String
  /// What tells it from others of its kind.
  public let key: Key

  /// The key of an entity.
  public enum Key: Hashable, Sendable {
    /// A number.
    case number(UInt64)
    /// Sixteen bytes, the first one most significant.
    case guid(high: UInt64, low: UInt64)
  }

  /// An entity whose key is a number.
  public init(_ kind: String, _ number: UInt64) {
    self.kind = kind
    key = .number(number)
  }

  /// An entity whose key is a GUID; `nil` unless there are sixteen bytes, in the order of the printed digits.
  public init?(_ kind: String, guid bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.kind = kind
    key = .guid(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  init(_ kind: String, _ key: Key) {
    self.kind = kind
    self.key = key
  }

  /// The kind and the key, such as `room 17`.
  public var description: String {
    switch key {
    case .number(let number): "\(kind) \(number)"
    case .guid(let high, let low):
      "\(kind) \(Self.digits(high, 0..<4))-\(Self.digits(high, 4..<6))-\(Self.digits(high, 6..<8))"
        + "-\(Self.digits(low, 0..<2))-\(Self.digits(low, 2..<8))"
    }
  }

  /// Two digits for each of these bytes of a word.
  private static func digits(_ word: UInt64, _ bytes: Range<UInt64>) -> String {
    bytes.map { place in
      let byte = word >> (56 - place * 8) & 0xff
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
