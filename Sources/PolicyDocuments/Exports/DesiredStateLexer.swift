import JSON

/// Splits the PowerShell of a desired state configuration into words. Nothing is executed: what the reader does not know
/// stays what it is, a word.
struct DesiredStateLexer {
  /// One word.
  enum Token: Equatable {
    /// A name, such as `Node` or `IntuneAppProtectionPolicyiOS`.
    case word(String)
    /// A text in quotes; `nil` if a variable in it would be replaced.
    case text(String?)
    /// A variable without its dollar sign.
    case variable(String)
    /// A decimal number.
    case number(JSONNumber)
    /// `@(` or `@{`.
    case opening(Unicode.Scalar)
    /// Any other character, and the first one of a text that does not end.
    case symbol(Unicode.Scalar)
    /// The end of a line.
    case lineBreak
    /// The end of the text.
    case end
  }

  let text: ExportText
  /// The index of the next character.
  var index = 0
  /// The index at which the last token begins.
  private(set) var start = 0

  init(_ text: ExportText) {
    self.text = text
  }

  private func scalar(_ offset: Int = 0) -> Unicode.Scalar { text.scalar(at: index + offset) }

  private var isAtEnd: Bool { index >= text.scalars.count }

  /// The next token that is not a comment.
  mutating func next() -> Token {
    skipBlanks()
    start = index
    guard !isAtEnd else { return .end }
    let first = scalar()
    switch first {
    case "\n", "\r":
      index += 1
      return .lineBreak
    case "'":
      return exactText().map { .text($0) } ?? symbol()
    case "\"": return doubleText() ?? symbol()
    case "@" where scalar(1) == "(" || scalar(1) == "{":
      index += 2
      return .opening(text.scalar(at: index - 1))
    case "@" where scalar(1) == "'" || scalar(1) == "\"": return hereText() ?? symbol()
    case "$":
      index += 1
      return .variable(name { Self.isPartOfWord($0) || $0 == "." || $0 == ":" })
    case "-" where Self.isDigit(scalar(1)): return number() ?? symbol()
    case _ where Self.isDigit(first): return number() ?? .word(name(Self.isPartOfWord))
    case _ where Self.isPartOfWord(first): return .word(name(Self.isPartOfWord))
    case _: return symbol()
    }
  }

  private mutating func symbol() -> Token {
    index = start + 1
    return .symbol(text.scalar(at: start))
  }

  private mutating func name(_ isPart: (Unicode.Scalar) -> Bool) -> String {
    let first = index
    while !isAtEnd, isPart(scalar()) { index += 1 }
    return text.text(first..<index)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || isDigit(scalar) || scalar == "_"
  }

  private mutating func number() -> Token? {
    let first = index
    if scalar() == "-" { index += 1 }
    while Self.isPartOfWord(scalar()) || scalar() == "." { index += 1 }
    guard let number = JSONNumber(text: text.text(first..<index)) else {
      index = first
      return nil
    }
    return .number(number)
  }

  /// Passes over blanks, comments and the backtick that joins two lines.
  private mutating func skipBlanks() {
    while !isAtEnd {
      switch scalar() {
      case " ", "\t", "\u{FEFF}", "\u{A0}": index += 1
      case "#": while !isAtEnd, scalar() != "\n", scalar() != "\r" { index += 1 }
      case "<" where scalar(1) == "#":
        index += 2
        while !isAtEnd, !(scalar() == "#" && scalar(1) == ">") { index += 1 }
        index = min(index + 2, text.scalars.count)
      case "`" where scalar(1) == "\n": index += 2
      case "`" where scalar(1) == "\r": index += scalar(2) == "\n" ? 3 : 2
      case _: return
      }
    }
  }

  /// A text in single quotes, in which two of them stand for one; `nil` if it does not end.
  private mutating func exactText() -> String? {
    var value = String.UnicodeScalarView()
    index += 1
    while !isAtEnd {
      let next = scalar()
      index += 1
      guard next == "'" else {
        value.append(next)
        continue
      }
      guard scalar() == "'", !isAtEnd else { return String(value) }
      value.append(next)
      index += 1
    }
    return nil
  }

  /// A text in double quotes; `nil` if it does not end.
  private mutating func doubleText() -> Token? {
    var value = String.UnicodeScalarView()
    var isExact = true
    index += 1
    while !isAtEnd {
      let next = scalar()
      index += 1
      switch next {
      case "\"":
        guard scalar() == "\"", !isAtEnd else { return .text(isExact ? String(value) : nil) }
        value.append(next)
        index += 1
      case "`":
        guard !isAtEnd else { return nil }
        value.append(Self.escapes[scalar()] ?? scalar())
        index += 1
      case "$":
        if Self.isPartOfWord(scalar()) || scalar() == "(" || scalar() == "{" { isExact = false }
        value.append(next)
      case _: value.append(next)
      }
    }
    return nil
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "0": "\0", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
  ]

  /// A text between `@'` and `'@`, each at one end of a line; `nil` if it does not end.
  private mutating func hereText() -> Token? {
    let mark = scalar(1)
    index += 2
    while !isAtEnd {
      let isStartOfLine = index > 0 && (text.scalar(at: index - 1) == "\n" || text.scalar(at: index - 1) == "\r")
      if isStartOfLine, scalar() == mark, scalar(1) == "@" {
        index += 2
        return .text(nil)
      }
      index += 1
    }
    return nil
  }
}
