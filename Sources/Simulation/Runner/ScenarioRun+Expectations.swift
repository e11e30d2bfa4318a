import AppProtection
import EventSourcing
import JSON
import SensitiveText

extension ScenarioRun {
  /// Checks every condition of an expectation and records unmet ones.
  mutating func check(_ expectation: Expectation) {
    unmet += expectation.conditions.compactMap { finding(about: $0) }
    if expectation.asksForRefusal { refusal = nil }
    for list in expectation.lists where list != .pending { marks[list] = observer.count(of: list) }
  }

  /// Checks a condition; `nil` if it is met.
  private func finding(about condition: Expectation.Condition) -> UnmetExpectation? {
    switch condition.requirement {
    case .state(let path, let expected): stateFinding(path, expected, condition)
    case .rejected(let rule): refusalFinding(rule, condition)
    case .list(let list, let demand): listFinding(list, demand, condition)
    case .filesLeft(let account, let count): filesFinding(account, count, condition)
    case .decision(let decision): decisionFinding(decision, condition)
    case .anyOf(let alternatives): choiceFinding(alternatives, condition)
    }
  }

  /// Reports a condition, using the scenario's names.
  func unmet(
    _ subject: String, expected: String, found: String, origin: UnmetExpectation.Origin? = nil,
    _ condition: Expectation.Condition
  ) -> UnmetExpectation {
    func shown(_ text: String) -> String {
      TextPrivacy.shown(text, revealsPersons: JSONExcerpt.showsPersons).map(names.named) ?? JSONExcerpt.withheld
    }
    return UnmetExpectation(
      file: scenario.file, position: condition.position, subject: shown(subject), expected: shown(expected),
      found: shown(found), origin: origin)
  }

  private func stateFinding(
    _ path: String, _ expected: JSONValue, _ condition: Expectation.Condition
  ) -> UnmetExpectation? {
    let place = names.numbered(path)
    let found = state.tree()[path: place]
    guard !ValueMatching.matches(expected, found, numbered: names.numbered) else { return nil }
    return unmet(
      path, expected: ValueMatching.text(expected, of: found), found: ValueMatching.text(found),
      origin: origin(of: place), condition)
  }

  private func refusalFinding(_ rule: String?, _ condition: Expectation.Condition) -> UnmetExpectation? {
    guard refusal?.rule != rule else { return nil }
    return unmet(
      "rejected", expected: rule.map { "refused by \($0)" } ?? "the command is accepted",
      found: refusal.map { "refused by \($0.rule): \($0.reason)" } ?? "the command was accepted", condition)
  }

  private func filesFinding(
    _ account: String, _ count: ExpectedCount, _ condition: Expectation.Condition
  ) -> UnmetExpectation? {
    let found = service.filesLeft(of: account)
    guard !count.range.contains(found) else { return nil }
    return unmet("filesLeft \(account)", expected: "\(count)", found: "\(found)", condition)
  }

  /// Reports alternatives of which none holds, with what differs in each.
  private func choiceFinding(_ alternatives: [Expectation], _ condition: Expectation.Condition) -> UnmetExpectation? {
    var found: [String] = []
    for (index, alternative) in alternatives.enumerated() {
      let findings = alternative.conditions.compactMap { finding(about: $0) }
      guard !findings.isEmpty else { return nil }
      let texts = findings.map { "\($0.subject) is \($0.found) instead of \($0.expected)" }
      found.append("\(index + 1)) " + texts.joined(separator: "; "))
    }
    return unmet(
      "anyOf", expected: "one of \(alternatives.count) alternatives", found: found.joined(separator: "\n            "),
      condition)
  }

  // MARK: Lists

  /// The items of a list since it was last looked at; for pending work, the current items.
  private func items(of list: ExpectedList) -> [String] {
    switch list {
    case .callbacks, .events, .findings: observer.items(of: list, from: marks[list] ?? 0)
    case .pending: state.pendingWork(at: clock.now()).map(\.description)
    }
  }

  private func listFinding(
    _ list: ExpectedList, _ demand: ExpectedList.Demand, _ condition: Expectation.Condition
  ) -> UnmetExpectation? {
    let found = items(of: list)
    func text(_ items: [String], around index: Int = 0) -> String {
      items.isEmpty ? "none" : ListExcerpt.text(items, around: index)
    }
    switch demand {
    case .equals(let expected):
      let wanted = expected.map(names.numbered)
      guard wanted != found else { return nil }
      let difference = zip(wanted, found).prefix { $0 == $1 }.count
      return unmet(
        list.rawValue, expected: text(wanted, around: difference), found: text(found, around: difference), condition)
    case .contains(let expected):
      let wanted = expected.map(names.numbered)
      guard let (missing, place) = Self.firstMissing(of: wanted, in: found) else { return nil }
      return unmet(
        list.rawValue, expected: "including \(text(wanted, around: missing))", found: text(found, around: place),
        condition)
    case .excludes(let expected):
      let unwanted = expected.map(names.numbered)
      let offender = found.firstIndex { item in unwanted.contains { Self.begins(item, with: $0) } }
      guard let offender else { return nil }
      return unmet(
        list.rawValue, expected: "none of \(text(unwanted))", found: text(found, around: offender), condition)
    case .counts(let item, let count):
      let words = names.numbered(item)
      let number = UInt64(found.count { Self.begins($0, with: words) })
      guard !count.range.contains(number) else { return nil }
      return unmet("\(list.rawValue)Count \(item)", expected: "\(count)", found: "\(number)", condition)
    }
  }

  /// Whether an item begins with these whole words.
  private static func begins(_ item: String, with words: String) -> Bool {
    item == words || item.hasPrefix(words + " ")
  }

  /// The first wanted item missing after those before it, and the place up to which the others were found.
  private static func firstMissing(of wanted: [String], in found: [String]) -> (missing: Int, place: Int)? {
    var place = 0
    for (index, item) in wanted.enumerated() {
      guard let next = found[place...].firstIndex(of: item) else { return (index, place) }
      place = next + 1
    }
    return nil
  }
}
