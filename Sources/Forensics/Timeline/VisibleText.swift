import PlainText

/// Text from a history as a page may show it.
enum VisibleText {
  /// The text with hidden characters spelled out, and without what is beyond a number of characters.
  static func of(_ text: String, limit: Int) -> String {
    let isLong = text.utf8.count > limit && text.unicodeScalars.count > limit
    guard isLong else { return HiddenCharacters.spelledOut(in: text) }
    return HiddenCharacters.spelledOut(in: String(text.unicodeScalars.prefix(limit)))
      + "… (\(text.unicodeScalars.count - limit) more characters)"
  }
}
