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
    unmet.append(
      UnmetExpectation(
        file: scenario.file, position: condition.position, subject: subject, expected: expected, found: found,
        origin: origin))
  }

  private mutating func checkState(_ path: String, _ expected: JSONValue, _ condition: Expectation.Condition) {
    let place = names.numbered(path)
    let found = state.tree()[path: place]
    guard !ValueMatching.matches(expected, found, numbered: names.numbered) else { return }
    note(
      path, expected: expected.isNull ? "nothing" : expected.description, found: ValueMatching.text(found),
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
    let found: String
    switch expected.question {
    case .managed(let account):
      var explanation = Explanation()
      let decision = names.number(of: account).map { state.managementDecision(for: $0, explanation: &explanation) }
      found = "\(decision?.isManaged ?? false)"
    case .identity(let task, let thread):
      let isMainThread = thread == nil || thread == IdentityScope.mainThread
      found = "\(state.effectiveIdentity(of: task, onThread: thread, isMainThread: isMainThread).identity)"
    }
    let wanted = names.numbered(expected.answer)
    if found != wanted { note(expected.subject, expected: wanted, found: found, condition) }
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
