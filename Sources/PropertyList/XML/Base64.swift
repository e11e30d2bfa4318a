/// Base64 (RFC 4648, section 4), as the XML form encodes data.
enum Base64 {
  /// The decoded bytes; `nil` unless the text consists of whole groups of the alphabet with padding only at the end.
  /// White space between characters is ignored.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var characters = 0
    var padding = 0
    for byte in text where !XMLSource.isWhitespace(byte) {
      var value: UInt32 = 0
      if byte == UInt8(ascii: "=") {
        padding += 1
      } else {
        guard padding == 0, let digit = digit(byte) else { return nil }
        value = digit
      }
      bits = bits << 6 | value
      characters += 1
      if characters.isMultiple(of: 4) {
        guard padding <= 2 else { return nil }
        let group = [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        bytes.append(contentsOf: group.prefix(3 - padding))
        bits = 0
      }
    }
    return characters.isMultiple(of: 4) && padding <= 2 ? bytes : nil
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
