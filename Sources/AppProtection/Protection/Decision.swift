/// The answer of the rules to a question, and the rule that settled it.
///
/// A few bytes: creating one allocates nothing, and its texts are looked up when they are read. The comparisons,
/// account by account and setting by setting, are in the `Explanation` that
/// `AppProtectionState.answer(_:at:explanation:)` of `AppProtectionInsight` fills.
public struct Decision<Outcome: Equatable & Sendable>: Equatable, Sendable {
  /// The answer.
  public let outcome: Outcome
  package let ground: DecisionGround

  /// The stable name of the rule that settled it, such as `saveTo.7`.
  public var rule: String { ground.rule.id }
  /// The rule as a reason for this outcome, in one sentence.
  public var reason: String { ground.rule.reason }
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  public var assumption: String? { ground.rule.assumption }
}

/// An answer with a name, for people and for scenarios.
public protocol DecisionOutcome: Equatable, Sendable {
  /// The name in lower camel case.
  var name: String { get }
}

/// Whether data may be moved.
public enum TransferOutcome: DecisionOutcome {
  /// It may.
  case allowed
  /// It may not.
  case denied
  /// The data may leave, because the operating system cannot forbid it, but only encrypted: an app without the policy
  /// cannot read it.
  case allowedEncrypted

  /// The name of the case.
  public var name: String { "\(self)" }
}

extension Decision where Outcome == TransferOutcome {
  /// Whether the data may be moved as it is.
  public var isAllowed: Bool { outcome == .allowed }
}

/// Whether something may be used.
public enum Permission: DecisionOutcome {
  /// It may.
  case allowed
  /// It may not.
  case denied

  /// The name of the case.
  public var name: String { "\(self)" }
}

extension Decision where Outcome == Permission {
  /// Whether it may be used.
  public var isAllowed: Bool { outcome == .allowed }
}

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
