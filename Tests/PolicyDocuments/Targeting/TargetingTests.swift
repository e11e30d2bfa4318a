import Expectations
import AppProtection
import JSON
import JournalSimulation
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Who gets a policy")
struct TargetingTests {
  private static func target(_ type: String, _ group: String? = nil, filter: (String, String)? = nil) -> String {
    let members = [
      group.map { "\"groupId\": \"\($0)\"" },
      filter.map {
        "\"deviceAndAppManagementAssignmentFilterId\": \"\($0.0)\", \"deviceAndAppManagementAssignmentFilterType\": \"\($0.1)\""
      },
    ].compactMap { $0 }
    return "{\"target\": {\"@odata.type\": \"#microsoft.graph.\(type)AssignmentTarget\""
      + members.map { ", \($0)" }.joined() + "}}"
  }

  private static let filters = [
    ("f1", #"(app.deviceManagementType -eq \"Unmanaged\")"#), ("f2", #"(app.osVersion -startsWith \"16\")"#),
    ("f3", "(app.osVersion"),
  ]

  private static func decide(
    _ targets: [String]?, apps: String = #""appGroupType": "allCoreMicrosoftApps""#,
    app: String = "com.microsoft.Office.Outlook",
    groups: String = #"{"G1": ["ada", "G3"], "G2": ["ada"], "G3": ["eve"]}"#,
    facts: String = "{}", platform: String = "iOSMobileApplicationManagement"
  ) throws -> PolicyTargeting {
    let assignments = targets.map { ", \"assignments\": [\($0.joined(separator: ", "))]" } ?? ""
    let policy = try Samples.policy(Samples.text(apps + assignments)).policy
    var memberships = GroupMemberships()
    try memberships.add(Array(groups.utf8))
    memberships.add(
      .group(
        try DirectoryGroup(
          try JSONDocument.parse(
            #"{"id": "G9", "displayName": "Phones", "membershipRule": "(device.deviceOwnership -eq \"Personal\")"}"#
          )
          .root)))
    let filters = try Self.filters.map { id, rule in
      try AssignmentFilter(
        try JSONDocument.parse(
          #"{"id": "\#(id)", "displayName": "N \#(id)", "platform": "\#(platform)", "rule": "\#(rule)"}"#
        ).root)
    }
    return PolicyTargeting(
      of: policy,
      for: PolicyTargeting.Question(
        app: app, user: ["Ada"], groups: memberships, filters: filters,
        device: try FilterFacts.read(Array(facts.utf8))))
  }

  @Test("Android and Windows have conditions of their own for a managed device")
  func platforms() throws {
    func decide(_ platform: PolicyPlatform, _ levels: String, _ facts: String) throws -> PolicyTargeting {
      let name = platform.rawValue.lowercased()
      let app = platform == .android ? #""packageId": "com.microsoft.emmx""# : #""windowsAppId": "com.microsoft.edge""#
      let text =
        "{\"@odata.type\": \"#microsoft.graph.\(name)ManagedAppProtection\", \"apps\": [{\"mobileAppIdentifier\": {\(app)}}], \"targetedAppManagementLevels\": \"\(levels)\", \"assignments\": [\(Self.target("group", "G"))]}"
      let policy = try #require(PolicyFile.read(Array(text.utf8)).policies.first).policy
      var groups = GroupMemberships()
      try groups.add(Array(#"{"G": ["ada"]}"#.utf8))
      return PolicyTargeting(
        of: policy,
        for: PolicyTargeting.Question(
          app: platform == .android ? "com.microsoft.emmx" : "com.microsoft.edge", on: platform, user: ["ada"],
          groups: groups, filters: [], device: try FilterFacts.read(Array(facts.utf8))))
    }
    let rows: [(PolicyPlatform, String, String, Truth, [PolicyTargeting.Missing])] = [
      (
        .android, "androidEnterprise", #"{"deviceManagementType": "Managed"}"#, .unknown,
        [.facts(["deviceManagementType"])]
      ),
      (.android, "mdm", #"{"deviceManagementType": "MDM"}"#, .unknown, [.facts(["deviceManagementType"])]),
      (.android, "unmanaged", #"{"deviceManagementType": "Managed"}"#, .no, []),
      (.android, "androidEnterprise", #"{"deviceManagementType": "Personally-owned work profile"}"#, .yes, []),
      (.android, "mdm", #"{"deviceManagementType": "Device administrator"}"#, .yes, []),
      (.windows, "unspecified", "{}", .unknown, [.facts(["deviceManagementType"])]),
      (.windows, "unspecified", #"{"deviceManagementType": "Unmanaged"}"#, .yes, []),
      (.windows, "unspecified", #"{"deviceManagementType": "MDM"}"#, .no, []),
    ]
    for (platform, levels, facts, outcome, missing) in rows {
      let found = try decide(platform, levels, facts)
      expectEqual(found.outcome, outcome, "\(platform) \(levels) \(facts): \(found.reasons)")
      expectEqual(found.reasons.compactMap(\.missing), missing, "\(platform) \(levels) \(facts)")
    }
  }

  @Test("What is undecided names what would decide it")
  func missing() throws {
    func missing(_ targets: [String]?, apps: String = #""appGroupType": "allCoreMicrosoftApps""#, app: String? = nil)
      throws
      -> [PolicyTargeting.Missing]
    {
      try Self.decide(targets, apps: apps, app: app ?? "com.microsoft.Office.Outlook").reasons.compactMap(\.missing)
    }
    try expectEqual(missing([Self.target("group", "G8")]), [.members(group: "G8")])
    try expectEqual(
      missing([Self.target("group", "G1"), Self.target("exclusionGroup", "G7")]), [.members(group: "G7")])
    try expectEqual(missing(nil), [.member("assignments")])
    try expectEqual(missing([Self.target("group", "G1")], apps: #""pinRequired": true"#), [.member("apps")])
    try expectEqual(
      missing([Self.target("group", "G1")], apps: #""appGroupType": "allMicrosoftApps""#, app: "com.microsoft.new"),
      [.appsOf(.allMicrosoftApps)])
    try expectEqual(missing([Self.target("group", "G1", filter: ("gone", "include"))]), [.filter(id: "gone")])
    try expectEqual(missing([Self.target("group", "G1", filter: ("f2", "include"))]), [.facts(["osVersion"])])
    try expectEqual(missing([Self.target("group", "G1")]), [])
  }

  @Test("Apps, groups and filters decide, and what is not known stays undecided")
  func cases() throws {
    let all = Self.target("allLicensedUsers")
    let rows: [(targets: [String]?, apps: String?, app: String?, facts: String, outcome: Truth, reason: String)] = [
      (
        [Self.target("group", "G1"), Self.target("exclusionGroup", "G2")], nil, nil, "{}", .no,
        "is in a group that is excluded"
      ),
      ([all, Self.target("exclusionGroup", "G9")], nil, nil, "{}", .yes, "of devices, which excludes no user"),
      ([Self.target("group", "G9")], nil, nil, "{}", .no, "the user is in no group that is included"),
      ([Self.target("group", "G3")], nil, nil, "{}", .no, "in no group that is included"),
      ([Self.target("group", "G8")], nil, nil, "{}", .unknown, "in a group that is included is not known"),
      ([all, Self.target("exclusionGroup", "G8")], nil, nil, "{}", .unknown, "excluded is not known"),
      ([Self.target("allDevices")], nil, nil, "{}", .no, "in no group that is included"),
      ([], nil, nil, "{}", .no, "in no group that is included"),
      (nil, nil, nil, "{}", .unknown, "does not list the policy's assignments"),
      ([Self.target("configurationManagerCollection")], nil, nil, "{}", .unknown, "unknown kind"),
      (
        [Self.target("allLicensedUsers", filter: ("f1", "include"))], nil, nil,
        #"{"deviceManagementType": "Corporate-owned fully managed", "IntuneMAMUPN": true}"#, .no, "keeps the device out"
      ),
      (
        [Self.target("allLicensedUsers", filter: ("f1", "include"))], nil, nil,
        #"{"deviceManagementType": "Managed", "IntuneMAMUPN": false}"#, .yes, "lets the device pass"
      ),
      (
        [Self.target("allLicensedUsers", filter: ("f1", "include"))], nil, nil,
        #"{"deviceManagementType": "Managed"}"#, .unknown, "not known: IntuneMAMUPN"
      ),
      (
        [Self.target("allLicensedUsers", filter: ("F1", "include"))], nil, nil,
        #"{"deviceManagementType": "unmanaged"}"#, .yes, "lets the device pass"
      ),
      (
        [Self.target("allLicensedUsers", filter: ("f1", "include"))], nil, nil, "{}", .unknown,
        "must hold: (app.deviceManagementType -eq \"Unmanaged\"); not known: deviceManagementType"
      ),
      (
        [Self.target("group", "G1", filter: ("f2", "exclude"))], nil, nil, #"{"osVersion": "16.7"}"#, .no,
        "keeps the device out"
      ),
      (
        [Self.target("group", "G1", filter: ("f2", "exclude"))], nil, nil, #"{"osVersion": "17.1"}"#, .yes,
        "lets the device pass"
      ),
      (
        [Self.target("group", "G1", filter: ("gone", "include"))], nil, nil, "{}", .unknown,
        "a filter that the export does not have"
      ),
      ([Self.target("group", "G1", filter: ("f3", "include"))], nil, nil, "{}", .unknown, "cannot be read"),
      (
        [Self.target("group", "G1", filter: ("f2", "include")), Self.target("group", "G2")], nil, nil,
        #"{"osVersion": "17"}"#, .yes, "documented for devices only"
      ),
      ([all], nil, "com.example.kasse", "{}", .no, "not a core Microsoft app"),
      ([all], #""appGroupType": "allApps""#, "com.example.kasse", "{}", .unknown, "is not known"),
      ([all], #""appGroupType": "allMicrosoftApps""#, "com.microsoft.new", "{}", .unknown, "does not have it"),
      ([all], #""appGroupType": "allMicrosoftApps""#, "com.example", "{}", .no, "not a Microsoft app"),
      (
        [all], #""apps": [{"id": "com.example.kasse.ios"}]"#, "com.example.Kasse", "{}", .yes, "among the policy's apps"
      ),
      ([all], #""apps": []"#, nil, "{}", .no, "not among"),
      ([all], #""pinRequired": true"#, nil, "{}", .unknown, "does not list the policy's apps"),
      (
        [all], #""appGroupType": "allCoreMicrosoftApps", "targetedAppManagementLevels": "mdm""#, nil, "{}", .unknown,
        "not known: deviceManagementType"
      ),
      (
        [all], #""appGroupType": "allCoreMicrosoftApps", "targetedAppManagementLevels": "mdm""#, nil,
        #"{"deviceManagementType": "Unmanaged"}"#, .no, "is none of: mdm"
      ),
      (
        [all], #""appGroupType": "allCoreMicrosoftApps", "targetedAppManagementLevels": "unmanaged,mdm""#, nil,
        #"{"deviceManagementType": "Managed"}"#, .yes, "is one of: unmanaged, mdm"
      ),
      (
        [all], #""appGroupType": "allCoreMicrosoftApps", "targetedAppManagementLevels": "mdm""#, nil,
        #"{"deviceManagementType": "Managed"}"#, .unknown, "not known: IntuneMAMUPN"
      ),
      (
        [all], #""appGroupType": "allCoreMicrosoftApps", "targetedAppManagementLevels": "mdm""#, nil,
        #"{"IntuneMAMUPN": "ada@contoso.com"}"#, .yes, "is one of: mdm"
      ),
      (
        [all], #""appGroupType": "allCoreMicrosoftApps", "targetedAppManagementLevels": "mdm""#, nil,
        #"{"deviceManagementType": "MDM", "IntuneMAMUPN": ""}"#, .no, "is none of: mdm"
      ),
      ([all], nil, nil, "{}", .yes, "a target that the service refuses for policies of apps"),
      (
        [Self.target("group", "acacacac-9df4-4c7d-9d50-4ef0226f57a9")], nil, nil, "{}", .yes,
        "the service's group of all users"
      ),
      (
        [Self.target("group", "adadadad-808e-44e2-905a-0b7873a8a531")], nil, nil, "{}", .no,
        "all devices, which reaches no user"
      ),
    ]
    for row in rows {
      let decision = try Self.decide(
        row.targets, apps: row.apps ?? #""appGroupType": "allCoreMicrosoftApps""#,
        app: row.app ?? "com.microsoft.Office.Outlook", facts: row.facts)
      expectEqual(decision.outcome, row.outcome, "\(row): \(decision.reasons)")
      #expect(decision.reasons.contains { $0.message.contains(row.reason) }, "\(row): \(decision.reasons)")
    }
    let foreign = try Self.decide([Self.target("allLicensedUsers", filter: ("f1", "include"))], platform: "iOS")
    #expect(
      foreign.outcome == .unknown && foreign.reasons.contains { $0.message.contains("is for iOS, and not for apps") })
  }

  @Test("Who is not among the first 20 members of a group may be in it")
  func longLists() throws {
    for (count, more, expected) in [(19, "", Truth.no), (20, "", .unknown), (21, "", .no), (2, "next", .unknown)] {
      let list = (0..<count).map { "{\"id\": \"u\($0)\"}" }.joined(separator: ", ")
      let link = more.isEmpty ? "" : ", \"members@odata.nextLink\": \"\(more)\""
      let group =
        ##"{"@odata.type": "#microsoft.graph.group", "id": "G", "members": [\##(list)]\##(link)}"##
      var groups = GroupMemberships()
      try groups.add(Array(group.utf8))
      expectEqual(groups.holds("G", user: ["eve"]), expected, "\(count) \(more)")
      expectEqual(groups.holds("G", user: ["u1"]), .yes)
      // Someone who is in none of the groups is not in this one, either.
      let (all, stranger) = groups.addingStranger(to: ["G", "H"])
      #expect(all.holds("G", user: [stranger]) == .no && all.holds("H", user: [stranger]) == .no)
      // A list of one's own has everybody.
      try groups.add(Array(#"{"G": ["ada"]}"#.utf8))
      expectEqual(groups.holds("G", user: ["eve"]), .no)
    }
  }

  @Test("Groups hold the members of groups in them, by ids, names and tables of names, and circles end")
  func groups() throws {
    var groups = GroupMemberships()
    try groups.add(Array(#"{"A": ["b"], "B": ["C"], "C": ["a", "ada@contoso.com"], "D": ["E"]}"#.utf8))
    groups.add(
      .names(
        try MigrationTable(
          try JSONDocument.parse(
            #"{"Objects": [{"Id": "id-a", "DisplayName": "A", "Type": "Group"}, {"Id": "E", "DisplayName": "Empty", "Type": "Group"}]}"#
          ).root)))
    for name in ["A", "b", "id-a", "ID-A"] {
      expectEqual(groups.holds(name, user: ["ADA@contoso.com"]), .yes, "\(name)")
    }
    #expect(groups.holds("A", user: ["eve"]) == .no && groups.holds("X", user: ["eve"]) == .unknown)
    // The members of a group in it are listed nowhere.
    expectEqual(groups.holds("D", user: ["eve"]), .unknown)
    let list =
      ##"{"value": [{"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "Graph", "members": [{"@odata.type": "#microsoft.graph.user", "id": "u", "userPrincipalName": "eve@contoso.com"}]}]}"##
    try groups.add(Array(list.utf8))
    #expect(groups.holds("graph", user: ["U"]) == .yes && groups.holds("g", user: ["eve@contoso.com"]) == .yes)
    #expect(throws: PolicyDocumentError.self) { try groups.add(Array(#"{"A": [7]}"#.utf8)) }
    #expect(throws: PolicyDocumentError.self) { try groups.add(Array("[]".utf8)) }
  }

  @Test("An id never reaches another id through a name, and a name that several have decides nothing")
  func ambiguous() throws {
    let table =
      #"{"TenantId": "t", "Objects": [{"Id": "1", "DisplayName": "Sales", "Type": "Group"}, {"Id": "2", "DisplayName": "Sales", "Type": "Group"}, {"Id": "3", "DisplayName": "2", "Type": "Group"}]}"#
    func groups(_ members: String) throws -> GroupMemberships {
      var groups = GroupMemberships()
      groups.add(.names(try MigrationTable(try JSONDocument.parse(table).root)))
      try groups.add(Array(members.utf8))
      return groups
    }
    let byID = try groups(#"{"1": [], "2": ["ada"], "3": []}"#)
    #expect(byID.holds("1", user: ["ada"]) == .no && byID.holds("2", user: ["ada"]) == .yes)
    expectEqual(byID.holds("3", user: ["ada"]), .no)
    for (members, group) in [
      (#"{"Sales": ["ada"]}"#, "1"), (#"{"Sales": ["eve"]}"#, "1"), (#"{"1": [], "2": ["ada"]}"#, "sales"),
      (#"{"1": [], "2": ["ada"], "3": ["Sales"]}"#, "3"), (#"{"1": [], "Sales": ["ada"]}"#, "1"),
    ] {
      let (holds, name) = try groups(members).membership(in: group, user: ["ada"])
      #expect(holds == .unknown && name?.lowercased() == "sales", "\(members)")
    }
    try expectEqual(groups(#"{"1": [], "2": []}"#).holds("Sales", user: ["ada"]), .no)
    // A user may share a name, too; another name says who is meant.
    var users = GroupMemberships()
    let list =
      ##"{"value": [{"@odata.type": "#microsoft.graph.group", "id": "g", "displayName": "G", "members": [{"id": "u1", "displayName": "Ada"}]}, {"@odata.type": "#microsoft.graph.group", "id": "h", "members": [{"id": "u2", "displayName": "Ada"}]}]}"##
    try users.add(Array(list.utf8))
    #expect(users.membership(in: "g", user: ["Ada"]) == (.unknown, "Ada"))
    #expect(users.holds("G", user: ["Ada", "u1"]) == .yes && users.holds("G", user: ["Ada", "u2"]) == .no)
  }

  @Test(
    "Rules of filters are evaluated as documented",
    arguments: [
      ("(app.osVersion -startsWith \"16\")", Truth.yes), ("(APP.DEVICEMODEL -STARTSWITH \"iphone\")", .yes),
      ("(app.operatingSystemVersion -ge 14.10)", .no), ("(app.operatingSystemVersion -lt \"14.10\")", .yes),
      ("app.deviceModel -in [\"iPad\", \"iPhone15,2\"]", .yes), ("app.deviceModel -notIn [\"iPad\"]", .yes),
      ("(app.deviceModel contains \"15\") and (app.osVersion -eq \"17\")", .no),
      ("(app.deviceModel -contains \"x\") or (app.appVersion -eq \"1\")", .unknown),
      ("(app.deviceModel -contains \"x\") and (app.appVersion -eq \"1\")", .no),
      ("app.osVersion -eq \"1\" or app.osVersion -eq \"16.7\" and app.deviceModel -ne \"x\"", .yes),
      ("app.deviceModel -eq \"iPad Pro (12.9\")\"", .no), ("device.model -eq \"x\"", .unknown),
      ("app.deviceModel -ne $null", .yes), ("(app.deviceManagementType -eq \"Managed\")", .yes),
    ])
  func rules(text: String, holds: Truth) throws {
    let facts =
      #"{"osVersion": "16.7", "deviceModel": "iPhone15,2", "operatingSystemVersion": "14.9", "deviceManagementType": "Account Driven User Enrollment"}"#
    try expectEqual(FilterRule(parsing: text).holds(for: try FilterFacts.read(Array(facts.utf8))), holds)
  }

  @Test("A malformed rule is refused with its column, and no text makes the parser trap")
  func malformed() throws {
    for text in [
      "", "(", "app", "app.", "app.osVersion", "app.osVersion -like \"1\"", "app.osVersion -eq",
      "app.osVersion -eq \"1",
      "(app.osVersion -eq \"1\"", "app.osVersion -eq \"1\" x", "user.x -eq \"1\"", "app.osVersion -in [1]",
      String(repeating: "(", count: 100), String(repeating: "a", count: 3_073),
    ] {
      let error = #expect(throws: PolicyDocumentError.self) { try FilterRule(parsing: text) }
      expectEqual(error?.code, .filterRule, "\(text)")
    }
    var random = SeededGenerator(seed: 5)
    let pieces = [
      "app.", "osVersion", " -eq ", "\"1\"", "(", ")", " and ", " or ", "[", "]", ",", "\"", "-", "$null", " ",
    ]
    for _ in 0..<2_000 {
      let text = (0..<random.below(12)).map { _ in pieces[random.below(pieces.count)] }.joined()
      _ = try? FilterRule(parsing: text)
    }
  }

  @Test("Facts have the names of filters' properties")
  func facts() throws {
    try expectEqual(FilterFacts.read(Array(#"{"osVersion": "1", "appVersion": null}"#.utf8))["OSVERSION"], "1")
    for text in [#"{"osversion": "1"}"#, #"{"osVersion": 1}"#, "[]", ""] {
      #expect(throws: PolicyDocumentError.self) { try FilterFacts.read(Array(text.utf8)) }
    }
  }

  @Test("What is asked with a name that no list has is undecided, and the nearest name is known")
  func unknownNames() throws {
    let policy = try Samples.policy(
      Samples.text(
        ##"""
        "appGroupType": "allCoreMicrosoftApps", "assignments": [{"target": {"@odata.type":
        "#microsoft.graph.groupAssignmentTarget", "groupId": "Finance"}}]
        """##)
    ).policy
    var groups = GroupMemberships()
    try groups.add(Array(#"{"Finance": ["ada@contoso.com"], "Sales": ["bob@contoso.com"]}"#.utf8))
    func outcome(_ app: String, _ user: String) -> Truth {
      var question = PolicyTargeting.Question(
        app: app, user: [user], groups: groups, filters: [], device: FilterFacts())
      question.isAppDoubtful = PolicyTargeting.intended(by: app, in: [policy], on: .ios).isDoubtful
      return PolicyTargeting(of: policy, for: question).outcome
    }
    let outlook = "com.microsoft.office.outlook"
    #expect(outcome(outlook, "ada@contoso.com") == .yes && outcome(outlook, "bob@contoso.com") == .no)
    #expect(outcome(outlook, "adaa@contoso.com") == .unknown && outcome("Outlook", "ada@contoso.com") == .unknown)
    #expect(outcome("com.microsoft.office.outlok", "ada@contoso.com") == .unknown)
    #expect(outcome("com.example.own", "ada@contoso.com") == .no)
    expectEqual(PolicyTargeting.intended(by: "Outlook", in: [policy], on: .ios).near, outlook)
    expectEqual(groups.nearest(to: "adaa@contoso.com"), "ada@contoso.com")
    let facts = try FilterFacts.read(
      Array(#"{"deviceManagementType": "unmanagd", "osVersion": "x", "deviceModel": "y"}"#.utf8))
    #expect(facts["deviceManagementType"] == nil && facts["osVersion"] == nil && facts["deviceModel"] == "y")
    expectEqual(facts.unknownValues.map(\.nearest), ["Unmanaged", nil])
  }
}
