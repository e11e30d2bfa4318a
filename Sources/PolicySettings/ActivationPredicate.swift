/// The predicate of an extension's activation rule (Apple, "Predicate Programming Guide", "Predicate Format String Syntax"), as
/// far as its types are concerned.
struct ActivationPredicate {
  /// A word, a quoted text or a sign. Its range is that of the predicate's UTF-8.
  private struct Token {
    enum Kind { case word, quoted, sign }
    let kind: Kind
    let range: Range<Int>
  }

  /// A comparison of a type with those of an attachment.
  struct Comparison {
    /// The type, without quotes.
    let type: String
    /// What stands before the quoted type, such as `ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO `.
    let beginning: String
    /// The quotation mark.
    let quote: String
    /// The whole comparison.
    let range: Range<Int>
    /// Whether another one can follow after `||` without parentheses.
    let isAlternative: Bool
  }

  private let bytes: [UInt8]
  private let tokens: [Token]

  init(_ text: String) {
    bytes = Array(text.utf8)
    tokens = Self.tokens(bytes)
  }

  /// The texts in quotes.
  var quotedTexts: [String] { tokens.filter { $0.kind == .quoted }.map(content) }

  /// The comparisons by which an attachment is accepted if any of its types is the one that is named.
  var comparisons: [Comparison] {
    tokens.indices.compactMap { index in
      guard tokens[index].kind == .quoted, index >= 2,
        ["UTI-CONFORMS-TO", "UTI-EQUALS"].contains(word(index - 1)), word(index - 2) != nil
      else { return nil }
      var first = index - 2
      switch word(first - 1) {
      case "ANY", "SOME": first -= 1
      case "ALL", "NONE": return nil
      default: break
      }
      let (start, quoted) = (tokens[first].range.lowerBound, tokens[index].range)
      let (before, after) = (sign(first - 1), sign(index + 1))
      return Comparison(
        type: content(tokens[index]), beginning: text(start..<quoted.lowerBound),
        quote: text(quoted.lowerBound..<quoted.lowerBound + 1), range: start..<quoted.upperBound,
        isAlternative: ["", "(", ",", "||", "OR"].contains(before) && ["", ")", "||", "OR"].contains(after))
    }
  }

  // MARK: Tokens

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func content(_ token: Token) -> String { text(token.range.lowerBound + 1..<token.range.upperBound - 1) }

  /// A word in capital letters; `nil` if something else or nothing is there.
  private func word(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .word else { return nil }
    return text(tokens[index].range).uppercased()
  }

  /// A sign, or a word in capital letters; empty at the ends.
  private func sign(_ index: Int) -> String {
    tokens.indices.contains(index) ? text(tokens[index].range).uppercased() : ""
  }

  private static func tokens(_ bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var index = 0
    func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
      bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
    }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        var close = index + 1
        while close < bytes.count, bytes[close] != byte { close += bytes[close] == UInt8(ascii: "\\") ? 2 : 1 }
        // What is not closed is no text.
        guard close < bytes.count else { return tokens }
        tokens.append(Token(kind: .quoted, range: index..<close + 1))
        index = close + 1
      case UInt8(ascii: "|"), UInt8(ascii: "&"):
        let stop = end(from: index) { $0 == byte }
        tokens.append(Token(kind: .sign, range: index..<stop))
        index = stop
      case _ where isWordByte(byte):
        let stop = end(from: index, while: isWordByte)
        tokens.append(Token(kind: .word, range: index..<stop))
        index = stop
      default:
        tokens.append(Token(kind: .sign, range: index..<index + 1))
        index += 1
      }
    }
    return tokens
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_$.@-".utf8.contains(byte) || byte >= 0x80
    }
  }
}
