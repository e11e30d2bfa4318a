import Expectations
import Testing

@testable import CommandSupport

@Suite("Requirements of pj policy")
struct PolicyGateTests {
  private static let all =
    ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]"##
  private static let group =
    ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "Finance"}}]"##

  private static func run(_ words: [String], _ files: [String: String]) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      for (name, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name)") }
      return ToolRun(["policy"] + words.map { $0.replacing("DIR", with: folder) })
    }
  }

  private static func policy(_ members: String) -> String {
    "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\", \"displayName\": \"P\", \(members)}"
  }

  private static let foreign = ##"{"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "C"}"##

  @Test("A required level does not hold of nothing")
  func nothing() throws {
    let run = try Self.run(["level", "DIR", "--require", "2"], ["a.json": Self.foreign, "b.json": Self.foreign])
    #expect(run.code == .unreadable, "\(run)")
    #expect(
      run.notes.contains("no policy was judged, so that --require holds of none. Next: pj policy list "), "\(run)")
    try expectEqual(Self.run(["level", "DIR"], ["a.json": Self.foreign]).code, .done)
    let one = try Self.run(
      ["level", "DIR", "--require", "1"], ["a.json": Self.foreign, "p.json": Self.policy(Self.all)])
    expectEqual(one.code, .different, "\(one)")
    let none = try Self.run(
      ["effective", "DIR", "--user", "ada", "--app", "com.example.app"], ["a.json": Self.foreign])
    expectEqual(none.code, .unreadable, "\(none)")
  }

  @Test("An answer to a question with a name that no list has is undecided, and the nearest name is given")
  func names() throws {
    let files = [
      "p.json": Self.policy("\"appGroupType\": \"allCoreMicrosoftApps\", \(Self.group)"),
      "g.groups": #"{"Finance": ["ada@contoso.com"]}"#, "d.facts": #"{"deviceManagementType": "unmanagd"}"#,
      "u.facts": #"{"deviceManagementType": "Unmanaged"}"#,
    ]
    func effective(_ app: String, _ user: String, device: String = "u", _ rest: String...) throws -> ToolRun {
      try Self.run(
        [
          "effective", "DIR/p.json", "--app", app, "--user", user, "--groups", "DIR/g.groups", "--device",
          "DIR/\(device).facts",
        ]
          + rest, files)
    }
    let outlook = "com.microsoft.office.outlook"
    try expectEqual(effective(outlook, "ada@contoso.com").code, .done)
    let app = try effective("Outlook", "ada@contoso.com")
    #expect(
      app.code == .partial && app.notes.contains("--app Outlook is in no list of apps; nearest: \(outlook)"), "\(app)")
    let user = try effective(outlook, "adaa@contoso.com", "--reveal")
    #expect(
      user.code == .partial
        && user.notes.contains("--user adaa@contoso.com is in no list of members; nearest: ada@contoso.com"), "\(user)")
    #expect(try !effective(outlook, "adaa@contoso.com").notes.contains("contoso"))
    let device = try effective(outlook, "ada@contoso.com", device: "d")
    #expect(
      device.code == .partial
        && device.notes.contains(
          #"deviceManagementType has no value "unmanagd", and counts as not known; nearest: Unmanaged"#),
      "\(device)")
  }

  @Test("That some policy counts for a user can be required")
  func coverage() throws {
    let files = ["p.json": Self.policy("\"appGroupType\": \"allCoreMicrosoftApps\", \(Self.all)")]
    func effective(_ app: String) throws -> ExitCode {
      try Self.run(["effective", "DIR", "--app", app, "--user", "ada", "--require-policy"], files).code
    }
    try expectEqual(effective("com.microsoft.office.outlook"), .done)
    try expectEqual(effective("com.example.own"), .different)
    try expectEqual(effective("outlook"), .partial)
  }

  @Test("A member that Graph documents for another platform is shown")
  func shown() throws {
    let text = Self.policy(#""minimumPinLength": 4, "dialerRestrictionLevel": "allApps", "pinCharacterSet": "numeric""#)
      .replacing("ios", with: "windows")
    let run = try Self.run(["show", "DIR"], ["w.json": text])
    #expect(!run.output.contains("(secret)") && !run.output.contains("(withheld)"), "\(run)")
    let lint = try Self.run(["lint", "DIR"], ["w.json": text])
    #expect(
      lint.output.contains(
        "a setting of iOS and Android, without effect here; so are minimumPinLength, pinCharacterSet; remove it"),
      "\(lint)")
  }
}
