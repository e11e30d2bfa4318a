import PlainText

/// Text as a terminal shows it: what is safe to print, and how many columns it occupies.
public enum TerminalText {
  /// The alignment of text in a field wider than the text.
  public enum Alignment: Equatable, Sendable {
    /// At the left edge, for words.
    case left
    /// At the right edge, for numbers.
    case right
  }
}

extension TerminalText {
  /// The approximate number of columns that a terminal needs for the text.
  ///
  /// Terminals disagree, so this is an approximation. Characters are Swift's (extended grapheme clusters, Unicode
  /// Standard Annex 29), and each is as wide as its first scalar: zero columns for combining marks, format and control
  /// characters; two for wide and fullwidth East Asian characters (Unicode Standard Annex 11, by blocks), for
  /// characters displayed as emoji and for those that a variation selector turns into emoji; one for all others,
  /// including the ambiguous ones of Annex 11. Text with escape sequences or control characters has no width: measure
  /// it before styling and after ``visible(_:)``. O(n).
  public static func width(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// The text padded with spaces to `width` columns; unchanged if it is wider.
  public static func padded(_ text: String, to width: Int, _ alignment: Alignment = .left) -> String {
    let missing = width - self.width(of: text)
    guard missing > 0 else { return text }
    let spaces = String(repeating: " ", count: missing)
    return alignment == .left ? text + spaces : spaces + text
  }

  /// The text truncated to at most `width` columns, its end replaced by `…` if anything was cut. Characters are never
  /// split; the result is empty if `width` is less than one.
  public static func truncated(_ text: String, to width: Int) -> String {
    guard self.width(of: text) > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      used += self.width(of: character)
      // One column is reserved for the ellipsis.
      if used > width - 1 { break }
      result.append(character)
    }
    return result + "…"
  }

  private static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if isWide(first) { return 2 }
    return scalars.count > 1 && scalars.dropFirst().contains("\u{FE0F}") && first.properties.isEmoji ? 2 : 1
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    // Hangul initial consonants, CJK from radicals to Yi, more Hangul initials, Hangul syllables.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3: true
    // Angle brackets, compatibility ideographs and forms, fullwidth forms.
    case 0x2329...0x232A, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6: true
    // Tangut, Khitan, old kana; the supplementary and tertiary ideographic planes.
    case 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD: true
    case 0x1F1E6...0x1F1FF: true
    default: scalar.properties.isEmojiPresentation
    }
  }
}

extension TerminalText {
  /// Untrusted text in a form that is safe on a terminal: nothing in it moves the cursor, reorders letters or is
  /// invisible.
  ///
  /// Tab, line feed and carriage return become `\t`, `\n` and `\r`; what stands for a byte of a file's name that is not
  /// UTF-8 becomes that byte, such as `\xE9`; every other one of `HiddenCharacters` becomes `\u{…}` with its code
  /// point in hexadecimal, as Swift writes it.
  /// A backslash stays as it is, so the
  /// result is for reading and cannot be turned back. The result has no line break. O(n).
  public static func visible(_ text: String) -> String {
    HiddenCharacters.spelledOut(in: text)
  }

  /// Whether text in UTF-8 is visible as it is: ``visible(_:)`` would return it unchanged.
  public static func isVisible(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { HiddenCharacters.areAbsent(fromUTF8: $0) }
  }
}
