import EventSourcing

/// One row of a table of rules: what it is called, and why it holds.
///
/// Rows may share a name where one published rule has several outcomes, or one that rests on an assumption.
protocol DecisionRule: Equatable, Sendable {
  /// All rows of the table.
  static var table: [Self] { get }
  /// The rule's stable name, such as `clipboard.copy.3`.
  var id: String { get }
  /// The row as a reason for its outcome, in one sentence.
  var reason: String { get }
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  var assumption: String? { get }
  /// The row as the ground of a decision.
  var ground: DecisionGround { get }
}

/// A row that has one outcome.
protocol OutcomeRule: DecisionRule {
  associatedtype Outcome: Equatable & Sendable
  var outcome: Outcome { get }
}

extension DecisionRule {
  var assumption: String? { nil }

  /// Decides, and notes in an explanation that this row does, because its statement holds or does not.
  func settles<Outcome>(
    _ outcome: Outcome, _ statement: @autoclosure () -> String, _ holds: Bool,
    reads: @autoclosure () -> [Explanation.Read] = [], in explanation: inout Explanation
  ) -> Decision<Outcome> {
    explanation.evaluate(id, statement(), holds, reads: reads(), decides: true)
    return Decision(outcome: outcome, ground: ground)
  }
}

extension DecisionRule where Self: CaseIterable, AllCases == [Self] {
  static var table: [Self] { allCases }
}

extension OutcomeRule {
  var decision: Decision<Outcome> { Decision(outcome: outcome, ground: ground) }

  /// Decides, and notes in an explanation that this row does, because its statement holds or does not.
  func settles(
    _ statement: @autoclosure () -> String, _ holds: Bool, reads: @autoclosure () -> [Explanation.Read] = [],
    in explanation: inout Explanation
  ) -> Decision<Outcome> {
    settles(outcome, statement(), holds, reads: reads(), in: &explanation)
  }
}
