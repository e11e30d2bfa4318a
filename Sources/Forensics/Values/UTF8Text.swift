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

  /// Appends a number in at least this many decimal digits, at most 20; zero in place of a negative one.
  package mutating func append(_ number: Int, digits: Int) {
    append(UInt64(clamping: number), digits: digits)
  }

  /// Appends a number in at least this many decimal digits, at most 20.
  @usableFromInline
  package mutating func append(_ number: UInt64, digits: Int) {
    // Most numbers are parts of times, indices and revisions.
    if number < 10, digits == 1 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
    if number < 100, digits == 2 || number >= 10 && digits < 2 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
      return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var rest = number
      var first = buffer.count
      while first > 0, rest > 0 || buffer.count - first < digits {
        first -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        buffer[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      append(contentsOf: UnsafeMutableBufferPointer(rebasing: buffer[first...]))
    }
  }

  /// Appends two numbers below 100 in two digits each, each after a separator, in one piece: a time has two such pairs.
  mutating func append(pairs numbers: (Int, Int), after separator: UInt8) {
    func digit(_ number: Int) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number) }
    let (one, other) = numbers
    let piece = (
      separator, digit(one / 10), digit(one % 10), separator, digit(other / 10), digit(other % 10)
    )
    Swift.withUnsafeBytes(of: piece) { append(contentsOf: $0) }
  }

  /// Appends a point and a fraction of a second in nanoseconds without its last zeros; nothing for zero.
  mutating func append(fraction nanoseconds: UInt64) {
    guard nanoseconds > 0 else { return }
    append(UInt8(ascii: "."))
    var (digits, count) = (nanoseconds, 9)
    while digits % 10 == 0 {
      digits /= 10
      count -= 1
    }
    append(digits, digits: count)
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

extension String {
  /// The text that `body` appends.
  init(utf8 body: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    body(&bytes)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
