/// What the rules say to a question, and the rule that settled it.
///
/// Making one allocates nothing: its texts are constants. What was compared with what, account by account and setting
/// by setting, is in the `Explanation` that the other form of every question fills.
public struct Decision<Outcome: Equatable & Sendable>: Equatable, Sendable {
  /// The answer.
  public let outcome: Outcome
  /// The stable name of the rule that settled it, such as `saveTo.7`.
  public let rule: String
  /// The rule as a reason for this outcome, in one sentence.
  public let reason: String
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  public let assumption: String?
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
