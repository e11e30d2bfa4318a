import PlainText

/// Decides which characters of a string are escaped, and how.
///
/// Besides what RFC 8259 requires (quotation mark, backslash, U+0000 to U+001F), escapes every character that steers a
/// terminal or is invisible: see ``HiddenCharacters``.
package enum JSONEscaping {
  static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\\" || HiddenCharacters.contains(scalar)
  }

  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    guard mustEscape(scalar) else {
      bytes.append(contentsOf: scalar.utf8)
      return
    }
    switch scalar.value {
    case 0x22, 0x5C: bytes += [0x5C, UInt8(truncatingIfNeeded: scalar.value)]
    case 0x08: bytes += [0x5C, UInt8(ascii: "b")]
    case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
    case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
    case 0x0C: bytes += [0x5C, UInt8(ascii: "f")]
    case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
    default:
      // A character beyond the Basic Multilingual Plane takes two UTF-16 units.
      for unit in String(scalar).utf16 { append(unit: unit, to: &bytes) }
    }
  }

  private static func append(unit: UInt16, to bytes: inout [UInt8]) {
    bytes += [0x5C, UInt8(ascii: "u")]
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(truncatingIfNeeded: (unit >> shift) & 0xF)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends text in quotation marks.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    // Most text needs no escapes: plain ASCII is copied, everything else takes the slow path.
    var text = text
    let isPlain = text.withUTF8 { text in
      guard text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else { return false }
      bytes.append(contentsOf: text)
      return true
    }
    if !isPlain { for scalar in text.unicodeScalars { append(scalar, to: &bytes) } }
    bytes.append(0x22)
  }
}
