import AppProtection
import Expectations
import EventSourcing
import JSON
import PlainText
import Testing

@testable import pj

/// What time alone brings: of an account in a journal, and under a policy in a file.
@Suite("What is due")
struct DueTests {
  private static let journal = Repository.journal("first-enrollment")

  private static func records(_ kind: String, _ words: String...) -> [JSONObject] {
    ToolRun(words).records.compactMap { $0?.object }.filter { $0["kind"]?.string == kind }
  }

  @Test("The question names what comes next, and explains everything that comes, with its time, setting and clock")
  func explained() throws {
    let answer = try #require(Self.records("answer", "explain", Self.journal, "due(a1)", "-j").first)
    let name = try #require(answer["answer"]?.string)
    expectEqual(answer["rule"]?.string, "due.\(name)")
    let rules = Self.records("rule", "explain", Self.journal, "due(a1)", "-j")
    expectEqual(Set(rules.compactMap { $0["rule"]?.string }), Set(Deadline.Kind.allCases.map(\.id)))
    expectEqual(rules.first { $0["decides"]?.bool == true }?["rule"]?.string, "due.\(name)")
    for rule in rules where rule["holds"]?.bool == true {
      #expect(rule["statement"]?.string?.contains("uptime") == true, "\(rule)")
    }
    #expect(ToolRun("explain", Self.journal, "due(a9)").notes.contains("a9"))
  }

  @Test("The same is listed of every account at a position, and nothing of the state beside it")
  func listed() throws {
    let deadlines = Self.records("due", "state", Self.journal, "--due", "-j")
    #expect(deadlines.contains { $0["account"]?.string == "a1" && $0["type"]?.string == "checkIn" })
    for deadline in deadlines { #expect(deadline["time"]?.string?.hasSuffix("Z") == true, "\(deadline)") }
    #expect(Self.records("state", "state", Self.journal, "--due", "-j").isEmpty)
    #expect(ToolRun("state", Self.journal, "--due").output.contains("the service is asked"))
    let first = ToolRun("state", Self.journal, "--due", "--at", "1")
    expectEqual(first.output, "time alone brings nothing to any account\n")
    let earlier = Self.records("due", "state", Self.journal, "--due", "--at", "8", "-j")
    #expect(earlier.first?["time"]?.string != deadlines.first?["time"]?.string, "\(earlier)")
    let run = ToolRun("state", Self.journal, "--due", "--flat")
    expectEqual(run.code, .wrongUse)
    #expect(
      run.notes.contains("--due lists what comes, and not the state: leave --path and --flat out"), "\(run.notes)")
  }

  private static let policy = """
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Weekend",
     "periodOfflineBeforeAccessCheck": "PT20H", "periodOfflineBeforeWipeIsEnforced": "P3D", "pinRequired": true,
     "periodOnlineBeforeAccessCheck": "PT45M", "periodBeforePinReset": "P14D"}
    """

  @Test("A policy says when a device that went offline on a Friday is blocked and wiped")
  func policy() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/weekend.json"
      try TestFiles.write(Array(Self.policy.utf8), to: path)
      let due = Self.records("due", "policy", "due", path, "--since", "2026-12-04T17:30Z", "-j")
      expectEqual(
        due.map { [$0["type"]?.string, $0["after"]?.string, $0["time"]?.string, $0["property"]?.string] },
        [
          ["checkIn", "PT30M", "2026-12-04T18:00:00Z", nil],
          ["pin", "PT45M", "2026-12-04T18:15:00Z", "periodOnlineBeforeAccessCheck"],
          ["block", "PT20H", "2026-12-05T13:30:00Z", "periodOfflineBeforeAccessCheck"],
          ["wipe", "P3D", "2026-12-07T17:30:00Z", "periodOfflineBeforeWipeIsEnforced"],
          ["pinReset", "P14D", "2026-12-18T17:30:00Z", "periodBeforePinReset"],
        ])
      expectEqual(due[2]["value"]?.string, "1200 minutes")
      let text = ToolRun("policy", "due", path, "--since", "2026-12-04T18:30+01:00").output
      for word in ["since Friday, 2026-12-04T17:30:00Z", "Saturday, 2026-12-05T13:30:00Z", "Offline grace period"] {
        #expect(text.contains(word), "\(word): \(text)")
      }
      let relative = Self.records("due", "policy", "due", path, "-j")
      expectEqual(relative.map { $0["after"]?.string }, due.map { $0["after"]?.string })
      expectEqual(relative.first?["time"], .null)
    }
  }

  @Test("What a document does not tell is unknown, and not never")
  func unknown() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (partial, lost) = ("\(folder)/partial.json", "\(folder)/lost.json")
      let export =
        "[{\"ResourceName\": \"IntuneAppProtectionPolicyiOS\", \"DisplayName\": \"P\", \"PinRequired\": false}]"
      try TestFiles.write(Array(export.utf8), to: partial)
      let wrong =
        "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\", \"periodOfflineBeforeWipeIsEnforced\": \"soon\"}"
      try TestFiles.write(Array(wrong.utf8), to: lost)
      let run = ToolRun("policy", "due", partial)
      expectEqual(run.code, .partial)
      #expect(!run.output.contains("never") && run.output.contains("(minutes): Unknown"), "\(run.output)")
      // Without a PIN, none is asked for.
      let unknown = Self.records("due", "policy", "due", partial, "-j").filter { $0["unknown"]?.bool == true }
      expectEqual(unknown.compactMap { $0["type"]?.string }, ["block", "wipe", "signIn"])
      for row in unknown { expectEqual(row["after"], .null) }
      let other = ToolRun("policy", "due", lost)
      expectEqual(other.code, .partial)
      #expect(other.output.contains("never blocked") && !other.output.contains("never wiped"), "\(other.output)")
      #expect(other.notes.contains("the value of periodOfflineBeforeWipeIsEnforced is unknown"), "\(other.notes)")
    }
  }

  @Test("At a time after the last event, what is due counts from that time")
  func later() throws {
    let now = Self.records("rule", "explain", Self.journal, "due(a1)", "-j").compactMap { $0["statement"]?.string }
    let later = Self.records("rule", "explain", Self.journal, "due(a1)", "--at", "2039-03-04T05:06Z", "-j")
      .compactMap { $0["statement"]?.string }
    #expect(now.contains { $0.contains(", in ") } && !later.contains { $0.contains(", in ") }, "\(later)")
    #expect(later.contains { $0.contains(": since ") })
    let listed = Self.records("due", "state", Self.journal, "--due", "--at", "2039-03-04T05:06Z", "-j")
    #expect(!listed.isEmpty && listed.allSatisfy { $0["isOver"]?.bool == true }, "\(listed)")
    // A wall clock that ran on does not make an earlier event later.
    let launch = ToolRun("explain", Self.journal, "launch(a1)", "--at", "2039-03-04T05:06Z")
    #expect(launch.output.contains("Time alone led to this answer"), "\(launch.output)")
  }

  @Test("A policy that never blocks says so, and one for another platform is skipped")
  func others() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (lenient, android) = ("\(folder)/lenient.json", "\(folder)/android.json")
      let type = "{\"@odata.type\": \"#microsoft.graph."
      try TestFiles.write(Array("\(type)iosManagedAppProtection\", \"displayName\": \"L\"}".utf8), to: lenient)
      try TestFiles.write(Array("\(type)androidManagedAppProtection\", \"displayName\": \"A\"}".utf8), to: android)
      let run = ToolRun("policy", "due", lenient, android)
      expectEqual(run.code, .done)
      #expect(run.output.contains("never blocked for being offline") && run.output.contains("skipped: 1 "), "\(run)")
      expectEqual(ToolRun("policy", "due", android).code, .unreadable)
    }
    let wrong = ToolRun("policy", "due", "x.json", "--since", "Friday")
    expectEqual(wrong.code, .wrongUse)
    #expect(
      wrong.notes.contains(
        "--since takes a time from 1970 to April 2262, such as 2026-11-27T18:00Z or 2026-11-27T19:00+01:00, not 'Friday'"
      ),
      "\(wrong.notes)")
  }
}
