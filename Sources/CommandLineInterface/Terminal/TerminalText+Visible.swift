import Spelling

extension TerminalText {
  /// Text from outside in a form that is safe on a terminal: nothing in it moves the cursor, changes the order in which
  /// letters are shown, or hides.
  ///
  /// Tab, line feed and carriage return become `\t`, `\n` and `\r`; every other one of `HiddenCharacters` becomes
  /// `\u{…}` with its code point in hexadecimal, as Swift writes it.
  /// A backslash stays as it is, so the
  /// result is for reading and cannot be turned back. The result has no line break. O(n).
  public static func visible(_ text: String) -> String {
    // Almost everything printed is harmless, and looking at bytes is cheaper than decoding.
    if HiddenCharacters.areAbsent(from: text) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case _ where HiddenCharacters.contains(scalar):
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
