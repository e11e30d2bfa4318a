import JSON

/// Reads one quoted text of YAML, which may go on over several lines.
struct QuotedText {
  private let text: ExportText
  private let start: Int
  private let isDouble: Bool
  /// The index after what was read.
  private(set) var end: Int
  /// What the text says.
  private(set) var value = ""

  /// A text that begins with the quotation mark at an index.
  init(_ text: ExportText, at start: Int) {
    self.text = text
    self.start = start
    isDouble = text.scalars[start] == "\""
    end = start + 1
  }

  /// Reads a text that ends before an index; `false` if it does not.
  mutating func readOnOneLine(before limit: Int) throws(PolicyDocumentError) -> Bool {
    while end < limit {
      if try readCharacter() { return true }
    }
    return false
  }

  /// Reads the whole text.
  ///
  /// - Returns: The number of line breaks in it.
  mutating func read() throws(PolicyDocumentError) -> Int {
    var breaks = 0
    while end < text.scalars.count {
      if isBreak(end) {
        breaks += fold()
        continue
      }
      if isDouble, text.scalars[end] == "\\", isBreak(end + 1), end + 1 < text.scalars.count {
        // A backslash joins two lines without a blank.
        end += 1
        breaks += passBreak()
        skipBlanks()
        continue
      }
      if try readCharacter() { return breaks }
    }
    throw error(at: start, "the text in quotes does not end", "close the quotes")
  }

  private func isBreak(_ index: Int) -> Bool {
    index >= text.scalars.count || text.scalars[index] == "\n" || text.scalars[index] == "\r"
  }

  private mutating func passBreak() -> Int {
    let isPair = text.scalar(at: end) == "\r" && text.scalar(at: end + 1) == "\n"
    end += isPair ? 2 : 1
    return 1
  }

  private mutating func skipBlanks() {
    while text.scalar(at: end) == " " || text.scalar(at: end) == "\t" { end += 1 }
  }

  /// Joins lines: one break is a blank, and each empty line a line break.
  private mutating func fold() -> Int {
    while let last = value.unicodeScalars.last, last == " " || last == "\t" { value.unicodeScalars.removeLast() }
    var breaks = 0
    while end < text.scalars.count, isBreak(end) {
      breaks += passBreak()
      skipBlanks()
    }
    value += breaks == 1 ? " " : String(repeating: "\n", count: breaks - 1)
    return breaks
  }

  /// Reads one character; `true` for the mark that ends the text.
  private mutating func readCharacter() throws(PolicyDocumentError) -> Bool {
    let scalar = text.scalars[end]
    switch scalar {
    case "'" where !isDouble:
      end += 1
      guard text.scalar(at: end) == "'" else { return true }
      value.unicodeScalars.append("'")
      end += 1
    case "\"" where isDouble:
      end += 1
      return true
    case "\\" where isDouble: try readEscape()
    case _:
      value.unicodeScalars.append(scalar)
      end += 1
    }
    return false
  }

  private mutating func readEscape() throws(PolicyDocumentError) {
    let place = end
    let letter = text.scalar(at: end + 1)
    end += 2
    if let scalar = Self.escapes[letter] {
      value.unicodeScalars.append(scalar)
      return
    }
    let lengths: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]
    guard let length = lengths[letter], let number = number(length) else {
      throw error(at: place, "the backslash does not begin an escape", "double the backslash")
    }
    end += length
    if let scalar = Unicode.Scalar(number) {
      value.unicodeScalars.append(scalar)
      return
    }
    // A character beyond the Basic Multilingual Plane may be written as two UTF-16 units.
    guard 0xD800..<0xDC00 ~= number, text.scalar(at: end) == "\\", text.scalar(at: end + 1) == "u" else {
      throw error(at: place, "the escape is not a character", "write the character itself")
    }
    end += 2
    guard let low = self.number(4), 0xDC00...0xDFFF ~= low,
      let scalar = Unicode.Scalar(0x10000 + (number - 0xD800) << 10 + (low - 0xDC00))
    else { throw error(at: place, "the escape is half a character", "write the character itself") }
    end += 4
    value.unicodeScalars.append(scalar)
  }

  /// The hexadecimal number in the next characters.
  private func number(_ length: Int) -> UInt32? {
    guard end + length <= text.scalars.count else { return nil }
    let digits = text.text(end..<(end + length))
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }) else {
      return nil
    }
    return UInt32(digits, radix: 16)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r",
    "e": "\u{1B}", " ": " ", "\"": "\"", "/": "/", "\\": "\\", "N": "\u{85}", "_": "\u{A0}", "L": "\u{2028}",
    "P": "\u{2029}",
  ]

  private func error(at index: Int, _ message: String, _ remedy: String) -> PolicyDocumentError {
    text.error(.yaml, at: index, message, remedy: remedy)
  }
}
