import Expectations
import JSON
import Testing

@testable import CommandSupport

/// What `pj show` says of a policy that arrives.
@Suite("A policy as a table")
struct ShownPolicyTests {
  private static func simulate(_ policies: [String], into journal: String) throws {
    let names = policies.indices.map { "\"p\($0)\": {\"document\": \(policies[$0])}" }.joined(separator: ", ")
    let steps = policies.indices.dropFirst().map {
      #"{"service": {"dora": {"policy": "p\#($0)"}}}, {"wait": "PT1H"}, {"checkIn": "dora"}"#
    }
    let scenario = """
      {"scenario": 1, "title": "Policies of one account",
       "accounts": {"dora": {"objectID": "3f1c9a52-1b0e-4a56-9d7e-0d3a7a5c4401", "upn": "dora@contoso.com"}},
       "policies": {\(names)}, "start": "2026-03-02T08:00:00Z",
       "steps": [{"service": {"dora": {"policy": "p0"}}}, {"launch": {}}, {"registerAndEnroll": "dora"}, {"restart": {}},
         {"wait": "PT1H"}, \((steps + [#"{"exit": {}}"#]).joined(separator: ", "))]}
      """
    try TestFiles.write(Array(scenario.utf8), to: "\(journal).json")
    let run = ToolRun("simulate", "\(journal).json", "-o", journal)
    #expect(run.code == .done, "\(run.notes)")
  }

  private static func policy(_ settings: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(settings)}"##
  }

  private static let policies = [
    policy(#""printBlocked": false, "minimumPinLength": 5, "contactSyncBlocked": true"#),
    policy(#""printBlocked": true, "minimumPinLength": 5, "saveAsBlocked": true"#),
  ]

  @Test(
    "A policy is a table of settings, values and the portal's words, with what differs from the one before marked"
  )
  func table() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.simulate(Self.policies, into: "\(folder)/j")
      let first = ToolRun("show", "\(folder)/j", "policy.received#1")
      #expect(first.output.contains("policy  the account had no policy before\n"), "\(first.output)")
      #expect(!first.output.contains("≠") && !first.output.contains("document  "), "\(first.output)")
      let second = ToolRun("show", "\(folder)/j", "policy.received#2")
      func row(_ setting: String) -> [Substring] {
        second.lines.first { $0.contains(" \(setting) ") }?.split(separator: " ", omittingEmptySubsequences: true) ?? []
      }
      expectEqual(row("printBlocked").prefix(4).map(String.init), ["≠", "printBlocked", "true", "false"])
      #expect(row("printBlocked").suffix(1) == ["Block"], "\(row("printBlocked"))")
      expectEqual(row("minimumPinLength").first, "minimumPinLength")
      expectEqual(row("saveAsBlocked").prefix(5).map(String.init), ["≠", "saveAsBlocked", "true", "not", "set"])
      expectEqual(
        row("contactSyncBlocked").prefix(5).map(String.init), ["≠", "contactSyncBlocked", "not", "set", "true"])
      #expect(second.output.contains("policy  3 values differ from the policy before, marked ≠\n"))
      // The changes have what the table does not.
      #expect(second.output.contains("/policies/a1/version"), "\(second.output)")
      #expect(!second.output.contains("/policies/a1/printBlocked"), "\(second.output)")
    }
  }

  @Test("JSON has the settings with their values before and now")
  func members() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.simulate(Self.policies, into: "\(folder)/j")
      let record = ToolRun("show", "\(folder)/j", "policy.received#2", "-j").records.compactMap { $0?.object }
        .first { $0["kind"]?.string == "event" }
      let settings = try #require(record?["settings"]?.array).compactMap(\.object)
      let printing = try #require(settings.first { $0["setting"]?.string == "printBlocked" })
      expectEqual(printing["value"]?.bool, true)
      expectEqual(printing["before"]?.bool, false)
      expectEqual(printing["isChanged"]?.bool, true)
      expectEqual(printing["words"]?.string, "Block")
      expectEqual(settings.filter { $0["isChanged"]?.bool == true }.count, 3)
      let other = ToolRun("show", "\(folder)/j", "1", "-j").output
      #expect(!other.contains(#""settings""#), "\(other)")
    }
  }

  @Test("One other value is counted as one")
  func one() throws {
    try TestFiles.withTemporaryFolder { folder in
      let twin = Self.policy(
        #""printBlocked": false, "minimumPinLength": 5, "contactSyncBlocked": true, "displayName": "b""#)
      try Self.simulate([Self.policies[0], twin], into: "\(folder)/j")
      let run = ToolRun("show", "\(folder)/j", "policy.received#2")
      #expect(run.output.contains("policy  1 value differs from the policy before, marked ≠\n"), "\(run.output)")
    }
  }
}
