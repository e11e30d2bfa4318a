/// A help page under construction, for display in a terminal.
struct HelpPage {
  private(set) var lines: [String] = []
  private let width: Int
  private let style: Style

  /// The widest term that shares a line with its meaning.
  private static let widestTerm = 22

  /// A term as measured, the term as printed, and its meaning.
  struct Entry {
    var term: String
    var styledTerm: String
    var meaning: String
  }

  /// Uses at least 40 columns: fewer do not fit two columns of text.
  init(width: Int, style: Style) {
    self.width = max(40, width)
    self.style = style
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func heading(_ title: String) {
    if !lines.isEmpty { lines.append("") }
    lines += TerminalText.wrapped(title, to: width).map(style.bold)
  }

  mutating func paragraph(_ text: String, indent: Int = 0) {
    let margin = String(repeating: " ", count: indent)
    lines += TerminalText.wrapped(text, to: width - indent).map { margin + $0 }
  }

  /// Adds a line unchanged, whatever its width.
  mutating func line(_ text: String) {
    lines.append(text)
  }

  /// Terms in one column and their meanings in the next. The first column is at least `termWidth` wide.
  mutating func entries(_ entries: [Entry], termWidth minimum: Int = 0) {
    let widths = entries.map { TerminalText.width(of: $0.term) }
    let widest = widths.filter { $0 <= Self.widestTerm }.max() ?? Self.widestTerm
    let column = 4 + max(widest, min(minimum, Self.widestTerm))
    let margin = String(repeating: " ", count: column)
    for (entry, termWidth) in zip(entries, widths) {
      var meaning = TerminalText.wrapped(entry.meaning, to: width - column)[...]
      if termWidth <= Self.widestTerm, let first = meaning.popFirst() {
        let gap = String(repeating: " ", count: first.isEmpty ? 0 : column - 2 - termWidth)
        lines.append("  " + entry.styledTerm + gap + first)
      } else {
        lines.append("  " + entry.styledTerm)
      }
      lines += meaning.map { margin + $0 }
    }
  }

  /// The blocks of a text, separated by empty lines.
  mutating func blocks(_ blocks: [HelpBlock], exitCodes: [ExitCodeDescription]) {
    for block in blocks {
      if !lines.isEmpty { lines.append("") }
      switch block {
      case .paragraph(let text): paragraph(text)
      case .preformatted(let text): lines += text.map { $0.isEmpty ? "" : "  " + $0 }
      case .definitions(let definitions): entries(definitions.map { entry($0.term, $0.meaning) })
      case .exitCodes: entries(exitCodes.map { entry(String($0.code), $0.meaning) })
      }
    }
  }

  func entry(_ term: String, _ meaning: String) -> Entry {
    Entry(term: term, styledTerm: style.bold(term), meaning: meaning)
  }

  /// A positional as shown in a usage line, with its meaning.
  func entry(_ positional: PositionalDescription) -> Entry {
    let rule = positional.rule.phrase.map { " It is \($0)." } ?? ""
    return Entry(
      term: positional.usage, styledTerm: style.underline(positional.usage), meaning: positional.meaning + rule)
  }

  /// An option in both forms; long forms are aligned even without a short one.
  func entry(_ option: OptionDescription) -> Entry {
    let short = option.shortWord.map { $0 + ", " } ?? "    "
    let value = option.placeholder.map { " " + $0 } ?? ""
    let styledShort = option.shortWord.map { style.bold($0) + ", " } ?? "    "
    let styledValue = option.placeholder.map { " " + style.underline($0) } ?? ""
    return Entry(
      term: short + option.longWord + value, styledTerm: styledShort + style.bold(option.longWord) + styledValue,
      meaning: option.fullMeaning)
  }
}

extension OptionDescription {
  /// The meaning, followed by what the table says about the value.
  var fullMeaning: String {
    var sentences = [meaning]
    if let placeholder, let phrase = rule.phrase { sentences.append("\(placeholder) is \(phrase).") }
    if let defaultValue { sentences.append("Default: \(defaultValue).") }
    if isRepeatable { sentences.append("May be repeated.") }
    if takesBareNumbers, let shortWord { sentences.append("-5 is short for \(shortWord) 5.") }
    return sentences.joined(separator: " ")
  }
}
