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
      decision.rule, "account \(account) is managed", decision.isManaged, reads: reads(behind: decision, of: account),
      decides: decides)
    return decision
  }

  private func reads(behind decision: ManagementDecision, of account: AccountNumber) -> [Explanation.Read] {
    let enforced = policies[account].map { StateValue.bool($0.isEnforced) } ?? .unset
    let reads = [statusRead(account), Explanation.Read("/policies/\(account)/enforced", enforced)]
    guard refusal(behind: decision, of: account) != nil else { return reads }
    return reads + [read("/accounts/\(account)/enrollment/lastCode")]
  }

  /// The service's last answer, where it keeps an account from being managed; `nil` where that has another reason.
  ///
  /// A check-in that fails on the network leaves an enrolled account what it was: only a missing license or target explains
  /// why no policy comes.
  package func refusal(behind decision: ManagementDecision, of account: AccountNumber) -> EnrollmentStatusCode? {
    guard decision == .notEnrolled || decision == .notTargeted, let enrollment = accounts[account]?.enrollment,
      enrollment.status.isStaying, let code = enrollment.lastCode
    else { return nil }
    let isReason =
      decision == .notEnrolled ? !code.isSuccess : code == .accountNotLicensed || code == .licensedNotTargeted
    return isReason ? code : nil
  }
}
