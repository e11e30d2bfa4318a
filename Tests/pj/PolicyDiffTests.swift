import JSON
import Testing

@testable import pj

@Suite("pj policy diff")
struct PolicyDiffTests {
  private static func diff(_ one: String, _ other: String, _ options: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      for (name, members) in [("a", one), ("b", other)] {
        let text = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(members)}"##
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name).json")
      }
      return ToolRun(["policy", "diff", "\(folder)/a.json", "\(folder)/b.json"] + options)
    }
  }

  @Test("What differs only in order, in nothing, or in zeros of a version is no difference")
  func same() throws {
    let run = try Self.diff(
      #""apps": [], "managedUniversalLinks": ["a", "b"], "minimumRequiredOsVersion": "15", "later": []"#,
      #""managedUniversalLinks": ["b", "a"], "minimumRequiredOsVersion": "15.0", "exemptedAppProtocols": null"#)
    #expect(run.code == .done && run.output.hasPrefix("no difference between ") && run.notes.isEmpty)
  }

  @Test("Changed links are named")
  func links() throws {
    let common = (0..<4).map { "\"https://*.site\($0).com/*\"" }.joined(separator: ", ")
    let run = try Self.diff(
      "\"managedUniversalLinks\": [\(common), \"https://*.zoom.us/*\"]",
      "\"managedUniversalLinks\": [\(common), \"https://*.contoso.com/*\"]")
    #expect(run.code == .different)
    #expect(run.output.contains("Select managed universal links  + https://*.contoso.com/*, - https://*.zoom.us/*\n"))
    let exempted = try Self.diff(
      "\"exemptedUniversalLinks\": null", "\"exemptedUniversalLinks\": [\"http://maps.apple.com\"]")
    #expect(exempted.output.contains("Select universal links to exempt  Not configured → http://maps.apple.com\n"))
  }

  @Test("--settings-only leaves out what tells two revisions apart")
  func settingsOnly() throws {
    let one = #""id": "1", "version": "a", "createdDateTime": "2026-01-01T00:00:00Z", "lastModifiedDateTime": null"#
    let other = #""id": "2", "version": "b", "lastModifiedDateTime": "2026-02-01T00:00:00Z""#
    let all = try Self.diff(one, other)
    #expect(all.code == .different && all.output.contains("4 settings differ between "))
    let run = try Self.diff(one, other, "--settings-only")
    #expect(run.code == .done && run.output.hasPrefix("no difference between ") && run.notes.isEmpty)
    let pin = try Self.diff(one + ", \"pinRequired\": true", other, "--settings-only", "-j")
    let records = pin.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "change" }
    #expect(records.map { $0["title"]?.string } == ["PIN for access"])
    let lint = ToolRun("policy", "lint", "a.json", "--settings-only")
    #expect(lint.code == .wrongUse && lint.notes.contains("--settings-only applies to diff only"))
  }

  @Test("Groups are withheld, and that there are none is not")
  func groups() throws {
    let run = try Self.diff(#""assignments": [{"target": {"groupId": "secret"}}]"#, #""assignments": []"#)
    #expect(run.code == .different && run.output.contains("Groups     (withheld) → None\n"))
    let all = ##"[{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]"##
    #expect(
      try Self.diff("\"assignments\": \(all)", "\"id\": \"1\"", "--settings-only").output.contains("All users → Not"))
  }
}
