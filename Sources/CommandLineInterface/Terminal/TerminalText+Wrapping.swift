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

  /// A line that is laid out already, in lines of at most `width` columns: broken at spaces, and otherwise as it is.
  /// Escape sequences that set text off have no width.
  ///
  /// - Parameters:
  ///   - line: Without line breaks.
  ///   - width: The most columns of a line.
  ///   - hanging: Under which column the further lines begin; under the first letter when `nil`. A word that would not
  ///     fit there begins further to the left, and one that fits nowhere sticks out.
  public static func folded(_ line: String, to width: Int, hanging: Int? = nil) -> [String] {
    // A byte is at most one column.
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

  /// The columns of text in which escape sequences set parts off.
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
