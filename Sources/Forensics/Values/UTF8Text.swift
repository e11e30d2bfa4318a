import PlainText

/// Text for output is put together as bytes: a line of a log has some twenty pieces, and a string for each would take
/// longer than everything else.
extension [UInt8] {
  /// Appends text.
  package mutating func append(_ text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends the UTF-8 form of a literal.
  package mutating func append(literal text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a number in decimal digits.
  @inlinable
  package mutating func append(_ number: some FixedWidthInteger) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(UInt64(number.magnitude), digits: 1)
  }

  /// Appends bytes as lower-case hexadecimal digits.
  @inlinable
  package mutating func append(hexadecimal bytes: some Sequence<UInt8>) {
    for byte in bytes {
      append(Self.hexadecimalDigit(byte >> 4))
      append(Self.hexadecimalDigit(byte & 15))
    }
  }

  @usableFromInline
  static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
