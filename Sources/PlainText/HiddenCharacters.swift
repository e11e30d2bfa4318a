/// Characters that steer a terminal, change the order in which letters are shown, or are invisible: the only table of
/// characters that text and JSON output escapes when it comes from outside.
package enum HiddenCharacters {
  /// Whether a character must be printed as its code point.
  ///
  /// - control characters: C0, DEL and C1;
  /// - marks, embeddings, overrides and isolates of the bidirectional algorithm (Unicode Standard Annex 9) and their
  ///   deprecated kin;
  /// - line and paragraph separators;
  /// - characters without a width or ink that hide, split or fill words, and the code points that Unicode keeps for
  ///   such (`Default_Ignorable_Code_Point`): soft hyphen, grapheme joiner, Hangul fillers, Khmer inherent vowels,
  ///   Mongolian vowel separator, zero width space, word joiner, invisible operators, byte order mark, annotations,
  ///   shorthand and musical controls, tags, and the variation selectors of plane 14;
  /// - U+10FF80–10FFFF, which stand for bytes of file names that are not UTF-8.
  ///
  /// The zero width joiner and non-joiner and the other variation selectors are left alone: emoji and several scripts
  /// need them.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x34F, 0x61C: true
    case 0x115F...0x1160, 0x17B4...0x17B5, 0x180E: true
    case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF, standForBytes: true
    default: false
    }
  }

  /// Characters that stand for the bytes 0x80 to 0xFF of a file's name that is not UTF-8.
  package static let standForBytes: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

  /// Whether the bytes show that no such character is in a text: the leading bytes of every block of them are looked
  /// for, and where many common signs share one, the byte after it too.
  package static func areAbsent(from text: String) -> Bool {
    var text = text
    return text.withUTF8 { areAbsent(fromUTF8: $0) }
  }

  /// The same of text in UTF-8.
  package static func areAbsent(fromUTF8 text: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      // Nearly all text is plain ASCII.
      if byte &- 0x20 < 0x5F {
        previous = byte
        continue
      }
      switch byte {
      case ..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xEF, 0xF3, 0xF4: return false
      case 0x80, 0x81: if previous == 0xE2 { return false }
      case 0x85: if previous == 0xE3 { return false }
      case 0x9B, 0x9D: if previous == 0xF0 { return false }
      default: break
      }
      previous = byte
    }
    return true
  }
}
