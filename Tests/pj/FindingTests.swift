import Expectations
import JSON
import Testing

/// What events say about mistakes in the app, in the journals of scenarios that are about such mistakes.
@Suite("Mistakes of the app")
struct FindingTests {
  /// A scenario, the event that is found, and what is said of it.
  private static let cases: [(scenario: String, event: Int, type: String, rule: String, message: String)] = [
    ("S-24", 14, "unenrollment.requested", "S-24", "a1 is deregistered after its tokens were removed"),
    (
      "S-30", 5, "enrollment.failed", "S-30",
      "a1 got the unknown status code 228: ask Microsoft's support what it means"
    ),
    ("S-45", 13, "identity.switchAnswered", "S-45", "wrong enumeration for ui: the answer reads as canceled"),
    ("S-47", 14, "identity.switched", "S-47", "thread worker was still a1's when a2's identity was set"),
    ("S-89", 16, "remediation.finished", "S-89", "a1 is not compliant and has organization data: wipe it"),
  ]

  /// Gives the journal of a scenario to `body`.
  private static func withJournal<Result>(_ scenario: String, _ body: (String) throws -> Result) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      let run = ToolRun("simulate", "\(Repository.root)/journals/scenarios/\(scenario).json", "-o", "\(folder)/journal")
      try #require(run.code == .done, "\(run.notes)")
      return try body("\(folder)/journal")
    }
  }

  @Test("A line under its event says what was found, in either order, and --findings chooses such events")
  func log() throws {
    for (scenario, event, type, rule, message) in Self.cases {
      let (whole, reversed, chosen, none) = try Self.withJournal(scenario) { journal in
        (
          ToolRun("log", journal), ToolRun("log", journal, "-r"),
          ToolRun("log", journal, "--findings", "-w", "finding = \(rule)"),
          ToolRun("log", journal, "--findings", "-w", "finding = T1")
        )
      }
      for run in [whole, reversed, chosen] {
        let line = try #require(run.lines.firstIndex { $0.hasPrefix("   !  \(rule): \(message)") }, "\(scenario)")
        let words = run.lines[line - 1].split(separator: " ")
        #expect(words.first == "\(event)" && words.contains(Substring(type)), "\(scenario)")
      }
      #expect(chosen.lines.count == 4 && chosen.lines.last?.hasPrefix("1 of ") == true, "\(scenario)")
      #expect(none.output == "" && none.notes.contains("-w: the condition holds for none of"), "\(scenario)")
    }
  }

  @Test("What was found stands in what is shown of an event, and in what is searched")
  func show() throws {
    for (scenario, event, _, rule, message) in Self.cases {
      let (shown, other, found) = try Self.withJournal(scenario) { journal in
        (ToolRun("show", journal, "\(event)"), ToolRun("show", journal, "1"), ToolRun("log", journal, "-g", rule))
      }
      #expect(shown.output.contains("\nfindings\n  \(rule)  \(message)"), "\(scenario)")
      #expect(!other.output.contains("findings"), "\(scenario)")
      expectEqual(found.lines.count, 4, "\(scenario)")
    }
  }

  @Test("An evaluation names settings and facts under its line, and what it ordered followed from it")
  func conditions() throws {
    let (log, caused, show, wipe, json) = try Self.withJournal("S-77-wipe") { journal in
      (
        ToolRun("log", journal), ToolRun("log", journal, "--caused-by", "launch.evaluated"),
        ToolRun("show", journal, "launch.evaluated"), ToolRun("show", journal, "wipe.requested"),
        ToolRun("show", journal, "launch.evaluated", "wipe.requested", "-j")
      )
    }
    let said = "wipe; maximumPinRetries = 5, /launch/pin/failures = 5"
    let line = try #require(
      log.lines.firstIndex { $0.contains("launch.evaluated") && $0.contains("  wipe by launch.pinAttempts: ") })
    expectEqual(log.lines[line + 1], "   !  launch.pinAttempts: \(said)")
    expectEqual(log.lines.count { $0.hasPrefix("   !") }, 1, "a prompt ends as soon as its user answers")
    #expect(show.output.contains("\nconditions\n  launch.pinAttempts  \(said)\n"))
    let types = caused.lines.dropFirst().dropLast().map { $0.split(separator: " ").first { $0.contains(".") } }
    #expect(types.first == "wipe.requested" && types.contains("wipe.completed"), "\(caused.output)")
    #expect(wipe.output.contains(/\n  (caused|ordered) by +\d+  launch.evaluated\n/), "\(wipe.output)")
    let events = json.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "event" }
    expectEqual(events.first?["conditions"]?.array?.first?.object?["rule"]?.string, "launch.pinAttempts")
    let order = events.last?["orderedBy"] ?? events.last?["cause"]
    #expect(order == events.first?["seq"] && events.first?["orderedBy"] == nil)
  }

  @Test("Findings are counted by rule, in text and in JSON")
  func stats() throws {
    for (scenario, _, _, rule, _) in Self.cases {
      let (text, json) = try Self.withJournal(scenario) { (ToolRun("stats", $0), ToolRun("stats", $0, "-j")) }
      #expect(text.output.contains("\nmistakes in the app by rule\n  \(rule)  1  █"), "\(scenario)")
      let records = json.records.compactMap { $0?.object }
      let totals = try #require(records.first { $0["kind"]?.string == "totals" })
      #expect(totals["findings"]?.number == JSONNumber(1) && totals["stateKnown"]?.bool == true)
      let rules = records.filter { $0["kind"]?.string == "rule" }
      #expect(rules.map { $0["rule"]?.string } == [rule] && rules.first?["findings"]?.number == JSONNumber(1))
    }
  }

  @Test("In JSON an event has what was found, nothing where nothing was, and null where the state is unknown")
  func json() throws {
    for (scenario, event, _, rule, message) in Self.cases {
      let (log, show) = try Self.withJournal(scenario) {
        (ToolRun("log", $0, "-j"), ToolRun("show", $0, "\(event)", "-j"))
      }
      for run in [log, show] {
        let events = run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "event" }
        let found = try #require(events.first { $0["seq"]?.number == JSONNumber(event) }?["findings"]?.array)
        #expect(found.count == 1 && found.first?.object?["rule"]?.string == rule)
        expectEqual(found.first?.object?["label"]?.string?.hasPrefix(rule), true)
        expectEqual(found.first?.object?["message"]?.string?.hasPrefix(message), true)
        #expect(events.filter { $0["seq"]?.number != JSONNumber(event) }.allSatisfy { $0["findings"]?.array == [] })
      }
    }
    let damaged = ToolRun("show", Repository.journal("damaged-frame"), "14", "-j").records
    expectEqual(damaged.compactMap { $0?.object }.first { $0["kind"]?.string == "event" }?["findings"], .null)
    let stats = ToolRun("stats", Repository.journal("damaged-frame"))
    #expect(stats.output.contains("the state after event 11 is unknown: mistakes in the app that events there reveal"))
    let journal = Repository.journal("damaged-frame")
    let totals = ToolRun("stats", journal, "-j").records.compactMap { $0?.object }
      .first { $0["kind"]?.string == "totals" }
    expectEqual(totals?["findings"], .null)
    let none = ToolRun("log", journal, "--findings")
    #expect(
      none.notes.contains(
        "--findings: none of 11 events points to a mistake in the app; 7 events cannot be judged"),
      "\(none.notes)")
    #expect(ToolRun("log", journal, "-w", "finding != S-24", "-j").output.contains("\"matched\":11,\"seen\":18"))
  }
}
