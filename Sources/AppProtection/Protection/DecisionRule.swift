/// A rule that settles a question: a case of its table.
///
/// A table is an enumeration of rules. Its ``row`` describes each of them in one exhaustive switch: the answer, the
/// explanation and the list of all rules come from there.
///
/// Rules may share a name where one published rule has several outcomes, or one that rests on an assumption.
package protocol DecisionRule: CaseIterable, Equatable, Sendable where AllCases == [Self] {
  associatedtype Outcome: Equatable & Sendable
  /// Everything about the rule.
  var row: RuleRow<Outcome> { get }
  /// The place in ``allCases``. It is not stored anywhere.
  var number: UInt8 { get }
  /// A text of the row with the rule's placeholders replaced.
  func filled(_ text: StaticString) -> String
}

/// One rule as a value: its condition, outcome and reason.
package struct RuleRow<Outcome: Equatable & Sendable>: Sendable {
  /// The name, the statement and the parts of the state that it reads.
  let condition: RuleCondition
  /// Whether the statement holds where the rule settles the question.
  let holds: Bool
  /// What the question is answered with where this rule settles it.
  let outcome: Outcome
  /// The rule as a reason for its outcome, in one sentence.
  let reason: StaticString

  /// A rule that settles the question when a statement holds.
  init(
    _ id: StaticString, _ outcome: Outcome, _ reason: StaticString, when statement: StaticString,
    reads first: RuleRead? = nil, _ second: RuleRead? = nil, _ third: RuleRead? = nil, _ fourth: RuleRead? = nil,
    assumes assumption: StaticString? = nil
  ) {
    condition = RuleCondition(id, statement, reads: first, second, third, fourth, assumes: assumption)
    holds = true
    self.outcome = outcome
    self.reason = reason
  }

  /// A rule that settles the question when a statement does not hold.
  init(
    _ id: StaticString, _ outcome: Outcome, _ reason: StaticString, unless statement: StaticString,
    reads first: RuleRead? = nil, _ second: RuleRead? = nil, _ third: RuleRead? = nil, _ fourth: RuleRead? = nil,
    assumes assumption: StaticString? = nil
  ) {
    condition = RuleCondition(id, statement, reads: first, second, third, fourth, assumes: assumption)
    holds = false
    self.outcome = outcome
    self.reason = reason
  }
}

extension DecisionRule {
  /// The stable name, such as `clipboard.copy.3`.
  package var id: String { filled(row.condition.id) }
  /// The rule as a reason for its outcome, in one sentence.
  package var reason: String { filled(row.reason) }
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  package var assumption: String? { row.condition.assumption.map { "\($0)" } }
  /// What the question is answered with where this rule settles it.
  package var outcome: Outcome { row.outcome }
  /// Its answer.
  var decision: Decision<Outcome> { Decision(outcome: row.outcome, ground: DecisionGround(self)) }

  package func filled(_ text: StaticString) -> String { "\(text)" }
}

extension DecisionRule where Self: RawRepresentable, RawValue == UInt8 {
  package var number: UInt8 { rawValue }
}
