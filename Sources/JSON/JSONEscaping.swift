/// Which characters are escaped in a string, and how.
///
/// Beside what RFC 8259 demands (quotation mark, backslash, U+0000 to U+001F), everything is escaped that could steer a
/// terminal or break a line: DEL, C1 controls, U+2028 and U+2029, the controls of writing direction, and
/// characters without width.
enum JSONEscaping {
  static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x22, 0x5C, 0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    guard mustEscape(scalar) else {
      bytes.append(contentsOf: scalar.utf8)
      return
    }
    bytes.append(0x5C)
    switch scalar.value {
    case 0x22: bytes.append(0x22)
    case 0x5C: bytes.append(0x5C)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      // Everything else that is escaped lies in the Basic Multilingual Plane: four digits are enough.
      bytes.append(UInt8(ascii: "u"))
      for shift in [12, 8, 4, 0] as [UInt32] {
        let digit = UInt8(truncatingIfNeeded: (scalar.value >> shift) & 0xF)
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    // Most text needs no escape: plain ASCII is copied, everything else takes the slow way.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      bytes.append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
    }
    bytes.append(0x22)
  }
}
