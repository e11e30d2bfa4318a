import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Testing

@testable import Forensics

@Suite("Timelines of app protection")
struct TimelineTests {
  private static let table = AppProtectionMachine.timeline

  @Test("Every event type is drawn in one group")
  func types() {
    var drawn = Set(Self.table.groups.flatMap(\.types))
    expectEqual(drawn.count, Self.table.groups.flatMap(\.types).count)
    var used: Set<String> = ["process", "clock"]
    drawn.formUnion(used)
    for entry in AppProtectionEvent.catalog.entries {
      let names = [entry.name, String(entry.name.prefix { $0 != "." })]
      #expect(names.contains(where: drawn.contains), "\(entry.name)")
      if let name = names.first(where: drawn.contains) { used.insert(name) }
    }
    expectEqual(used, drawn, "no event has one of these types: \(drawn.subtracting(used))")
  }

  @Test("Every value of a status has a tone")
  func tones() throws {
    let values: [String: [String]] = [
      "/accounts/*/enrollment/status": EnrollmentStatus.allCases.map(\.name),
      "/wipes/*/status": WipePhase.allCases.map(\.name),
      "/compliance/*/status": RemediationStatus.allCases.map(\.name),
      "/launch/accounts/*/outcome": LaunchOutcome.allCases.map(\.name),
      "/process/restart/reason": RestartReason.allCases.map(\.name),
    ]
    for rule in Self.table.groups.flatMap(\.lanes) where !rule.tones.isEmpty {
      expectEqual(Set(rule.tones.keys), Set(try #require(values[rule.path])), "\(rule.path)")
    }
  }

  @Test("Every question of the table can be asked")
  func questions() throws {
    for (path, question) in Self.table.questions {
      let text = question.split(separator: "*", omittingEmptySubsequences: false)
        .joined(separator: path.contains("windows") ? "2" : path.contains("threads") ? "upload" : "a1")
      #expect(throws: Never.self, "\(path)") { try QuestionText<AppProtectionMachine>(parsing: text) }
    }
  }

  private func read(_ history: History<AppProtectionMachine>, limit: Int) throws -> Timeline? {
    try Timeline.read(history, .on, limit: limit)
  }

  @Test("A history with more events than fit is refused, and one with as many is drawn")
  func limit() throws {
    let events = try (1...20).map { try SampleJournal.introduced(UInt32($0), at: Int64($0)) }
    try SampleJournal.with(events) { histories in
      let (few, all) = (try read(histories[0], limit: 19), try read(histories[0], limit: 20))
      #expect(few == nil && all?.events.count == 20)
      let part = try Timeline.read(histories[0], from: 5, upTo: 10, .on, limit: 6)
      expectEqual(part?.events.map(\.sequence), Array(5...10))
    }
  }

  @Test("The axis stands still where the clock went back, and the clock of each event is kept")
  func axis() throws {
    let seconds: [Int64] = [100, 160, 40, 50, 45]
    let events = try seconds.enumerated().map { index, second in
      try SampleJournal.introduced(UInt32(index + 1), at: second)
    }
    try SampleJournal.with(events) { histories in
      let timeline = try #require(try Timeline.read(histories[0], .on))
      expectEqual(timeline.events.map(\.axisMicroseconds), [0, 60_000_000, 60_000_000, 70_000_000, 70_000_000])
      expectEqual(timeline.events.map(\.wallNanoseconds), seconds.map { $0 * 1_000_000_000 })
      expectEqual(timeline.marks.filter { $0.kind == .clock }.map(\.place), [2, 4])
    }
  }

  @Test("Lanes beyond the most share the last one of their group")
  func lanes() {
    var table = LaneTable(Self.table)
    for number in 1...1000 { _ = table.place(of: "/identities/threads/t\(number)") }
    expectEqual(table.lanes.count, Timeline.maximumLanes)
    expectEqual(table.lanes.last?.label, "others")
    expectEqual(table.place(of: "/identities/threads/t999")?.lane, Timeline.maximumLanes - 1)
    expectEqual(table.place(of: "/identities/threads/t1")?.lane, 0)
  }

  @Test("Processes whose lives overlap stand on rows of their own; one without an end is said to have none")
  func processes() {
    var spans = ProcessSpans()
    for (index, process) in ([1, 1, 5, 1, 5, 9] as [UInt64]).enumerated() {
      spans.add(process, at: index, isStart: false, isEnd: index == 3)
    }
    let lives = spans.placed()
    expectEqual(lives.map(\.row), [0, 1, 0])
    expectEqual(lives.map(\.tone), [.idle, .warning, .good])
    expectEqual(lives.map(\.last), [3, 4, nil])
  }
}
