/// The rule that settled a decision, as a place in its table: a few bytes without references.
package struct DecisionGround: Equatable, Sendable {
  private let table: any DecisionRule.Type
  private let number: UInt8

  init<Rule: DecisionRule>(_ rule: Rule) {
    table = Rule.self
    number = rule.number
  }

  /// The rule.
  package var rule: any DecisionRule { table.numbered(number) }

  package static func == (one: DecisionGround, other: DecisionGround) -> Bool {
    one.table == other.table && one.number == other.number
  }
}

extension DecisionRule {
  fileprivate static func numbered(_ number: UInt8) -> Self { allCases[Int(number)] }
}
