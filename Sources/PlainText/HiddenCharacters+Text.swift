extension HiddenCharacters {
  /// A text in which each hidden character is spelled out: `\n`, `\x80` for a byte that is not UTF-8, otherwise `\u{202E}`.
  package static func spelledOut(in text: String) -> String {
    // Almost all output is harmless, and examining bytes is faster than decoding them.
    if areAbsent(from: text) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case _ where standForBytes.contains(scalar.value):
        result.append(contentsOf: "\\x\(String(scalar.value & 0xFF, radix: 16, uppercase: true))".unicodeScalars)
      case _ where contains(scalar):
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
