import AppProtection

/// The answer to a ``ProtectionQuestion``, with the reason for it.
public struct ProtectionAnswer: Equatable, Sendable {
  /// The answer, of the type that the question's own method returns.
  public let outcome: any DecisionOutcome
  /// The failed conditions in the order in which they count, for a question about launch conditions.
  public let findings: [LaunchFinding]
  private let basis: Basis

  /// The source of the answer: texts are made only when they are read.
  private enum Basis: Equatable {
    case rule(DecisionGround)
    case launch(LaunchRule, assumption: String?)
    case management(ManagementDecision, refusal: EnrollmentStatusCode?)
    case identity(IdentityLevel?)
    case configuration(ConfigurationAnswer)
    case due(DueOutcome)
  }

  init<Outcome: DecisionOutcome>(_ decision: Decision<Outcome>) {
    (outcome, findings, basis) = (decision.outcome, [], .rule(decision.ground))
  }

  init(_ decision: LaunchDecision) {
    (outcome, findings) = (decision.outcome, decision.findings)
    basis = .launch(decision.rule, assumption: decision.assumption)
  }

  /// - Parameter refusal: The service's answer after it, if any.
  init(_ decision: ManagementDecision, refusal: EnrollmentStatusCode?) {
    (outcome, findings, basis) = (decision.isManaged, [], .management(decision, refusal: refusal))
  }

  init(_ effective: EffectiveIdentity) {
    (outcome, findings, basis) = (effective.identity, [], .identity(effective.level))
  }

  init(_ answer: ConfigurationAnswer) {
    (outcome, findings, basis) = (answer.outcome, [], .configuration(answer))
  }

  init(_ due: DueOutcome) {
    (outcome, findings, basis) = (due, [], .due(due))
  }

  /// The answer in lower camel case, such as `denied`; `true` or `false`; or an account.
  public var name: String { outcome.name }

  /// The stable name of the rule that settled it; `nil` if a single fact, and not a table of rules, is the answer.
  public var rule: String? {
    switch basis {
    case .rule(let ground): ground.rule.id
    case .launch(let rule, _): rule.id
    case .configuration(let answer): answer.rule
    case .due(let due): due.rule
    case .management, .identity: nil
    }
  }

  /// The reason, in one sentence.
  public var reason: String {
    switch basis {
    case .rule(let ground): ground.rule.reason
    case .launch(let rule, _): rule.statement
    case .management(let decision, let refusal): decision.reason + (refusal.map { "; \($0.demand)" } ?? "")
    case .identity(let level): level.map { "set for the \($0.name)" } ?? "nothing is set"
    case .configuration(let answer): answer.reason
    case .due(let due): due.reason
    }
  }

  /// The member of ``/AppProtection/Assumptions`` on which the answer rests; `nil` where the rule is published.
  public var assumption: String? {
    switch basis {
    case .rule(let ground): ground.rule.assumption
    case .launch(_, let assumption): assumption
    case .management, .identity, .configuration, .due: nil
    }
  }

  /// Whether the answers and the reasons for them are the same.
  public static func == (one: ProtectionAnswer, other: ProtectionAnswer) -> Bool {
    guard one.basis == other.basis, one.findings == other.findings else { return false }
    // What is managed follows from the reason; comparing values of any type costs more than everything else here.
    if case .management = one.basis { return true }
    return one.outcome.equals(other.outcome)
  }
}

extension DecisionOutcome {
  fileprivate func equals(_ other: any DecisionOutcome) -> Bool { other as? Self == self }
}

extension Bool: DecisionOutcome {
  /// `true` or `false`.
  public var name: String { "\(self)" }
}

extension Identity: DecisionOutcome {
  /// The ``description``.
  public var name: String { description }
}

extension LaunchOutcome: DecisionOutcome {}
