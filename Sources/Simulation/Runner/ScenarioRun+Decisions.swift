import AppProtection
import AppProtectionInsight
import EventSourcing
import JSON

extension ScenarioRun {
  /// Compares a decision with its expectation; `nil` if they match.
  func decisionFinding(_ expected: ExpectedDecision, _ condition: Expectation.Condition) -> UnmetExpectation? {
    var explanation = Explanation(recording: true)
    let found: (answer: String, rule: String?, reason: String)
    var path: String?
    switch expected.question {
    case .app(let question):
      let answer = answer(to: question)
      found = (answer.answer, nil, answer.reason)
      path = answer.path
    case .protection(let question):
      found = answer(to: question, expected, explanation: &explanation)
    }
    let wanted = expected.namesAccount ? names.numbered(expected.answer) : expected.answer
    guard found.answer != wanted || (expected.rule != nil && expected.rule != found.rule) else { return nil }
    let decisive = path ?? explanation.steps.last(where: \.decides)?.reads.last?.path
    return unmet(
      expected.subject, expected: wanted + (expected.rule.map { " by \($0)" } ?? ""),
      found: found.answer + (found.rule.map { " by \($0)" } ?? "") + ": \(found.reason)",
      origin: decisive.flatMap { origin(of: $0) }, condition)
  }

  /// The answer of the rules, with what the expectation compares beside the outcome.
  private func answer(
    to asked: ProtectionQuestion, _ expected: ExpectedDecision, explanation: inout Explanation
  ) -> (answer: String, rule: String?, reason: String) {
    let state = state
    guard let question = asked.renumbered(names.number(ofPlace:)) else {
      return Self.answer(ofUnknownTo: asked, expected)
    }
    let answer = state.answer(question, at: clock.now(), explanation: &explanation)
    var text = answer.name
    if expected.showsFindings { text = ExpectedDecision.answer(text, answer.findings.map(\.description)) }
    if let opens = expected.opens, case .url(let url, let account, _) = question {
      let address = (answer.outcome as? LinkOutcome).flatMap { state.address(of: url, for: account, as: $0) }
      if address != opens { text += " opening \(address ?? "nothing")" }
    }
    return (text, answer.rule, answer.reason)
  }

  /// The answer about an account that the journal does not know.
  private static func answer(
    ofUnknownTo question: ProtectionQuestion, _ expected: ExpectedDecision
  ) -> (answer: String, rule: String?, reason: String) {
    let reason = "the account never occurred"
    switch question {
    case .managed: return ("false", nil, ManagementDecision.unknownAccount.reason)
    case .launch:
      let outcome = LaunchOutcome.allowed.name
      return (
        expected.showsFindings ? ExpectedDecision.answer(outcome, []) : outcome, LaunchRule.unmanaged.id, reason
      )
    case _: return (OfflineOutcome.open.name, "offline.managed", reason)
    }
  }

  /// The event that last changed the value at a path, read from the journal in its current state.
  func origin(of path: String) -> UnmetExpectation.Origin? {
    guard isCreated, let history = try? History<AppProtectionMachine>(at: self.path),
      let write = try? history.lastWrites(to: path, limit: 1).first
    else { return nil }
    return UnmetExpectation.Origin(
      sequence: write.record.sequence, type: write.record.typeName,
      wallNanoseconds: write.record.envelope.moment.wallNanoseconds)
  }
}
