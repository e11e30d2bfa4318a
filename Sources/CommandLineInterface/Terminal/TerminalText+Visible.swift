import PlainText

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
