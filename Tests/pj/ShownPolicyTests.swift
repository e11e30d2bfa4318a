import Expectations
import JSON
import Testing

@testable import CommandSupport

/// What `pj show` says of a policy that arrives.
@Suite("A policy as a table")
struct ShownPolicyTests {
  private static let group = "5b0f4a37-8d0c-4a0b-9a55-6f7e8d9c0b1a"
  private static let otherGroup = "0c1d2e3f-4a5b-4c6d-8e7f-90a1b2c3d4e5"

  private static func policy(_ settings: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Field staff", \##(settings)}"##
  }

  private static func assigned(to group: String) -> String {
    ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "\##(group)"}}]"##
  }

  private static let policies = [
    policy(
      #""minimumPinLength": 6, "contactSyncBlocked": true, "periodOfflineBeforeAccessCheck": "PT8H", "#
        + assigned(to: group)),
    policy(
      #""minimumPinLength": 8, "periodOfflineBeforeAccessCheck": "PT8H", "screenCaptureBlocked": true, "#
        + #""customBrowserProtocol": "https://browser.example/kept", "#
        + #""apps": [{"id": "https://apps.example/kept", "version": "7", "#
        + ##""mobileAppIdentifier": {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "a.b"}}], "##
        + assigned(to: otherGroup)),
  ]

  private static func withJournal(_ policies: [String], _ body: (String) throws -> Void) throws {
    let names = policies.indices.map { "\"p\($0)\": {\"document\": \(policies[$0])}" }.joined(separator: ", ")
    let steps = policies.indices.dropFirst().map {
      #"{"service": {"dora": {"policy": "p\#($0)"}}}, {"wait": "PT1H"}, {"checkIn": "dora"}, "#
    }
    let scenario = """
      {"scenario": 1, "title": "Policies of one account",
       "accounts": {"dora": {"objectID": "3f1c9a52-1b0e-4a56-9d7e-0d3a7a5c4401", "upn": "dora@contoso.com"}},
       "policies": {\(names)}, "start": "2026-03-02T08:00:00Z",
       "steps": [{"service": {"dora": {"policy": "p0"}}}, {"launch": {}}, {"registerAndEnroll": "dora"}, {"restart": {}},
         {"wait": "PT1H"}, \(steps.joined()){"exit": {}}]}
      """
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
      let run = ToolRun("simulate", "\(folder)/s.json", "-o", "\(folder)/j")
      #expect(run.code == .done, "\(run.notes)")
      try body("\(folder)/j")
    }
  }

  /// The columns of the row with a title.
  private static func row(_ title: String, _ run: ToolRun) -> [String] {
    let line = run.lines.first { $0.hasPrefix("    \(title)  ") } ?? ""
    return line.split(separator: /\ {2,}/).map(String.init)
  }

  @Test("A policy is a table of settings in the portal's words, with what each was that differs from the policy before")
  func table() throws {
    try Self.withJournal(Self.policies) { journal in
      let first = ToolRun("show", journal, "policy.received#1")
      #expect(first.output.contains("\npolicy  the account had no policy before\n"), "\(first.output)")
      #expect(!first.output.contains(" was ") && !first.output.contains("document  "), "\(first.output)")
      expectEqual(Self.row("Select minimum PIN length", first), ["Select minimum PIN length", "6"])
      let second = ToolRun("show", journal, "policy.received#2")
      #expect(second.lines.contains("  Access requirements"), "\(second.output)")
      expectEqual(Self.row("Select minimum PIN length", second).dropFirst(), ["8", "was 6"])
      expectEqual(
        Self.row("Sync policy managed app data with native apps or add-ins", second).dropFirst(),
        ["Not configured", "was Block"])
      expectEqual(Self.row("Offline grace period, Block access (minutes)", second).dropFirst(), ["480 minutes"])
      // What the table shows is not shown twice; the rest of the changes stays.
      for path in ["minimumPinLength", "contactSyncBlocked"] {
        #expect(!second.output.contains("/policies/a1/\(path)"), "\(second.output)")
      }
      #expect(second.output.contains("/policies/a1/version "), "\(second.output)")
    }
    try Self.withJournal([Self.policies[0], Self.policies[0].replacing("Field staff", with: "Field")]) { journal in
      let renamed = ToolRun("show", journal, "policy.received#2").output
      #expect(renamed.contains("\npolicy  the same settings as before\n"), "\(renamed)")
    }
  }

  @Test("As many settings differ as the log counts: a date is none, and what one row of the portal shows may be two")
  func count() throws {
    let policies = [
      #""maximumRequiredOsVersion": "18.0", "lastModifiedDateTime": "2026-01-05T00:00:00Z""#,
      #""maximumRequiredOsVersion": "19.0", "lastModifiedDateTime": "2026-01-06T00:00:00Z", "#
        + #""dataBackupBlocked": true, "customDialerAppProtocol": "dial", "#
        + #""dialerRestrictionLevel": "customApp""#,
    ]
    try Self.withJournal(policies.map(Self.policy)) { journal in
      let log = ToolRun("log", journal, "--type", "policy.received").output
      #expect(log.contains("version 1 → 2, 4 settings changed"), "\(log)")
      let shown = ToolRun("show", journal, "policy.received#2").output
      #expect(shown.contains("\npolicy  4 settings differ from the policy before\n"), "\(shown)")
    }
  }

  @Test("Groups are withheld in the table as everywhere, and how many are other ones is said")
  func groups() throws {
    try Self.withJournal(Self.policies) { journal in
      for words in [["show", journal, "policy.received#1"], ["show", journal, "policy.received#2"]] {
        for form in [[], ["-j"]] {
          let run = ToolRun(words + form)
          #expect(!run.output.contains(Self.group) && !run.output.contains(Self.otherGroup), "\(run.output)")
          #expect(ToolRun(words + form + ["--reveal"]).output.contains(Self.group), "\(words + form)")
        }
      }
      let rows = ToolRun("show", journal, "policy.received#2").lines
      #expect(
        rows.contains {
          $0.contains("1 group (withheld)") && $0.hasSuffix("was 1 group (withheld): 1 added, 1 removed")
        }, "\(rows)")
    }
  }

  @Test("What the portal's words leave out stays among the fields")
  func rest() throws {
    try Self.withJournal(Self.policies) { journal in
      let output = ToolRun("show", journal, "policy.received#2").output
      #expect(output.contains("  document.apps ") && output.contains("https://apps.example/kept"), "\(output)")
      #expect(output.contains("https://browser.example/kept"), "\(output)")
      #expect(!output.contains("document.minimumPinLength") && !output.contains("document.periodOffline"), "\(output)")
    }
  }

  @Test("Where the policy before is lost, nothing is said to differ")
  func unknown() throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.copy(Repository.journal("framework-history"), to: "\(folder)/j")
      let segments = try TestFiles.names(in: "\(folder)/j").filter { $0.hasSuffix(".seg") }.sorted()
      try TestFiles.removeFile("\(folder)/j/\(segments[1])")
      let run = ToolRun("show", "\(folder)/j", "355")
      #expect(run.output.contains("\npolicy  the policy before is unknown\n"), "\(run.output)")
      #expect(!run.output.contains("  was "), "\(run.output)")
    }
  }

  @Test("JSON has the settings in the portal's words with the names that Graph has for them")
  func members() throws {
    try Self.withJournal(Self.policies) { journal in
      let record = ToolRun("show", journal, "policy.received#2", "-j").records.compactMap { $0?.object }
        .first { $0["kind"]?.string == "event" }
      let settings = try #require(record?["settings"]?.array).compactMap(\.object)
      let length = try #require(settings.first { $0["title"]?.string == "Select minimum PIN length" })
      expectEqual(length["group"]?.string, "Access requirements")
      expectEqual(length["value"]?.string, "8")
      expectEqual(length["was"]?.string, "6")
      expectEqual(length["isChanged"]?.bool, true)
      expectEqual(length["properties"], ["minimumPinLength"])
      let grace = try #require(settings.first { $0["properties"] == ["periodOfflineBeforeAccessCheck"] })
      expectEqual(grace["isChanged"], false)
      expectEqual(grace["was"], .some(.null))
      let groups = try #require(settings.first { $0["properties"] == ["assignments"] })
      expectEqual(groups["value"], ["redacted": "account", "summary": "1 group"])
      #expect(!ToolRun("show", journal, "1", "-j").output.contains(#""settings""#))
    }
  }
}
