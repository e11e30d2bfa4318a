/// What the rules say to a question, and the rule that settled it.
///
/// A few bytes: making one allocates nothing, and its texts are constants that are looked up when they are read. What was
/// compared with what, account by account and setting by setting, is in the `Explanation` that the other form of every
/// question fills.
public struct Decision<Outcome: Equatable & Sendable>: Equatable, Sendable {
  /// The answer.
  public let outcome: Outcome
  let ground: DecisionGround

  /// The stable name of the rule that settled it, such as `saveTo.7`.
  public var rule: String { ground.rule }
  /// The rule as a reason for this outcome, in one sentence.
  public var reason: String { ground.reason }
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  public var assumption: String? { ground.assumption }
}

/// The rule that settled a decision, with what its texts depend on.
enum DecisionGround: Equatable, Sendable {
  case saveTo(SaveToRule, allows: Bool)
  case openFrom(OpenFromRule, allows: Bool)
  case offline(OfflineRule)

  var rule: String {
    switch self {
    case .saveTo(let rule, _): rule.id
    case .openFrom(let rule, _): rule.id
    case .offline(let rule): rule.rawValue
    }
  }

  var reason: String {
    switch self {
    case .saveTo(let rule, let allows): rule.reason(allows)
    case .openFrom(let rule, let allows): rule.reason(allows)
    case .offline(let rule): rule.reason
    }
  }

  var assumption: String? {
    switch self {
    case .saveTo(let rule, _): rule.assumption
    case .openFrom(let rule, _): rule.assumption
    case .offline: nil
    }
  }
}

/// Whether data may be moved.
public enum TransferOutcome: Equatable, Sendable {
  /// It may.
  case allowed
  /// It may not.
  case denied
}

extension Decision where Outcome == TransferOutcome {
  /// Whether the data may be moved.
  public var isAllowed: Bool { outcome == .allowed }
}
