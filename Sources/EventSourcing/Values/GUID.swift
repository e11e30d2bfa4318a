/// A globally unique id of sixteen bytes, such as the id of a user in a directory.
///
/// Text is read in either case, compared as bytes, so that `A…` and `a…` are equal, and printed in lower case. The
/// bytes are in the order of the printed digits.
public struct GUID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// The first eight bytes, most significant first.
  @usableFromInline package let high: UInt64
  /// The last eight bytes, most significant first.
  @usableFromInline package let low: UInt64

  @usableFromInline
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Sixteen zero bytes, with which reading a field begins.
  public static let zero = GUID(high: 0, low: 0)

  /// Creates a value from sixteen bytes in the order of the printed digits; `nil` for any other count.
  @inlinable
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads `8-4-4-4-12` hexadecimal digits in either case; returns `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    var index = 0
    for byte in text.utf8 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Self.value(ofDigit: byte), digits < 32 else { return nil }
        if digits < 16 { words.high = words.high << 4 | digit } else { words.low = words.low << 4 | digit }
        digits += 1
      }
      index += 1
    }
    guard digits == 32 else { return nil }
    (high, low) = words
  }

  /// The sixteen bytes in the order of the printed digits.
  public var bytes: [UInt8] {
    (0..<16).map { index in
      let word = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: word >> UInt64(56 - index % 8 * 8))
    }
  }

  /// The printed form: `8-4-4-4-12` lower-case digits.
  public var description: String {
    let digits: [UInt8] = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The order of the printed forms.
  @inlinable
  public static func < (one: GUID, other: GUID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }

  private static func value(ofDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
