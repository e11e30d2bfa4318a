import EventSourcing

/// Whether an account is managed, and the deciding rule.
public enum ManagementDecision: Sendable, CaseIterable {
  /// It has an enforced policy.
  case managed
  /// It has a policy that is enforced only from the next launch on.
  case managedAfterRestart
  /// The journal does not know it.
  case unknownAccount
  /// It is not enrolled.
  case notEnrolled
  /// It is enrolled, but no policy targets it.
  case notTargeted

  /// Whether a policy is enforced for the account in this process.
  public var isManaged: Bool { self == .managed }

  /// The rule's stable name.
  public var rule: String { "account.managed" }

  /// The reason, in one sentence.
  public var reason: String {
    switch self {
    case .managed: "the account has a policy, and it is enforced"
    case .managedAfterRestart: "the account's first policy is enforced from the next launch on"
    case .unknownAccount: "the journal does not know the account"
    case .notEnrolled: "the account is not enrolled"
    case .notTargeted: "the account is enrolled, and no policy targets it"
    }
  }
}

extension AppProtectionState {
  /// Whether an account is managed in this process (`isAccountIdManaged`). `decides` is false if the answer is part of
  /// another question.
  public func managementDecision(
    for account: AccountNumber, decides: Bool = true, explanation: inout Explanation
  ) -> ManagementDecision {
    let decision: ManagementDecision
    if let record = policies[account] {
      decision = record.isEnforced ? .managed : .managedAfterRestart
    } else if let known = accounts[account] {
      decision = known.enrollment.status.isEnrolled ? .notTargeted : .notEnrolled
    } else {
      decision = .unknownAccount
    }
    explanation.evaluate(
      decision.rule, "account \(account) is managed", decision.isManaged,
      reads: [
        statusRead(account),
        .init("/policies/\(account)/enforced", policies[account].map { .bool($0.isEnforced) } ?? .unset),
      ], decides: decides)
    return decision
  }
}
