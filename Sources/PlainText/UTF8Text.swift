/// Text for output is put together as bytes: a line of a log has some twenty pieces, and a string for each would take
/// longer than everything else.
extension [UInt8] {
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
  package mutating func append(fraction nanoseconds: UInt64) {
    guard nanoseconds > 0 else { return }
    append(UInt8(ascii: "."))
    var (digits, count) = (nanoseconds, 9)
    while digits % 10 == 0 {
      digits /= 10
      count -= 1
    }
    append(digits, digits: count)
  }
}

extension String {
  /// The text that `body` appends.
  package init(utf8 body: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    body(&bytes)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
