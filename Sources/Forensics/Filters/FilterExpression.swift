import PlainText

/// A condition on events, as passed to `-w`: `type = "wipe.*" and not account = "a2"`.
///
/// ```
/// test   = field ( "=" | "!=" ) value
/// field  = type | account | path | finding | seq | cause | process | text
/// value  = a word, or text in single or double quotes; * and ? are wildcards;
///          in double quotes, \" and \\ stand for " and \
/// ```
public typealias FilterExpression = Condition<FilterTest>

/// A property of an event matches a pattern.
public struct FilterTest: Equatable, Sendable {
  /// The property.
  public var field: Field
  /// What it must match.
  public var pattern: Glob

  /// `pattern` describes the property's whole text.
  public init(_ field: Field, _ pattern: Glob) {
    self.field = field
    self.pattern = pattern
  }

  /// A property of an event that a condition can test.
  public enum Field: String, CaseIterable, Sendable {
    /// The event's type.
    case type
    /// Any account that it concerns.
    case account
    /// Any path in the state that it changed, or a parent of such a path.
    case path
    /// The rule of any of its findings, which report likely mistakes in the app.
    case finding
    /// Its number.
    case seq
    /// The number of the event that caused it.
    case cause
    /// The number of the start of the process that wrote it.
    case process
    /// The displayed event; the pattern may occur anywhere in it.
    case text
  }

  /// Whether an event passes; `nil` if that depends on an unknown state.
  public func holds(for subject: FilterSubject) -> Bool? {
    switch field {
    case .type: pattern.matches(subject.type)
    case .account: subject.accounts().contains { $0.matches(pattern) }
    case .path: subject.changedPaths()?.contains { PathPattern(pattern).matches($0) }
    case .finding: subject.findings()?.contains { pattern.matches($0) }
    case .seq: pattern.matches(String(subject.sequence))
    case .cause: pattern.matches(String(subject.cause))
    case .process: pattern.matches(String(subject.process))
    case .text: Glob("*\(pattern.pattern)*").matches(String(decoding: subject.shownText(), as: UTF8.self))
    }
  }
}

extension Condition where Test == FilterTest {
  /// Parses an expression.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - fields: The fields that the events have.
  /// - Throws: ``FilterError`` with the column, the reason and what was expected.
  public init(_ text: String, fields: [FilterTest.Field] = FilterTest.Field.allCases) throws(FilterError) {
    self = try ConditionParser.condition(text) { (parser) throws(FilterError) in
      try Self.comparison(&parser, fields)
    }
  }

  /// Whether the condition holds for an event; `nil` if that depends on an unknown state.
  public func holds(for subject: FilterSubject) -> Bool? { holds { $0.holds(for: subject) } }

  /// The patterns of which one must match a path; those that must not match are omitted.
  var paths: [Glob] { tests(besidesNegated: true).filter { $0.field == .path }.map(\.pattern) }

  private static func comparison(
    _ parser: inout ConditionParser, _ fields: [FilterTest.Field]
  ) throws(FilterError) -> FilterExpression {
    let names = fields.map(\.rawValue)
    guard case .word(let name) = parser.current.kind else {
      throw FilterError(
        column: parser.current.column, "expected a field, found \(parser.current.text)",
        remedy: "write one of \(names.joined(separator: ", "))")
    }
    guard let field = fields.first(where: { $0.rawValue == name.lowercased() }) else {
      let remedy = EditDistance.nearest(to: name, in: names, limit: 1).first.map { "write \($0)" }
      throw FilterError(
        column: parser.current.column, "unknown field \"\(name)\"",
        remedy: remedy ?? "write one of \(names.joined(separator: ", "))")
    }
    parser.advance()
    let comparison = parser.current
    guard case .comparison(let sign) = comparison.kind else {
      throw FilterError(
        column: comparison.column, "expected a comparison, found \(comparison.text)",
        remedy: "write \(name) = VALUE or \(name) != VALUE")
    }
    parser.advance()
    guard let pattern = parser.consumeValue() else {
      throw FilterError(
        column: parser.current.column, "expected a value, found \(parser.current.text)",
        remedy: "write a word or text in quotes")
    }
    let test = FilterExpression.test(FilterTest(field, Glob(pattern)))
    return sign == .equal ? test : .not(test)
  }
}
