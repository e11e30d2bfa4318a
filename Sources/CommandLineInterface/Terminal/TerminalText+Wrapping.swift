extension TerminalText {
  /// The text in lines of at most `width` columns, broken at spaces.
  ///
  /// Runs of spaces and line breaks count as one space. A word that is wider than a line stands alone on its line and
  /// sticks out. There is one empty line for text without words. O(n).
  public static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
      let wordWidth = self.width(of: String(word))
      if !line.isEmpty, used + 1 + wordWidth > width {
        lines.append(line)
        line = ""
        used = 0
      }
      if !line.isEmpty {
        line += " "
        used += 1
      }
      line += word
      used += wordWidth
    }
    return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
  }
}
