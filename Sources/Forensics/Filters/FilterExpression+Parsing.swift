import Spelling

extension FilterExpression {
  /// The longest expression accepted, in characters.
  public static let maximumLength = 4096

  /// The deepest nesting of parentheses and `not`.
  public static let maximumDepth = 64

  /// Parses an expression.
  ///
  /// - Throws: ``FilterError`` with the column, the reason and what was expected.
  public init(_ text: String) throws(FilterError) {
    guard text.unicodeScalars.count <= Self.maximumLength else {
      throw FilterError("the expression has more than \(Self.maximumLength) characters", remedy: "write a shorter one")
    }
    var parser = try ExpressionParser(text)
    self = try parser.condition(depth: 0)
    try parser.expectEnd()
  }
}

/// A token of an expression and its place.
private struct ExpressionToken: Equatable {
  enum Kind: Equatable {
    case word(String)
    case quoted(String)
    case equals
    case differs
    case opening
    case closing
    case end
  }
  var kind: Kind
  var column: Int

  var text: String {
    switch kind {
    case .word(let text): "\"\(text)\""
    case .quoted(let text): "the text \"\(text)\""
    case .equals: "\"=\""
    case .differs: "\"!=\""
    case .opening: "\"(\""
    case .closing: "\")\""
    case .end: "the end"
    }
  }
}

private struct ExpressionParser {
  private var tokens: [ExpressionToken] = []
  private var index = 0

  init(_ text: String) throws(FilterError) {
    let scalars = Array(text.unicodeScalars)
    var place = 0
    while place < scalars.count {
      let start = place
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case " ", "\t", "\n": continue
      case "(": tokens.append(ExpressionToken(kind: .opening, column: start + 1))
      case ")": tokens.append(ExpressionToken(kind: .closing, column: start + 1))
      case "=": tokens.append(ExpressionToken(kind: .equals, column: start + 1))
      case "!":
        guard place < scalars.count, scalars[place] == "=" else {
          throw FilterError(column: start + 1, "\"!\" must be followed by \"=\"", remedy: "write != or not")
        }
        place += 1
        tokens.append(ExpressionToken(kind: .differs, column: start + 1))
      case "\"", "'":
        var content = String.UnicodeScalarView()
        while place < scalars.count, scalars[place] != scalar {
          content.append(scalars[place])
          place += 1
        }
        guard place < scalars.count else {
          throw FilterError(column: start + 1, "the quoted text is not closed", remedy: "add \(scalar) after it")
        }
        place += 1
        tokens.append(ExpressionToken(kind: .quoted(String(content)), column: start + 1))
      default:
        while place < scalars.count, !" \t\n()=!\"'".unicodeScalars.contains(scalars[place]) { place += 1 }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<place])
        tokens.append(ExpressionToken(kind: .word(String(word)), column: start + 1))
      }
    }
    tokens.append(ExpressionToken(kind: .end, column: scalars.count + 1))
  }

  private var current: ExpressionToken { tokens[min(index, tokens.count - 1)] }

  private mutating func take(word: String) -> Bool {
    guard case .word(let text) = current.kind, text.lowercased() == word else { return false }
    index += 1
    return true
  }

  mutating func condition(depth: Int) throws(FilterError) -> FilterExpression {
    var result = try term(depth: depth)
    while take(word: "or") { result = .or(result, try term(depth: depth)) }
    return result
  }

  private mutating func term(depth: Int) throws(FilterError) -> FilterExpression {
    var result = try factor(depth: depth)
    while take(word: "and") { result = .and(result, try factor(depth: depth)) }
    return result
  }

  private mutating func factor(depth: Int) throws(FilterError) -> FilterExpression {
    guard depth < FilterExpression.maximumDepth else {
      throw FilterError(
        column: current.column, "the expression is nested deeper than \(FilterExpression.maximumDepth) levels",
        remedy: "nest it less deeply")
    }
    if take(word: "not") { return .not(try factor(depth: depth + 1)) }
    if current.kind == .opening {
      let opening = current
      index += 1
      let inner = try condition(depth: depth + 1)
      guard current.kind == .closing else {
        throw FilterError(
          column: current.column, "expected \")\" to close column \(opening.column), found \(current.text)",
          remedy: "write and, or, or )")
      }
      index += 1
      return inner
    }
    return try comparison()
  }

  private mutating func comparison() throws(FilterError) -> FilterExpression {
    let names = FilterExpression.Field.allCases.map(\.rawValue)
    guard case .word(let name) = current.kind else {
      throw FilterError(
        column: current.column, "expected a field, found \(current.text)",
        remedy: "write one of \(names.joined(separator: ", "))")
    }
    guard let field = FilterExpression.Field(rawValue: name.lowercased()) else {
      let remedy = EditDistance.nearest(to: name, in: names, limit: 1).first.map { "write \($0)" }
      throw FilterError(
        column: current.column, "unknown field \"\(name)\"",
        remedy: remedy ?? "write one of \(names.joined(separator: ", "))")
    }
    index += 1
    let isEqual = current.kind == .equals
    guard isEqual || current.kind == .differs else {
      throw FilterError(
        column: current.column, "expected a comparison, found \(current.text)",
        remedy: "write \(name) = VALUE or \(name) != VALUE")
    }
    index += 1
    let pattern: String
    switch current.kind {
    case .word(let text), .quoted(let text): pattern = text
    case .equals, .differs, .opening, .closing, .end:
      throw FilterError(
        column: current.column, "expected a value, found \(current.text)",
        remedy: "write a word or text in quotes")
    }
    index += 1
    let comparison = FilterExpression.matches(field, Glob(pattern))
    return isEqual ? comparison : .not(comparison)
  }

  mutating func expectEnd() throws(FilterError) {
    guard current.kind != .end else { return }
    throw FilterError(
      column: current.column, "unexpected \(current.text) after the condition",
      remedy: "write \"and\" or \"or\" before it")
  }
}
