import AppProtection
import EventSourcing
import JSON

extension ScenarioRun {
  /// Compares a decision with its expectation; `nil` if they match.
  func decisionFinding(_ expected: ExpectedDecision, _ condition: Expectation.Condition) -> UnmetExpectation? {
    let state = state
    var explanation = Explanation(recording: true)
    let found: (answer: String, rule: String?, reason: String)
    var path: String?
    switch expected.question {
    case .managed(let account):
      let decision = names.number(of: account).map { state.managementDecision(for: $0, explanation: &explanation) }
      found = ("\(decision?.isManaged ?? false)", nil, (decision ?? .unknownAccount).reason)
    case .offline(let account):
      let decision = names.number(of: account).map {
        state.offlineDecision(for: $0, at: clock.now(), explanation: &explanation)
      }
      found = (
        (decision?.outcome ?? .open).name, decision?.rule ?? "offline.managed",
        decision?.reason ?? "the account never occurred"
      )
    case .launch(let account, let showsFindings):
      let decision = names.number(of: account).map {
        state.conditionalLaunch(for: $0, at: clock.now(), explanation: &explanation)
      }
      let outcome = (decision?.outcome ?? .allowed).name
      let findings = decision?.findings.map(\.description) ?? []
      found = (
        showsFindings ? ExpectedDecision.answer(outcome, findings) : outcome,
        (decision?.rule ?? .unmanaged).id, decision?.reason ?? "the account never occurred"
      )
    case .identity(let task, let thread):
      let isMainThread = thread == nil || thread == IdentityScope.mainThread
      let effective = state.effectiveIdentity(
        of: task, onThread: thread, isMainThread: isMainThread, explanation: &explanation)
      found = ("\(effective.identity)", nil, effective.level.map { "set for the \($0.name)" } ?? "nothing is set")
    case .saveTo(let location, let account, let owner):
      let decision = state.saveTo(
        location, account: locationAccount(account), owner: number(of: owner), explanation: &explanation)
      found = (decision.isAllowed ? "allowed" : "denied", decision.rule, decision.reason)
    case .openFrom(let location, let account, let receiver):
      let decision = state.openFrom(
        location, account: locationAccount(account), receiver: number(of: receiver), explanation: &explanation)
      found = (decision.isAllowed ? "allowed" : "denied", decision.rule, decision.reason)
    case .app(let question):
      let answer = answer(to: question)
      found = (answer.answer, nil, answer.reason)
      path = answer.path
    case .protection(let question):
      let answer = question.ask(state, explanation: &explanation, number: names.number(of:))
      found = (answer.name, answer.rule, answer.reason)
    }
    let wanted = expected.namesAccount ? names.numbered(expected.answer) : expected.answer
    guard found.answer != wanted || (expected.rule != nil && expected.rule != found.rule) else { return nil }
    let decisive = path ?? explanation.steps.last(where: \.decides)?.reads.last?.path
    return unmet(
      expected.subject, expected: wanted + (expected.rule.map { " by \($0)" } ?? ""),
      found: found.answer + (found.rule.map { " by \($0)" } ?? "") + ": \(found.reason)",
      origin: decisive.flatMap { origin(of: $0) }, condition)
  }

  private func locationAccount(_ name: String?) -> LocationAccount {
    guard let name else { return .unnamed }
    return names.number(of: name).map { .account($0) } ?? .unknown
  }

  private func number(of account: String?) -> AccountNumber? {
    account.flatMap { names.number(of: $0) }
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
