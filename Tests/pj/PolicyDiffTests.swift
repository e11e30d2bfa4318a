import Expectations
import JSON
import Testing

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
    expectEqual(run.code, .different)
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
    expectEqual(records.map { $0["title"]?.string }, ["PIN for access"])
    let lint = ToolRun("policy", "lint", "a.json", "--settings-only")
    #expect(lint.code == .wrongUse && lint.notes.contains("--settings-only applies to diff only"))
  }

  @Test("Groups are counted and their names withheld, and that there are none is not")
  func groups() throws {
    let run = try Self.diff(#""assignments": [{"target": {"groupId": "secret"}}]"#, #""assignments": []"#)
    #expect(run.code == .different && run.output.contains("Groups     1 group (withheld) → None\n"), "\(run.output)")
    let all = ##"[{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]"##
    // Journals and many responses have none of these, and that is no reason to say that nobody has them.
    let bare = try Self.diff(
      "\"assignments\": \(all), \"deployedAppCount\": 3, \"roleScopeTagIds\": [\"0\"], \"apps\": [{\"id\": \"a\"}]",
      "\"pinRequired\": true")
    #expect(bare.output.contains("PIN for access") && bare.output.contains("1 setting differs"), "\(bare.output)")
    let many = (1...5).map { #"{"target": {"groupId": "secret-\#($0)"}}"# }.joined(separator: ", ")
    let fewer = try Self.diff("\"assignments\": [\(many)]", "\"assignments\": \(all)")
    #expect(fewer.output.contains("Groups     5 groups (withheld) → All users\n"), "\(fewer.output)")
  }

  @Test("What the exporting program lost is not compared, and named")
  func lost() throws {
    for other in [#""id": "1""#, #""exemptedAppProtocols": [{"name": "Default", "value": "skype"}]"#] {
      let run = try Self.diff(#""exemptedAppProtocols": "System.Object[]""#, other, "--settings-only")
      expectEqual(run.code, .partial, "\(run)")
      #expect(
        run.notes.contains("a.json: the value of exemptedAppProtocols is unknown, and is not compared"),
        "\(run.notes)")
    }
  }

  @Test("A change of what is withheld says how much of it changed")
  func withheld() throws {
    func target(_ type: String, _ group: String) -> String {
      ##"{"target": {"@odata.type": "#microsoft.graph.\##(type)AssignmentTarget", "groupId": "\##(group)"}}"##
    }
    let (one, two) = (target("group", "secret-1"), target("group", "secret-2"))
    let out = target("exclusionGroup", "secret-3")
    let all = ##"{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}"##
    let owners = [#"["Jane Doe"]"#, #"["Jane Doe", "John Roe"]"#, #"{"first": "Jane Doe"}"#, #""Jane Doe""#]
    let rows: [(String, String, change: String, added: Int, removed: Int)] = [
      ("assignments: [\(one)]", "assignments: [\(two)]", "1 group (withheld) → 1 group (withheld)", 1, 1),
      (
        "assignments: [\(one), \(two), \(out)]", "assignments: [\(all), \(out)]",
        "2 groups, 1 excluded (withheld) → All users, 1 group excluded (withheld)", 1, 2
      ),
      ("owner: \(owners[0])", "owner: \(owners[1])", "(withheld) → (withheld)", 1, 0),
      ("owner: \(owners[2])", #"owner: {"first": "Jo Roe", "later": 1}"#, "(withheld) → (withheld)", 2, 1),
      ("owner: \(owners[3])", #"owner: "Jo Roe""#, "(withheld) → (withheld)", 1, 1),
    ]
    for (before, after, change, added, removed) in rows {
      let members = [before, after].map { text in
        text.replacing("assignments:", with: "\"assignments\":", maxReplacements: 1)
          .replacing("owner:", with: "\"owner\":", maxReplacements: 1)
      }
      let run = try Self.diff(members[0], members[1])
      #expect(run.output.contains("\(change): \(added) added, \(removed) removed\n"), "\(run.output)")
      let json = try Self.diff(members[0], members[1], "-j")
      let record = try #require(json.records.compactMap { $0?.object }.first { $0["kind"]?.string == "change" })
      #expect(record["added"]?.number == JSONNumber(added) && record["removed"]?.number == JSONNumber(removed))
      for text in [run.output, json.output] {
        #expect(!text.contains("secret") && !text.contains("Jane"), "\(text)")
      }
      let revealed = try Self.diff(members[0], members[1], "--reveal")
      #expect(!revealed.output.contains("withheld") && !revealed.output.contains(" added"), "\(revealed.output)")
    }
  }

  @Test("What Graph documents as a flag, number, choice, version or name of apps is shown, also of Android")
  func documented() throws {
    let shown = [
      ("requiredAndroidSafetyNetEvaluationType", "\"basic\"", "\"hardwareBacked\""),
      ("appActionIfDeviceLockNotSet", "\"block\"", "\"wipe\""), ("connectToVpnOnLaunch", "true", "false"),
      ("minimumRequiredCompanyPortalVersion", "\"5.0.4560.0\"", "\"5.0.4900.0\""),
      ("minimumWipePatchVersion", "\"2024-11-01\"", "\"2025-01-01\""),
      ("wipeAfterCompanyPortalUpdateDeferralInDays", "10000", "20000"),
      ("allowedAndroidDeviceModels", "[\"Pixel 8\"]", "[\"Pixel 9\"]"),
      ("exemptedAppPackages", #"[{"name":"Maps","value":"com.maps"}]"#, #"[{"name":"Maps","value":"com.maps2"}]"#),
    ]
    for (name, one, other) in shown {
      let run = try Self.diff("\"\(name)\": \(one)", "\"\(name)\": \(other)")
      #expect(run.output.contains("\(one) → \(other)\n"), "\(run.output)")
    }
    // A value of another kind than documented may be anything.
    for name in shown.dropLast(2).map(\.0) {
      let run = try Self.diff("\"\(name)\": \"Jane Doe\"", "\"\(name)\": \"jane@contoso.com\"")
      #expect(run.output.contains("(withheld) → (withheld): 1 added, 1 removed\n"), "\(run.output)")
    }
    let names = try Self.diff(
      #""customBrowserDisplayName": "Edge""#, #""customBrowserDisplayName": "jane@contoso.com""#)
    #expect(names.output.contains("\"Edge\" → (withheld)"), "\(names.output)")
  }
}
