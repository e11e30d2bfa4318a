/// Reads numbers of a fixed length and the characters between them from left to right, as dates and times need it.
package struct DigitScanner: ~Copyable {
  private var rest: Substring.UTF8View

  package init(_ text: String) {
    rest = text[...].utf8
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Consumes a character if it comes next.
  package mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, UInt32(byte) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes exactly this many digits, at most 18; `nil` takes none.
  package mutating func digits(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

extension UInt8 {
  /// Whether the byte is a digit from 0 to 9 in ASCII.
  package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
