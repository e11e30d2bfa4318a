import AppProtection
import EventSourcing
import JSON

extension ScenarioRun {
  /// Checks every condition of an expectation and notes those that are not met.
  mutating func check(_ expectation: Expectation) {
    var next = mark
    for condition in expectation.conditions {
      switch condition.requirement {
      case .state(let path, let expected): checkState(path, expected, condition)
      case .rejected(let rule): checkRefusal(rule, condition)
      case .callbacks(let expected):
        let found = Array(observer.callbacks.dropFirst(mark.callbacks))
        next.callbacks = observer.callbacks.count
        checkList("callbacks", expected, found, isWhole: true, condition)
      case .callbacksContain(let expected):
        let found = Array(observer.callbacks.dropFirst(mark.callbacks))
        next.callbacks = observer.callbacks.count
        checkList("callbacks", expected, found, isWhole: false, condition)
      case .events(let expected):
        let found = Array(observer.events.dropFirst(mark.events))
        next.events = observer.events.count
        checkList("events", expected, found, isWhole: true, condition)
      case .eventsContain(let expected):
        let found = Array(observer.events.dropFirst(mark.events))
        next.events = observer.events.count
        checkList("events", expected, found, isWhole: false, condition)
      case .findings(let expected):
        let found = Array(observer.findings.dropFirst(mark.findings))
        next.findings = observer.findings.count
        checkList("findings", expected, found, isWhole: true, condition)
      case .pending(let expected):
        let found = state.pendingWork(at: clock.now()).map(\.description)
        checkList("pending", expected, found, isWhole: true, condition)
      case .decision(let decision): checkDecision(decision, condition)
      }
    }
    mark = next
  }

  private mutating func note(
    _ subject: String, expected: String, found: String, origin: UnmetExpectation.Origin? = nil,
    _ condition: Expectation.Condition
  ) {
    func shown(_ text: String) -> String {
      !JSONExcerpt.showsPersons && JSONExcerpt.containsAddress(text) ? JSONExcerpt.withheld : text
    }
    unmet.append(
      UnmetExpectation(
        file: scenario.file, position: condition.position, subject: shown(subject), expected: shown(expected),
        found: shown(found), origin: origin))
  }

  private mutating func checkState(_ path: String, _ expected: JSONValue, _ condition: Expectation.Condition) {
    let place = names.numbered(path)
    let found = state.tree()[path: place]
    guard !ValueMatching.matches(expected, found, numbered: names.numbered) else { return }
    note(
      path, expected: ValueMatching.text(expected, of: found), found: ValueMatching.text(found),
      origin: origin(of: place), condition)
  }

  private mutating func checkRefusal(_ rule: String?, _ condition: Expectation.Condition) {
    let found = refusal
    refusal = nil
    guard found?.rejection.rule != rule else { return }
    note(
      "rejected", expected: rule.map { "refused by \($0)" } ?? "the command is accepted",
      found: found.map { "refused by \($0.rejection.rule): \($0.rejection)" } ?? "the command was accepted", condition)
  }

  private mutating func checkList(
    _ subject: String, _ expected: [String], _ found: [String], isWhole: Bool, _ condition: Expectation.Condition
  ) {
    let wanted = expected.map(names.numbered)
    guard isWhole ? wanted != found : !Self.occursInOrder(wanted, in: found) else { return }
    func text(_ list: [String]) -> String {
      list.isEmpty ? "none" : list.joined(separator: ", ")
    }
    note(subject, expected: (isWhole ? "" : "among others ") + text(wanted), found: text(found), condition)
  }

  private static func occursInOrder(_ wanted: [String], in found: [String]) -> Bool {
    var rest = found[...]
    for item in wanted {
      guard let place = rest.firstIndex(of: item) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }

  private mutating func checkDecision(_ expected: ExpectedDecision, _ condition: Expectation.Condition) {
    let state = state
    var explanation = Explanation(recording: true)
    let found: (answer: String, rule: String?, reason: String)
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
    case .protection(let question):
      let answer = question.ask(state, explanation: &explanation, number: names.number(of:))
      found = (answer.name, answer.rule, answer.reason)
    }
    let wanted = names.numbered(expected.answer)
    guard found.answer != wanted || (expected.rule != nil && expected.rule != found.rule) else { return }
    let decisive = explanation.steps.last(where: \.decides)?.reads.last?.path
    note(
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

  /// The event that last changed what is at a path, read from the journal as it is.
  private func origin(of path: String) -> UnmetExpectation.Origin? {
    guard isCreated, let history = try? History<AppProtectionMachine>(at: self.path),
      let write = try? history.lastWrites(to: path, limit: 1).first
    else { return nil }
    return UnmetExpectation.Origin(
      sequence: write.record.sequence, type: write.record.typeName,
      wallNanoseconds: write.record.envelope.moment.wallNanoseconds)
  }
}
