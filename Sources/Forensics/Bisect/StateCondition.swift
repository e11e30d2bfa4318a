import EventSourcing

/// A condition on a state, as passed to `pj bisect --where`: `/policies/a1/version > 17 and not launch(a1) = allowed`.
///
/// ```
/// test      = subject [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) value ]
/// subject   = a path, in which * and ? are wildcards, or a question
/// question  = name [ "(" value { "," value } ")" ]
/// value     = a word, or text in single or double quotes; for = and != with * and ?
/// ```
///
/// A path tests the values there and below it, and one of them is enough. Without a comparison, it tests whether anything is
/// set.
public typealias StateCondition<Domain: QuestionDomain> = Condition<StateTest<Domain>>

/// A test of a state.
public enum StateTest<Domain: QuestionDomain>: Equatable, Sendable {
  /// A value at the path passes.
  case value(PathPattern, ValueTest)
  /// The answer to the question has this name.
  case answer(QuestionText<Domain>, Glob)
}

extension Condition {
  /// Parses an expression.
  ///
  /// - Throws: ``FilterError`` with the column, the reason and what was expected.
  public init<Domain: QuestionDomain>(state text: String, of domain: Domain.Type = Domain.self) throws(FilterError)
  where Test == StateTest<Domain> {
    self = try ConditionParser.condition(text, orders: true) { (parser) throws(FilterError) in
      try Self.stateTest(&parser)
    }
  }

  private static func stateTest<Domain: QuestionDomain>(
    _ parser: inout ConditionParser
  ) throws(FilterError) -> Self where Test == StateTest<Domain> {
    let start = parser.current
    guard case .word(let word) = start.kind else {
      throw FilterError(
        column: start.column, "expected a path or a question, found \(start.text)",
        remedy: "write a path such as /\(Domain.State.sliceNames.first ?? "")"
          + (Domain.questions.isEmpty ? "" : ", or one of \(Domain.questions.map(\.name).joined(separator: ", "))"))
    }
    parser.advance()
    guard word.hasPrefix("/") else {
      let question = try QuestionText<Domain>(word, try parser.consumeArguments(), column: start.column)
      let sign = parser.current
      guard let comparison = parser.consumeComparison(), comparison == .equal || comparison == .different else {
        throw FilterError(
          column: sign.column, "expected = or != after a question, found \(sign.text)",
          remedy: "write \(question.text) = ANSWER")
      }
      let column = parser.current.column
      let answer = try value(&parser)
      try question.requirePossible(answer, column: column)
      let test = Self.test(.answer(question, Glob(answer)))
      return comparison == .equal ? test : .not(test)
    }
    let path = PathPattern(Glob(word))
    guard let comparison = parser.consumeComparison() else { return .test(.value(path, .isSet)) }
    let column = parser.current.column
    let operand = try value(&parser)
    if operand == "unset", comparison == .equal || comparison == .different {
      let isSet = Self.test(.value(path, .isSet))
      return comparison == .equal ? .not(isSet) : isSet
    }
    switch comparison {
    case .equal, .different: try path.requirePossible(operand, in: Domain.State.self, column: column)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    switch comparison {
    case .equal: return .test(.value(path, .matches(Glob(operand), ValueBound(operand))))
    case .different: return .not(.test(.value(path, .matches(Glob(operand), ValueBound(operand)))))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let bound = ValueBound(operand) else {
        throw FilterError(
          column: column, "\"\(operand)\" has no order",
          remedy: "write a number, a version such as 17.2, a duration such as 90m or P1D, or a time")
      }
      switch comparison {
      case .less: return .test(.value(path, .isBelow(bound, orEqual: false)))
      case .lessOrEqual: return .test(.value(path, .isBelow(bound, orEqual: true)))
      case .greater: return .test(.value(path, .isAbove(bound, orEqual: false)))
      case .greaterOrEqual, .equal, .different: return .test(.value(path, .isAbove(bound, orEqual: true)))
      }
    }
  }

  private static func value(_ parser: inout ConditionParser) throws(FilterError) -> String {
    guard let value = parser.consumeValue() else {
      throw FilterError(
        column: parser.current.column, "expected a value, found \(parser.current.text)",
        remedy: "write a word or text in quotes")
    }
    return value
  }
}
