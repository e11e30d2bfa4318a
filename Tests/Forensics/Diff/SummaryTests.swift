import Expectations
import AppProtection
import EventSourcing
import Forensics
import Testing

@Suite("Differences in brief")
struct SummaryTests {
  private static func account(_ status: String, _ version: Int64?) -> StateTree {
    .members([
      .init(
        "accounts",
        .members([
          .init(
            "a1",
            .members([
              .init("enrollment", .members([.init("code", .integer(version ?? 0)), .init("status", .name(status))]))
            ]))
        ])),
      .init(
        "policies",
        .members(
          version.map { [.init("a1", .members([.init("version", .integer($0)), .init("kind", .name("ios"))]))] } ?? [])),
      .init("wipes", .members(status == "wiping" ? [wipe] : [])),
    ])
  }

  private static let wipe = StateTree.Member(
    "a2", .members([.init("status", .name("requested")), .init("reason", .name("admin")), .init("files", .integer(0))]))

  private func summary(
    _ before: StateTree, _ after: StateTree, _ type: String = "x.y", saying fields: [(String, String)] = [],
    showing paths: [String] = []
  ) -> String {
    let summary = EventSummary(
      StateDiff(from: before, to: after), of: AppProtectionMachine.self, type: type,
      showing: paths.map { PathPattern(Glob($0)) })
    var line: [UInt8] = []
    summary.appendLine(ValueText(.on), to: &line) { bytes in
      guard !fields.isEmpty else { return }
      bytes.append("(\(fields.map { "\($0.0): \($0.1)" }.joined(separator: ", ")))")
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Values at paths, as a state.
  private static func state(_ values: [(String, StateValue)]) -> StateTree {
    values.reduce(.members([])) { tree, value in
      merged(tree, StateTree.components(of: value.0), value.1)
    }
  }

  private static func merged(_ tree: StateTree, _ names: [Substring], _ value: StateValue) -> StateTree {
    guard let name = names.first, case .members(var members) = tree else { return .value(value) }
    let inner = merged(tree.member(named: name) ?? .members([]), Array(names.dropFirst()), value)
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].tree = inner
    } else {
      members.append(.init(String(name), inner))
    }
    return .members(members)
  }

  @Test("A status ranks first, then a record that appears, then the part that the event is named after")
  func choice() {
    expectEqual(summary(Self.account("a", 1), Self.account("b", 2)), "/accounts/a1/enrollment/status: a → b  +2")
    expectEqual(summary(Self.account("a", nil), Self.account("a", 0)), "/policies: + a1 (ios)")
    expectEqual(summary(Self.account("a", 0), Self.account("a", nil)), "/policies: - a1 (ios)")
    expectEqual(
      summary(Self.account("a", 1), Self.account("a", 2), "policy.received"), "/policies/a1/version: 1 → 2  +1")
    expectEqual(
      summary(Self.account("a", 1), Self.account("a", 2), "other.thing"), "/accounts/a1/enrollment/code: 1 → 2  +1")
    expectEqual(summary(Self.account("a", 1), Self.account("a", 1)), "")
  }

  @Test("Bookkeeping never precedes anything else, and the clock is never shown", arguments: [0, 1, 2, 3])
  func bookkeeping(_ number: Int) {
    let clock = ("/launch/clock/elapsed", StateValue.duration(1))
    let attempt = ("/accounts/a1/enrollment/lastAttemptedCheckIn", StateValue.time(1))
    let code = ("/accounts/a1/enrollment/lastCode", StateValue.integer(101))
    let outcome = ("/launch/accounts/a1/outcome", StateValue.name("block"))
    let cases: [([(String, StateValue)], [(String, String)], String)] = [
      ([clock, attempt, code], [("trigger", "timer")], "/accounts/a1/enrollment/lastCode: unset → 101  +2"),
      ([clock, attempt], [("trigger", "timer")], "(trigger: timer)  +2"),
      (
        [clock, attempt], [], "/accounts/a1/enrollment/lastAttemptedCheckIn: unset → 1970-01-01T00:00:00.000000001Z  +1"
      ),
      ([clock, code, outcome], [], "/launch/accounts/a1/outcome: unset → block  +2"),
    ]
    let (changes, fields, line) = cases[number]
    let empty = Self.state(changes.map { ($0.0, .unset) })
    expectEqual(summary(empty, Self.state(changes), "checkIn.requested", saying: fields), line)
  }

  @Test("The change at a requested path is shown, even within a part that appears")
  func asked() {
    let (before, after) = (Self.account("a", 1), Self.account("wiping", 2))
    let lines = [
      "/policies": "/policies/a1/version: 1 → 2  +3", "/policies/*/version": "/policies/a1/version: 1 → 2  +3",
      "/wipes/a2/files": "/wipes/a2/files: unset → 0  +3", "/wipes": "/wipes: + a2 (admin)  +3",
      "/nothing": "/accounts/a1/enrollment/status: a → wiping  +3",
    ]
    for (path, line) in lines { expectEqual(summary(before, after, showing: [path]), line, "\(path)") }
  }

  @Test("A part that appears is folded into one line that names its kind")
  func parts() {
    let diff = StateDiff(from: Self.account("a", 1), to: Self.account("wiping", 1))
    let items = StateDiffItem.items(of: diff)
    expectEqual(
      items.map { $0.text(ValueText(.on)) }, ["/accounts/a1/enrollment/status: a → wiping", "/wipes: + a2 (admin)"])
    expectEqual(items.last?.changes.count, 3)
  }

  @Test("A difference is grouped by part, folded or in full")
  func groups() {
    let diff = StateDiff(from: Self.account("a", 1), to: Self.account("wiping", 1))
    let folded = DiffText(.on).groups(of: diff)
    expectEqual(folded.map(\.heading), ["/accounts/a1/enrollment", "/wipes"])
    expectEqual(folded.last?.rows.map { "\($0.name) \($0.text)" }, ["+ a2 3 values (admin)"])
    let full = DiffText(.on, listsParts: true).groups(of: diff)
    expectEqual(full.map(\.heading), ["/accounts/a1/enrollment", "/wipes/a2"])
    expectEqual(full.last?.rows.map(\.name), ["status", "reason", "files"])
  }

  @Test("Every value is traced to the event that last changed it")
  func writers() throws {
    let events = [
      try SampleJournal.introduced(1, at: 0), try SampleJournal.registered(1, at: 1),
      try SampleJournal.tokenRemoved(1, at: 2),
    ]
    try SampleJournal.with(events) { histories in
      let writers = try LastWriters(in: histories[0], after: 0, upTo: 3)
      expectEqual(writers["/accounts/a1/enrollment/status"], 2)
      expectEqual(writers["/accounts/a1/tokensRemoved"], 3)
      let early = try LastWriters(in: histories[0], after: 0, upTo: 1)
      expectEqual(early["/accounts/a1/enrollment/status"], 1)
      #expect(early["/accounts/a1/nothing"] == nil)
    }
  }
}
