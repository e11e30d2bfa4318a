import Spelling

/// Text from a history as a page may show it.
enum VisibleText {
  /// The text with hidden characters spelled out, as `\u{202E}`, and without what is beyond a number of characters.
  static func of(_ text: String, limit: Int) -> String {
    let isLong = text.utf8.count > limit && text.unicodeScalars.count > limit
    if !isLong, HiddenCharacters.areAbsent(from: text) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case _ where HiddenCharacters.contains(scalar):
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    guard isLong else { return String(result) }
    return String(result) + "… (\(text.unicodeScalars.count - limit) more characters)"
  }
}
