/// The string literals of a Swift source, and the code between them.
struct SourceText {
  /// A byte of code, or a string literal in the pieces that interpolations leave of it.
  enum Token {
    case code(UInt8)
    case literal([String])
  }

  let tokens: [Token]

  init(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    tokens = reader.tokens()
  }

  /// The literals within the parentheses that follow each of these names, up to a label that ends the message.
  func literals(after names: [String], upTo labels: [String]) -> [[String]] {
    var found: [[String]] = []
    var word: [UInt8] = []
    for (index, token) in tokens.enumerated() {
      guard case .code(let byte) = token else {
        word = []
        continue
      }
      if Self.isPart(byte) {
        word.append(byte)
        continue
      }
      if byte == UInt8(ascii: "("), Self.isNamed(String(decoding: word, as: UTF8.self), names) {
        found += literals(from: index + 1, upTo: labels)
      }
      word = []
    }
    return found
  }

  private func literals(from start: Int, upTo labels: [String]) -> [[String]] {
    var found: [[String]] = []
    var depth = 1
    var word: [UInt8] = []
    for token in tokens[start...] {
      switch token {
      case .literal(let pieces):
        found.append(pieces)
        word = []
      case .code(let byte):
        if Self.isPart(byte) {
          word.append(byte)
          continue
        }
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        let ends = byte == UInt8(ascii: ":") && labels.contains(String(decoding: word, as: UTF8.self))
        if depth == 0 || ends { return found }
        word = []
      }
    }
    return found
  }

  /// Whether a word is one of the names, or one of them after a type or a value.
  private static func isNamed(_ word: String, _ names: [String]) -> Bool {
    names.contains { word == $0 || !$0.contains(".") && word.hasSuffix("." + $0) }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    (0x30...0x39 ~= byte) || (0x41...0x5A ~= byte) || (0x61...0x7A ~= byte) || "_.".utf8.contains(byte)
  }

  /// What the literals say, those joined with + as one, an interpolation as an ellipsis.
  var text: String {
    var text = ""
    var isJoined = false
    for token in tokens {
      switch token {
      case .literal(let pieces):
        if !isJoined { text += "\n" }
        text += pieces.joined(separator: "…")
        isJoined = true
      case .code(let byte): if !" \n+".utf8.contains(byte) { isJoined = false }
      }
    }
    return text
  }

  private struct Reader {
    let bytes: [UInt8]
    var next = 0

    func isAt(_ text: StaticString) -> Bool {
      // Most bytes begin nothing, and a debug build takes its time to compare sequences.
      guard next < bytes.count, bytes[next] == text.utf8Start.pointee else { return false }
      return text.withUTF8Buffer { bytes[next...].starts(with: $0) }
    }

    mutating func tokens() -> [Token] {
      var tokens: [Token] = []
      while next < bytes.count {
        if isAt("//") {
          while next < bytes.count, bytes[next] != UInt8(ascii: "\n") { next += 1 }
        } else if isAt("#\"") {
          next += 2
          let start = next
          while next < bytes.count, !isAt("\"#") { next += 1 }
          tokens.append(.literal([String(decoding: bytes[start..<next], as: UTF8.self)]))
          next += 2
        } else if isAt("\"") {
          tokens.append(.literal(literal()))
        } else {
          tokens.append(.code(bytes[next]))
          next += 1
        }
      }
      return tokens
    }

    /// Reads a literal with the quotation marks around it.
    mutating func literal() -> [String] {
      let isLong = isAt("\"\"\"")
      next += isLong ? 3 : 1
      var pieces: [[UInt8]] = [[]]
      while next < bytes.count, !(isLong ? isAt("\"\"\"") : isAt("\"")) {
        guard bytes[next] == UInt8(ascii: "\\"), next + 1 < bytes.count else {
          pieces[pieces.count - 1].append(bytes[next])
          next += 1
          continue
        }
        let escaped = bytes[next + 1]
        next += 2
        switch escaped {
        case UInt8(ascii: "("):
          interpolation()
          pieces.append([])
        // A long literal's line that goes on with the next one.
        case UInt8(ascii: "\n"): while next < bytes.count, bytes[next] == UInt8(ascii: " ") { next += 1 }
        case UInt8(ascii: "n"): pieces[pieces.count - 1].append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): pieces[pieces.count - 1].append(UInt8(ascii: "\t"))
        default: pieces[pieces.count - 1].append(escaped)
        }
      }
      next += isLong ? 3 : 1
      return pieces.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Passes over an interpolation, which may hold literals itself.
    mutating func interpolation() {
      var depth = 1
      while next < bytes.count, depth > 0 {
        if isAt("\"") {
          _ = literal()
          continue
        }
        if isAt("(") { depth += 1 }
        if isAt(")") { depth -= 1 }
        next += 1
      }
    }
  }
}
