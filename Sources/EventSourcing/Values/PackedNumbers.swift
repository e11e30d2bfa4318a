/// Numbers in few bytes, one after the other: seven bits a byte, the lowest first; the eighth bit says that more follow.
struct PackedNumbers: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(contentsOf others: PackedNumbers) { bytes += others.bytes }
}

/// Reads ``PackedNumbers``.
struct PackedReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }
  private init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next number; `nil` where there is none.
  mutating func next() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst() {
      let bits = UInt64(byte & 0x7f)
      guard shift < 63 || shift == 63 && bits <= 1 else { return nil }
      number |= bits << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  /// A reader of the next `count` bytes, which are passed over; `nil` if fewer are left.
  mutating func take(_ count: UInt64) -> PackedReader? {
    guard count <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return PackedReader(rest.prefix(Int(count)))
  }
}
