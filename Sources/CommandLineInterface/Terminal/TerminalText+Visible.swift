extension TerminalText {
  /// Text from outside in a form that is safe on a terminal: nothing in it moves the cursor, changes the order in which
  /// letters are shown, or hides.
  ///
  /// Tab, line feed and carriage return become `\t`, `\n` and `\r`; every other character of these becomes `\u{…}` with
  /// its code point in hexadecimal, as Swift writes it:
  ///
  /// - control characters: C0, DEL and C1 (U+0000–001F, U+007F–009F);
  /// - marks, embeddings, overrides and isolates of the bidirectional algorithm (Unicode Standard Annex 9: U+061C,
  ///   U+200E–F, U+202A–E, U+2066–9) and their deprecated kin (U+206A–F);
  /// - line and paragraph separators (U+2028–9);
  /// - characters without a width that hide or split words: soft hyphen, zero width space, word joiner and invisible
  ///   operators, byte order mark, interlinear annotations, tags (U+00AD, U+180E, U+200B, U+2060–4, U+FEFF, U+FFF9–B,
  ///   U+E0000–E007F).
  ///
  /// The zero width joiner and non-joiner stay: emoji and several scripts need them. A backslash stays as it is, so the
  /// result is for reading and cannot be turned back. The result has no line break. O(n).
  public static func visible(_ text: String) -> String {
    // Almost everything printed is harmless, and looking at bytes is cheaper than decoding.
    if isHarmless(text) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case _ where isHazardous(scalar.value):
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Whether the bytes show that nothing in the text is hazardous. The leading bytes of every hazardous block are looked
  /// for, and of U+2000–207F, which arrows and other common signs share their leading byte with, the second byte too.
  private static func isHarmless(_ text: String) -> Bool {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case ..<0x20, 0x7F, 0xC2, 0xD8, 0xE1, 0xEF, 0xF3: return false
      case 0x80, 0x81: if previous == 0xE2 { return false }
      default: break
      }
      previous = byte
    }
    return true
  }

  private static func isHazardous(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E: true
    case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }
}
