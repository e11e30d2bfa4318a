extension TerminalText {
  /// The text in lines of at most `width` columns, broken at spaces.
  ///
  /// Runs of spaces and line breaks count as one space. A word wider than a line gets a separate line and overflows it.
  /// Text without words yields one empty line. O(n).
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

  /// A line that is already laid out, folded into lines of at most `width` columns: broken at spaces, otherwise
  /// unchanged. Escape sequences that style text have no width.
  ///
  /// - Parameters:
  ///   - line: A line without line breaks.
  ///   - width: The maximum number of columns of a line.
  ///   - hanging: The column at which continuation lines begin; `nil` means that of the first letter. A word that would
  ///     not fit there begins further left, and one that fits nowhere overflows the line.
  public static func folded(_ line: String, to width: Int, hanging: Int? = nil) -> [String] {
    // A byte takes at most one column.
    guard line.utf8.count > width else { return [line] }
    let indentation = line.prefix { $0 == " " }.count
    let margin = min(hanging ?? indentation, max(0, width - 1))
    var lines: [String] = []
    var current = ""
    var used = 0
    var gap = 0
    var isEmpty = true
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let wordWidth = shownWidth(of: word)
      if !isEmpty, !word.isEmpty, used + gap + wordWidth > width {
        lines.append(current)
        let start = max(0, min(margin, width - wordWidth))
        current = String(repeating: " ", count: start) + word
        used = start + wordWidth
      } else if !word.isEmpty {
        current += String(repeating: " ", count: gap) + word
        used += gap + wordWidth
        isEmpty = false
      } else {
        gap += 1
        continue
      }
      gap = 1
    }
    return lines + [current]
  }

  /// The number of columns of text that contains styling escape sequences.
  private static func shownWidth(of text: Substring) -> Int {
    var shown = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" { isEscape = true }
      if !isEscape { shown.unicodeScalars.append(scalar) }
      if isEscape, scalar == "m" { isEscape = false }
    }
    return width(of: shown)
  }
}
