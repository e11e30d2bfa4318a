import PlainText

/// Parses a ``Condition`` whose tests a closure parses.
struct ConditionParser {
  /// The longest expression accepted, in characters.
  static var maximumLength: Int { 4096 }
  /// The deepest nesting of parentheses and `not`.
  static var maximumDepth: Int { 64 }

  private var tokens: [Token] = []
  private var index = 0

  /// A part of an expression and its place.
  struct Token: Equatable {
    enum Kind: Equatable {
      case word(String)
      case quoted(String)
      case comparison(Comparison)
      case opening
      case closing
      case end
    }
    var kind: Kind
    /// Where it begins, from 1.
    var column: Int

    /// The token in messages.
    var text: String {
      switch kind {
      case .word(let text): "\"\(text)\""
      case .quoted(let text): "the text \"\(text)\""
      case .comparison(let comparison): "\"\(comparison.rawValue)\""
      case .opening: "\"(\""
      case .closing: "\")\""
      case .end: "the end"
      }
    }
  }

  /// How two values are compared.
  enum Comparison: String, Sendable {
    case equal = "="
    case different = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// Splits an expression into tokens.
  ///
  /// - Parameter orders: Whether `<` and `>` compare; otherwise they are parts of words.
  init(_ text: String, orders: Bool = false) throws(FilterError) {
    guard text.unicodeScalars.count <= Self.maximumLength else {
      throw FilterError("the expression has more than \(Self.maximumLength) characters", remedy: "write a shorter one")
    }
    let scalars = Array(text.unicodeScalars)
    let breaks = (orders ? " \t\n()=!\"'<>" : " \t\n()=!\"'").unicodeScalars
    var place = 0
    func consume(_ scalar: Unicode.Scalar) -> Bool {
      guard place < scalars.count, scalars[place] == scalar else { return false }
      place += 1
      return true
    }
    while place < scalars.count {
      let column = place + 1
      let scalar = scalars[place]
      place += 1
      let kind: Token.Kind
      switch scalar {
      case " ", "\t", "\n": continue
      case "(": kind = .opening
      case ")": kind = .closing
      case "=": kind = .comparison(.equal)
      case "<" where orders: kind = .comparison(consume("=") ? .lessOrEqual : .less)
      case ">" where orders: kind = .comparison(consume("=") ? .greaterOrEqual : .greater)
      case "!":
        guard consume("=") else {
          throw FilterError(column: column, "\"!\" must be followed by \"=\"", remedy: "write != or not")
        }
        kind = .comparison(.different)
      case "\"", "'":
        var content = String.UnicodeScalarView()
        while place < scalars.count, scalars[place] != scalar {
          // As output prints a text, so that it can be pasted: \" and \\ stand for the second sign.
          if scalar == "\"", scalars[place] == "\\", place + 1 < scalars.count,
            scalars[place + 1] == "\"" || scalars[place + 1] == "\\"
          {
            place += 1
          }
          content.append(scalars[place])
          place += 1
        }
        guard consume(scalar) else {
          throw FilterError(column: column, "the quoted text is not closed", remedy: "add \(scalar) after it")
        }
        kind = .quoted(String(content))
      default:
        let start = place - 1
        while place < scalars.count, !breaks.contains(scalars[place]) { place += 1 }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<place])
        kind = .word(String(word))
      }
      tokens.append(Token(kind: kind, column: column))
    }
    tokens.append(Token(kind: .end, column: scalars.count + 1))
  }

  /// Parses all of `text`.
  ///
  /// - Throws: ``FilterError`` with the column, the reason and what was expected.
  static func condition<Test>(
    _ text: String, orders: Bool = false, test: (inout ConditionParser) throws(FilterError) -> Condition<Test>
  ) throws(FilterError) -> Condition<Test> {
    var parser = try ConditionParser(text, orders: orders)
    let result = try parser.condition(depth: 0, test)
    guard parser.current.kind != .end else { return result }
    throw FilterError(
      column: parser.current.column, "unexpected \(parser.current.text) after the condition",
      remedy: "write \"and\" or \"or\" before it")
  }

  /// The next token.
  var current: Token { tokens[min(index, tokens.count - 1)] }

  /// Goes to the token after the next one.
  mutating func advance() { index += 1 }

  /// The next token's text, if it is a word or quoted.
  mutating func consumeValue() -> String? {
    switch current.kind {
    case .word(let text), .quoted(let text):
      index += 1
      return text
    case .comparison, .opening, .closing, .end: return nil
    }
  }

  /// The next token's comparison, if it is one.
  mutating func consumeComparison() -> Comparison? {
    guard case .comparison(let comparison) = current.kind else { return nil }
    index += 1
    return comparison
  }

  /// The values within parentheses; none without them.
  mutating func consumeArguments() throws(FilterError) -> [String] {
    guard current.kind == .opening else { return [] }
    let opening = current.column
    advance()
    var values: [String?] = [nil]
    func add(_ text: String) { values[values.count - 1] = values[values.count - 1].map { $0 + " " + text } ?? text }
    while current.kind != .closing {
      let token = current.kind
      guard let text = consumeValue() else {
        throw FilterError(
          column: current.column, "expected \")\" to close column \(opening), found \(current.text)",
          remedy: "write the values with commas between them, then ), and others than words in quotes")
      }
      guard case .word = token else {
        add(text)
        continue
      }
      for (place, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
        if place > 0 { values.append(nil) }
        if !part.isEmpty { add(String(part)) }
      }
    }
    advance()
    return values == [nil] ? [] : values.map { $0 ?? "" }
  }

  private mutating func consume(word: String) -> Bool {
    guard case .word(let text) = current.kind, text.lowercased() == word else { return false }
    index += 1
    return true
  }

  private mutating func condition<Test>(
    depth: Int, _ test: (inout ConditionParser) throws(FilterError) -> Condition<Test>
  ) throws(FilterError) -> Condition<Test> {
    var result = try term(depth: depth, test)
    while consume(word: "or") { result = .or(result, try term(depth: depth, test)) }
    return result
  }

  private mutating func term<Test>(
    depth: Int, _ test: (inout ConditionParser) throws(FilterError) -> Condition<Test>
  ) throws(FilterError) -> Condition<Test> {
    var result = try factor(depth: depth, test)
    while consume(word: "and") { result = .and(result, try factor(depth: depth, test)) }
    return result
  }

  private mutating func factor<Test>(
    depth: Int, _ test: (inout ConditionParser) throws(FilterError) -> Condition<Test>
  ) throws(FilterError) -> Condition<Test> {
    guard depth < Self.maximumDepth else {
      throw FilterError(
        column: current.column, "the expression is nested deeper than \(Self.maximumDepth) levels",
        remedy: "nest it less deeply")
    }
    if consume(word: "not") { return .not(try factor(depth: depth + 1, test)) }
    guard current.kind == .opening else { return try test(&self) }
    let opening = current
    index += 1
    let inner = try condition(depth: depth + 1, test)
    guard current.kind == .closing else {
      throw FilterError(
        column: current.column, "expected \")\" to close column \(opening.column), found \(current.text)",
        remedy: "write and, or, or )")
    }
    index += 1
    return inner
  }
}
