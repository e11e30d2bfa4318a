import Expectations
import JSON
import Testing

@testable import CommandSupport

/// Dates, event types, versions and lengths of time in diagnoses, and what the clock and a healthy history add to them.
@Suite("What a diagnosis says of its events")
struct DiagnosisFactsTests {
  private static let policy =
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "deviceComplianceRequired": true, "pinRequired": false}"##

  /// A journal of an account with a policy, whose further steps are given.
  static func simulate(_ steps: [String], into journal: String) throws {
    let scenario = """
      {"scenario": 1, "title": "A month with one account", "app": {"version": "3.0"}, "device": {"os": "17.1", "sdk": "19.2.0"},
       "accounts": {"dora": {"objectID": "3f1c9a52-1b0e-4a56-9d7e-0d3a7a5c4401", "upn": "dora@contoso.com"}},
       "policies": {"p": {"document": \(policy)}}, "start": "2026-03-02T08:00:00Z",
       "steps": [{"service": {"dora": {"policy": "p"}}}, {"launch": {}}, {"registerAndEnroll": "dora"}, {"restart": {}},
         {"setUI": "dora"}, \(steps.joined(separator: ", "))]}
      """
    try TestFiles.write(Array(scenario.utf8), to: "\(journal).json")
    let run = ToolRun("simulate", "\(journal).json", "-o", journal)
    #expect(run.code == .done, "\(run.notes)")
  }

  /// An update, and two blocks on different days.
  private static let jailbreaks = [
    #"{"wait": "PT1H"}, {"exit": {}}, {"wait": "PT2H"}, {"launch": {}}"#,
    #"{"reportDevice": {"isJailbroken": true}}, {"setUI": "dora"}, {"wait": "PT30M"}, {"exit": {}}, {"wait": "P2D"}"#,
    #"{"launch": {}}, {"reportDevice": {"isJailbroken": false}}, {"setUI": "dora"}, {"wait": "PT1H"}, {"exit": {}}"#,
    #"{"update": {"app": "3.1"}}, {"wait": "P3D"}, {"launch": {}}, {"reportDevice": {"isJailbroken": true}}"#,
    #"{"setUI": "dora"}, {"wait": "PT10M"}"#,
  ]

  private static func findings(_ words: [String]) -> [JSONObject] {
    ToolRun(["diagnose"] + words + ["-j"]).records.compactMap { $0?.object }.filter { $0["kind"]?.string == "finding" }
  }

  @Test(
    "Text shows when a problem was seen, how long, with which versions, and each event's time and type, in 80 columns")
  func text() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.simulate(Self.jailbreaks, into: "\(folder)/j")
      let run = ToolRun("diagnose", "\(folder)/j", "--family", "jailbreak")
      #expect(run.output.contains("since 2026-03-0"), "\(run.output)")
      let words = run.unfolded
      #expect(words.contains("app 3.1, SDK 19.2.0, OS 17.1, policy version 1"), "\(words)")
      #expect(words.contains("(device.reported)"), "\(words)")
      #expect(words.contains("(process.started: app 3.1, SDK 19.2.0, OS 17.1)"), "\(words)")
      #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    }
  }

  @Test("The last event that shows a trouble is the last sighting, and what ended it has a time of its own")
  func lastSighting() throws {
    try TestFiles.withTemporaryFolder { folder in
      let steps = [
        #"{"wait": "P1D"}, {"reportDevice": {"isJailbroken": true}}, {"setUI": "dora"}, {"wait": "PT10M"}, {"setUI": ""}"#,
        #"{"setUI": "dora"}, {"wait": "PT5H"}, {"reportDevice": {"isJailbroken": false}}, {"setUI": "dora"}, {"wait": "P3D"}"#,
      ]
      try Self.simulate(steps, into: "\(folder)/j")
      let finding = try #require(Self.findings(["\(folder)/j", "--family", "jailbreak"]).first)
      let ending = finding["ending"]?.object
      expectEqual(finding["lastTime"]?.string, "2026-03-03T08:10:00Z")
      expectEqual(ending?["time"]?.string, "2026-03-03T13:10:00Z")
      expectEqual(finding["durationSeconds"]?.int, 5 * 3_600 + 600)
      let words = ToolRun("diagnose", "\(folder)/j", "--family", "jailbreak").unfolded
      let span = "seen from 2026-03-03T08:00:00Z to 2026-03-03T08:10:00Z, over at 2026-03-03T13:10:00Z (5 hours)"
      #expect(words.contains(span), "\(words)")
    }
  }

  @Test("A command that does not fit is continued so that a shell reads it as one")
  func command() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/a-journal-with-a-name-that-is-long-enough-to-need-two-lines-of-a-page"
      try Self.simulate(Self.jailbreaks, into: journal)
      let lines = ToolRun("diagnose", journal, "--family", "jailbreak").lines
      let start = try #require(lines.firstIndex { $0.contains("pj ") && $0.hasSuffix(#" \"#) })
      #expect(lines[start + 1].hasPrefix("          "), "\(lines[start...])")
    }
  }

  @Test("JSON has first and last event with their times, the length in seconds, types and versions")
  func members() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.simulate(Self.jailbreaks, into: "\(folder)/j")
      let finding = try #require(Self.findings(["\(folder)/j", "--family", "jailbreak"]).first)
      let (first, last) = (finding["firstEvent"]?.int ?? 0, finding["lastEvent"]?.int ?? 0)
      #expect(first > 0 && first < last, "\(first) to \(last)")
      #expect((finding["durationSeconds"]?.int ?? 0) >= 600)
      let versions = finding["versions"]?.object
      expectEqual(versions?["app"]?.string, "3.1")
      expectEqual(versions?["policy"]?.int, 1)
      let evidence = finding["evidence"]?.array?.compactMap(\.object) ?? []
      expectEqual(evidence.first?["type"]?.string, "launch.evaluated")
      let start = evidence.first { $0["type"]?.string == "process.started" }
      expectEqual(start?["versions"]?.object?["app"]?.string, "3.1")
      expectEqual(evidence.first?["versions"]?.isNull, true)
    }
  }

  @Test("A clock that went back is over once it is right again, or a fortnight later")
  func clock() throws {
    let last = #"{"exit": {}}, {"launch": {}}, {"setUI": "dora"}, {"wait": "PT1H"}"#
    for (steps, state, how) in [
      (#"{"clock": {"setBack": "PT3H"}}, {"wait": "PT2H"}"#, "now", nil),
      (#"{"clock": {"setBack": "PT3H"}}, {"wait": "P15D"}"#, "over", "outOfSight"),
      (
        #"{"clock": {"setBack": "PT3H"}}, {"exit": {}}, {"launch": {}}, {"clock": {"setAhead": "PT3H"}}, {"wait": "PT2H"}"#,
        "over", "recovered"
      ),
    ] as [(String, String, String?)] {
      try TestFiles.withTemporaryFolder { folder in
        try Self.simulate([#"{"wait": "PT4H"}"#, steps, last], into: "\(folder)/j")
        let finding = try #require(Self.findings(["\(folder)/j", "--family", "clock-set-back"]).first, "\(steps)")
        expectEqual(finding["state"]?.string, state, "\(steps)")
        expectEqual(finding["ending"]?.object?["how"]?.string, how, "\(steps)")
        let now = ToolRun("diagnose", "\(folder)/j", "--only", "now", "--family", "clock-set-back")
        expectEqual(now.code, state == "now" ? .different : .done, "\(steps)")
      }
    }
  }

  @Test("What a healthy history never has, again and again, is its first difference, with both counts")
  func surprise() throws {
    try TestFiles.withTemporaryFolder { folder in
      let refused = String(repeating: #"{"wait": "PT1H"}, {"checkIn": "dora"}, "#, count: 12)
      let answered = String(repeating: #"{"wait": "PT1H"}, {"checkIn": "dora"}, "#, count: 9)
      let once = #"{"reportDevice": {"hasPasscode": true}}"#
      try Self.simulate(
        [once, #"{"service": {"dora": {"code": 211}}}"#, refused + #"{"exit": {}}"#], into: "\(folder)/bad")
      try Self.simulate([answered + #"{"exit": {}}"#], into: "\(folder)/good")
      let records = ToolRun("diagnose", "\(folder)/bad", "--against", "\(folder)/good", "-j").records
      let differences = records.compactMap { $0?.object }.filter { $0["kind"]?.string == "difference" }
      let first = try #require(differences.first)
      #expect(first["text"]?.string?.contains("211") ?? false, "\(differences.prefix(3))")
      #expect((first["here"]?.string.flatMap { Int($0) } ?? 0) >= 12)
      expectEqual(first["there"]?.string, "0")
      let counts = differences.filter { $0["what"]?.string == "event" && $0["there"]?.string == "0" }
        .compactMap { $0["here"]?.string.flatMap { Int($0) } }
      expectEqual(counts.filter { $0 >= 3 }, counts.filter { $0 >= 3 }.sorted(by: >))
    }
  }
}
