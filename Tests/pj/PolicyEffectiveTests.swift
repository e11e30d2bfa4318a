import Expectations
import JSON
import Testing

@testable import PolicyCommands

@Suite("pj policy effective")
struct PolicyEffectiveTests {
  private static func policy(_ name: String, _ targets: String, _ settings: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)", "appGroupType": "allCoreMicrosoftApps", "assignments": [\##(targets)], \##(settings)}"##
  }

  private static func target(_ type: String, _ members: String = "") -> String {
    ##"{"target": {"@odata.type": "#microsoft.graph.\##(type)AssignmentTarget"\##(members)}}"##
  }

  private static let files: [(path: String, text: String)] = [
    ("tenant/all.json", policy("All", target("allLicensedUsers"), #""minimumPinLength": 4, "pinRequired": true"#)),
    (
      "tenant/finance.json",
      policy("Finance", target("group", #", "groupId": "id-finance""#), #""minimumPinLength": 6"#)
    ),
    ("tenant/hr.json", policy("HR", target("group", #", "groupId": "id-hr""#), #""minimumPinLength": 8"#)),
    (
      "tenant/private.json",
      policy(
        "Private",
        target(
          "allLicensedUsers",
          #", "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "include""#
        ),
        #""minimumPinLength": 10"#)
    ),
    (
      "tenant/AssignmentFilters/f.json",
      #"{"id": "f", "displayName": "Secret filter", "platform": "iOSMobileApplicationManagement", "rule": "(app.deviceManagementType -eq \"Unmanaged\")"}"#
    ),
    (
      "tenant/MigrationTable.json",
      #"{"TenantId": "t", "Objects": [{"Id": "id-finance", "DisplayName": "Finance team", "Type": "Group"}]}"#
    ),
    ("groups.json", #"{"Finance team": ["Ledger"], "Ledger": ["ada@contoso.com"], "id-hr": []}"#),
    ("managed.json", #"{"deviceManagementType": "Managed", "IntuneMAMUPN": true}"#), ("bad.json", #"{"os": "17"}"#),
  ]

  private static func run(_ words: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir -p '\(folder)/tenant/AssignmentFilters'"), 0)
      for (path, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      return ToolRun(["policy", "effective"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
    }
  }

  private static let question = ["./tenant", "--user", "Ada@contoso.com", "--app", "com.microsoft.Office.Outlook"]

  @Test("The policies that count are named with their reasons, and combined")
  func counts() throws {
    let run = try Self.run(
      "./tenant", "--user", "Ada@contoso.com", "--app", "com.microsoft.office.outlook", "--groups", "./groups.json",
      "--device", "./managed.json")
    expectEqual(run.code, .done, "\(run.notes)")
    for line in [
      "All      counts          the app is a core Microsoft app", "Finance  counts ", "HR       does not count ",
      "Private  does not count ", "the user is in a group that is included [(withheld)]",
      "the filter keeps the device out: (app.deviceManagementType -eq \"Unmanaged\")",
      "effect of 2 policies on this user in com.microsoft.office.outlook", "strictest  6  (1: 4)",
    ] { #expect(run.output.contains(line), "\(line): \(run.output)") }
    #expect(!run.output.contains("id-finance") && !run.output.contains("Secret filter"))
    let revealed = try Self.run(
      "./tenant", "--user", "ada@contoso.com", "--app", "com.microsoft.office.outlook", "--groups", "./groups.json",
      "--reveal")
    #expect(revealed.output.contains("[id-finance]") && revealed.output.contains("[Secret filter]"))
  }

  private static func configuration(_ name: String, _ target: String, _ settings: [(String, String)]) -> String {
    let pairs = settings.map { #"{"name": "\#($0)", "value": "\#($1)"}"# }.joined(separator: ", ")
    return
      ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "\##(name)", "appGroupType": "allCoreMicrosoftApps", "assignments": [\##(target)], "customSettings": [\##(pairs)]}"##
  }

  @Test("App configurations are decided as policies are, and values that contradict one another are named")
  func configurations() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir \(folder)/e"), 0)
      let devices =
        ##"{"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "D", "settings": []}"##
      for (path, text) in [
        (
          "e/1.json",
          Self.configuration(
            "Everyone", Self.target("allLicensedUsers"),
            [("FocusedInbox", "true"), ("Region", "EU"), ("password", "hunter2"), ("owner", "ann@contoso.com")])
        ),
        (
          "e/2.json",
          Self.configuration(
            "Finance", Self.target("group", #", "groupId": "Finance""#),
            [("FocusedInbox", "false"), ("Region", "EU"), ("password", "hunter3")])
        ),
        ("e/3.json", Self.configuration("Sales", Self.target("group", #", "groupId": "Sales""#), [("Region", "US")])),
        ("e/4.json", Self.configuration("HR", Self.target("group", #", "groupId": "HR""#), [("Region", "UK")])),
        ("e/5.json", devices), ("g.json", #"{"Finance": ["ada"], "Sales": ["bob"]}"#),
      ] { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      let words = [
        "policy", "effective", "\(folder)/e", "--user", "ada", "--app", "com.microsoft.office.word", "--groups",
        "\(folder)/g.json",
      ]
      let run = ToolRun(words)
      expectEqual(run.code, .partial)
      let end = run.lines.drop { !$0.hasPrefix("app configuration") }.map(String.init)
      expectEqual(
        end,
        [
          "app configuration                  why",
          "Everyone           counts          the app is a core Microsoft app",
          "                                   it is assigned to all users, a target that the service refuses for policies of apps",
          "Finance            counts          the app is a core Microsoft app",
          "                                   the user is in a group that is included [(withheld)]",
          "Sales              does not count  the app is a core Microsoft app",
          "                                   the user is in no group that is included",
          "HR                 undecided       the app is a core Microsoft app",
          "                                   whether the user is in a group that is included is not known [(withheld)]",
          "key           value       from",
          "FocusedInbox  true        Everyone           conflict: the app takes any, the smallest or the largest",
          "              false       Finance            conflict: the app takes any, the smallest or the largest",
          "Region        (withheld)  Everyone, Finance",
          "password      (secret)    Everyone           conflict: the app takes any, the smallest or the largest",
          "              (secret)    Finance            conflict: the app takes any, the smallest or the largest",
          "owner         (withheld)  Everyone",
        ], "\(run.output)")
      #expect(
        run.notes.contains(
          "1 app configuration may count, too, and is not in the table: facts are missing. Next: --groups with the members of 1 group (--reveal names it)"
        ), "\(run.notes)")
      #expect(run.notes.contains("skipped: 1 App configuration for managed devices"))
      let json = ToolRun(words + ["-j", "--reveal"])
      expectEqual(OutputSchemaTests.problems(of: json.output), [])
      #expect(!json.output.contains("hunter") && json.output.contains(#""value":"EU""#), "\(json.output)")
      #expect(json.output.contains(#""configurations":2,"undecided":1,"disputed":0,"conflicts":2"#), "\(json.output)")
      #expect(json.output.contains(#""key":"Region","conflict":false,"values":[{"value":"EU","from":[1,2]}]"#))
      let other = ToolRun(words.map { $0 == "com.microsoft.office.word" ? "com.contoso.app" : $0 })
      #expect(other.output.contains("no app configuration certainly counts for this user"), "\(other)")
    }
  }

  @Test("What is not known stays undecided, is named as a condition, and ends in 3")
  func undecided() throws {
    let run = try Self.run("./tenant", "--user", "ada@contoso.com", "--app", "com.microsoft.office.outlook")
    #expect(run.code == .partial && run.output.contains("effect of 1 policy on this user"), "\(run.output)")
    #expect(
      run.output.contains("must hold: (app.deviceManagementType -eq \"Unmanaged\"); not known: deviceManagementType"))
    #expect(
      run.notes.contains(
        "3 policies may count, too, and are not in the table: facts are missing. Next: --device with deviceManagementType; --groups with the members of 2 groups (--reveal names them)"
      ), "\(run.notes)")
    let json = try Self.run("./tenant", "--user", "ada@contoso.com", "--app", "com.example.kasse", "-j")
    let end = json.records.last??.object
    #expect(
      json.code == .done && end?["candidates"]?.number == JSONNumber(4) && end?["policies"]?.number == JSONNumber(0))
    let text = try Self.run("./tenant", "--user", "ada@contoso.com", "--app", "com.example.kasse")
    #expect(text.output.contains("no policy certainly counts for this user in com.example.kasse"))
  }

  @Test("A name that two groups have is undecided and named, and a list by ids decides")
  func ambiguous() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir -p '\(folder)/m'"), 0)
      for (path, text) in [
        ("m/p.json", Self.policy("Only", Self.target("group", #", "groupId": "id-1""#), #""pinRequired": true"#)),
        (
          "m/MigrationTable.json",
          #"{"TenantId": "t", "Objects": [{"Id": "id-1", "DisplayName": "Sales", "Type": "Group"}, {"Id": "id-2", "DisplayName": "Sales", "Type": "Group"}]}"#
        ), ("ids.json", #"{"id-2": ["ada"], "id-1": []}"#), ("names.json", #"{"Sales": ["ada"]}"#),
      ] { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      func run(_ groups: String) -> ToolRun {
        ToolRun(
          "policy", "effective", "\(folder)/m", "--user", "ada", "--app", "com.microsoft.office.outlook", "--groups",
          "\(folder)/\(groups)", "--reveal")
      }
      let ids = run("ids.json")
      #expect(ids.code == .done && ids.output.contains("does not count"), "\(ids)")
      let names = run("names.json")
      #expect(names.code == .partial && names.output.contains("undecided"), "\(names)")
      #expect(
        names.output.contains(
          "included is not known: several groups or users have the name; list members by id [Sales]"), "\(names)")
    }
  }

  @Test("Wrong use and files that cannot be used are named")
  func wrongUse() throws {
    #expect(try Self.run("./tenant", "--user", "a").notes.contains("effective needs --user and --app"))
    let facts = try Self.run("./tenant", "--user", "a", "--app", "b", "--device", "./bad.json")
    #expect(facts.code == .unreadable && facts.notes.contains("the name \"os\" is not known here"), "\(facts.notes)")
    let groups = try Self.run("./tenant", "--user", "a", "--app", "b", "--groups", "./tenant/all.json")
    #expect(
      groups.code == .unreadable && groups.notes.contains("the file lists no members of groups"), "\(groups.notes)")
    let other = ToolRun("policy", "lint", "a.json", "--user", "a")
    #expect(other.code == .wrongUse && other.notes.contains("--user applies to effective only"))
  }
}
