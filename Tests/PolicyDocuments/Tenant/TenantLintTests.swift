import Expectations
import JSON
import JournalSimulation
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Lint of a tenant")
struct TenantLintTests {
  private typealias Label = GeneratedTenant.Label

  static let rules = PolicyRule.tenant

  private static func lint(_ files: [(name: String, text: String)]) throws -> TenantLint {
    var lint = TenantLint()
    for (name, text) in files {
      let file = try PolicyFile.read(Array(text.utf8), name: name)
      for item in file.policies { lint.add(item, in: name) }
      for (document, lost) in zip(file.others, file.lostInOthers) {
        lint.add(document, lacking: lost, isPartial: file.isPartial, in: name)
      }
    }
    return lint
  }

  private static func found(_ files: [(name: String, text: String)]) throws -> [Label] {
    try lint(files).findings.map { Label(rule: $0.finding.rule.id, file: $0.finding.file ?? "") }
  }

  @Test("Of 100 findings that a seed draws 95 are right, and so many of the planted faults are found")
  func precision() throws {
    var all: [(label: Label, isRight: Bool)] = []
    var (planted, found) = (0, 0)
    var rules: Set<String> = []
    for seed in UInt64(1)...60 {
      let tenant = GeneratedTenant(seed: seed)
      let labels = try Self.found(tenant.files)
      all += labels.map { ($0, tenant.labels.contains($0)) }
      planted += tenant.labels.count
      found += tenant.labels.intersection(labels).count
      rules.formUnion(tenant.labels.map(\.rule))
      for missed in tenant.labels.subtracting(labels) { print("seed \(seed) missed \(missed)") }
      for wrong in labels where !tenant.labels.contains(wrong) { print("seed \(seed) wrong \(wrong)") }
    }
    expectEqual(rules, Set(Self.rules.map(\.id)))
    #expect(all.count > 200)
    var random = SeededGenerator(seed: 2026)
    let drawn = all.shuffled(using: &random).prefix(100)
    #expect(drawn.count(where: \.isRight) >= 95, "\(drawn.filter { !$0.isRight }.map(\.label))")
    #expect(found * 100 >= planted * 95, "\(found) of \(planted)")
  }

  // MARK: Cases

  private static func target(_ group: String, _ type: String = "group") -> String {
    ##"{"target": {"@odata.type": "#microsoft.graph.\##(type)AssignmentTarget", "groupId": "\##(group)"}}"##
  }

  private static func policy(
    _ name: String, _ targets: String, _ settings: String = #""minimumPinLength": 4"#, platform: String = "ios"
  ) -> String {
    ##"{"@odata.type": "#microsoft.graph.\##(platform)ManagedAppProtection", "displayName": "\##(name)", "appGroupType": "allCoreMicrosoftApps", "assignments": [\##(targets)], \##(settings)}"##
  }

  private static func group(_ id: String, _ members: String...) -> String {
    let list = members.map { "{\"id\": \"\($0)\"}" }.joined(separator: ", ")
    return ##"{"@odata.type": "#microsoft.graph.group", "id": "\##(id)", "members": [\##(list)]}"##
  }

  private static let six = #""minimumPinLength": 6"#

  @Test("Two policies, the setting and both values are named")
  func pair() throws {
    let files = [
      ("a.json", Self.policy("A", Self.target("G"))), ("b.json", Self.policy("B", Self.target("g"), Self.six)),
    ]
    let finding = try #require(try Self.lint(files).findings.first?.finding)
    expectEqual(finding.rule, .differingPolicies)
    expectEqual(
      finding.description,
      "a.json: line 1, column 1: assignments: b.json reaches the same users in com.microsoft.msedge and 10 more apps with other values: Select minimum PIN length (4 here, 6 there); exclude the users from one of the two, or set the same values: the strictest one counts"
    )
  }

  @Test("Users are shared where it is certain")
  func users() throws {
    let all = ##"{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}"##
    let pilot = Self.target("P")
    let noPilot = "\(all), \(Self.target("P", "exclusionGroup"))"
    let rows: [(String, String, [String], Bool)] = [
      (all, all, [], true), (all, pilot, [], true), (noPilot, pilot, [], false), (noPilot, all, [], true),
      (noPilot, Self.target("Q"), [], false),
      (noPilot, Self.target("Q"), [Self.group("P", "u"), Self.group("Q", "v")], true),
      (noPilot, Self.target("Q"), [Self.group("P", "u"), Self.group("Q", "u")], false),
      (pilot, Self.target("Q"), [], false),
      (pilot, Self.target("Q"), [Self.group("P", "u"), Self.group("Q", "u")], true),
      (pilot, Self.target("Q"), [Self.group("P", "u"), Self.group("Q", "P")], true),
      (pilot, Self.target("Q"), [Self.group("P", "u"), Self.group("Q", "v")], false),
      (pilot, pilot, [Self.group("P")], false),
      ("\(pilot), \(Self.target("X", "exclusionGroup"))", "\(pilot), \(Self.target("Y", "exclusionGroup"))", [], false),
    ]
    for (one, other, groups, isShared) in rows {
      let files =
        [("a.json", Self.policy("A", one)), ("b.json", Self.policy("B", other, Self.six))]
        + groups.enumerated().map { ("g\($0.offset).json", $0.element) }
      let rules = try Self.found(files).map(\.rule)
      expectEqual(rules.contains("differingPolicies"), isShared, "\(one) \(other) \(groups)")
    }
  }

  @Test("A policy that says that it is not assigned reaches nobody, whatever it lists")
  func notAssigned() throws {
    for (isAssigned, isShared) in [("true", true), ("false", false)] {
      let other = Self.policy("B", Self.target("G"), Self.six + #", "isAssigned": \#(isAssigned)"#)
      let rules = try Self.found([("a.json", Self.policy("A", Self.target("G"))), ("b.json", other)]).map(\.rule)
      expectEqual(rules.contains("differingPolicies"), isShared, "\(isAssigned)")
    }
  }

  @Test("The service's own groups reach all users and all devices, and no export lacks them")
  func virtualGroups() throws {
    let users = Self.target("ACACACAC-9df4-4c7d-9d50-4ef0226f57a9")
    let devices = Self.target("adadadad-808e-44e2-905a-0b7873a8a531")
    func rules(_ one: String, _ other: String) throws -> [String] {
      let groups = (1...6).map { ("g\($0).json", Self.group("G\($0)", "u\($0)")) }
      let named = (1...6).map { Self.target("G\($0)") }.joined(separator: ", ")
      let files = [
        ("a.json", Self.policy("A", one)), ("b.json", Self.policy("B", other, Self.six)),
        ("c.json", Self.policy("C", named)),
      ]
      return try Self.found(files + groups).map(\.rule)
    }
    let shared = try rules(users, Self.target("G1"))
    #expect(shared.contains("differingPolicies") && !shared.contains("missingGroup"), "\(shared)")
    let apart = try rules(devices, Self.target("G1"))
    #expect(!apart.contains("missingGroup"), "\(apart)")
    #expect(try rules(Self.target("gone"), Self.target("G1")).contains("missingGroup"))
  }

  @Test("Twins are two policies whose names differ in the platform alone")
  func twins() throws {
    let rows: [(String, String, String, Int)] = [
      ("Base iOS/iPadOS", "Base (Android)", Self.six, 1), ("Base", "Base", Self.six, 1),
      ("Base iOS", "Other Android", Self.six, 0),
      ("Base iOS", "Base Android", #""minimumPinLength": 4"#, 0),
      ("Base iOS", "Base Android", #""minimumRequiredOsVersion": "12""#, 0),
    ]
    for (one, other, settings, count) in rows {
      let files = [
        ("a.json", Self.policy(one, "")), ("b.json", Self.policy(other, "", settings, platform: "android")),
      ]
      expectEqual(try Self.found(files).count, count, "\(one) \(other) \(settings)")
      // Of two, none is certainly the twin.
      expectEqual(
        try Self.found(files + [("c.json", Self.policy(one, ""))]).filter { $0.rule == "differingTwins" }.count, 0)
    }
  }

  @Test("What an export lacks is no finding, and is named once")
  func unknown() throws {
    let managed = #""targetedAppManagementLevels": "mdm""#
    let files = [
      ("a.json", Self.policy("A", Self.target("G"), managed)), ("b.json", Self.policy("B", Self.target("H"), managed)),
    ]
    var lint = try Self.lint(files)
    expectEqual(lint.findings.count, 0)
    expectEqual(lint.unchecked, ["groups with their members", "app configurations for managed devices"])
    expectEqual(try Self.lint([files[0]]).unchecked, [])
    let device =
      ##"{"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "settings": [{"appConfigKey": "x", "appConfigKeyType": "stringType", "appConfigKeyValue": "y"}]}"##
    let more = files + [("d.json", device), ("g.json", Self.group("G", "u")), ("i.json", Self.group("I", "w"))]
    lint = try Self.lint(more)
    expectEqual(lint.findings.map(\.finding.rule), [.managedWithoutUPN, .managedWithoutUPN])
    lint.isIncomplete = true
    expectEqual(lint.findings.count, 0)
  }

  private static func rules(_ targets: String, _ groups: [String]) throws -> [String] {
    let files =
      [("a.json", policy("A", targets))] + groups.enumerated().map { ("g\($0.offset).json", $0.element) }
    return try found(files).map(\.rule)
  }

  /// A group whose members are certainly users.
  private static func users(_ id: String, _ members: some Sequence<Int>, more: String = "") -> String {
    let list = members.map { ##"{"@odata.type": "#microsoft.graph.user", "id": "m\##($0)"}"## }.joined(separator: ", ")
    return ##"{"@odata.type": "#microsoft.graph.group", "id": "\##(id)", "members": [\##(list)]\##(more)}"##
  }

  @Test("A list of members that may go on says nothing of those whom it lacks")
  func longGroups() throws {
    let targets = "\(Self.target("G")), \(Self.target("X", "exclusionGroup"))"
    let next = #", "members@odata.nextLink": "https://graph.microsoft.com/v1.0/groups/X""#
    for (included, excluded, expected) in [
      (Self.users("G", 0..<19), Self.users("X", 50..<69), ["idleExclusion"]),
      (Self.users("G", 0..<20), Self.users("X", 50..<69), []),
      (Self.users("G", 0..<19), Self.users("X", 50..<70), []),
      (Self.users("G", 0..<3), Self.users("X", 50..<53, more: next), []),
      (Self.users("G", 0..<19), Self.users("X", 0..<25), ["cancelledInclusion"]),
      (Self.users("G", 0..<20), Self.users("X", 0..<25), []),
      // What has no type may be a group that holds the others.
      (Self.users("G", 0..<3), Self.group("X", "m8"), []),
    ] {
      expectEqual(try Self.rules(targets, [included, excluded]), expected, "\(included) \(excluded)")
    }
    let empty = Self.users("G", 0..<0, more: next.replacing("groups/X", with: "groups/G"))
    expectEqual(try Self.rules(Self.target("G"), [empty, Self.users("Y", 0..<1)]), [])
  }

  @Test("Documents of one group are joined, in whatever order they come")
  func joined() throws {
    let targets = "\(Self.target("G")), \(Self.target("X", "exclusionGroup"))"
    let parts = [Self.users("G", 0..<2), Self.users("G", 2..<4)]
    for parts in [parts, parts.reversed()] {
      expectEqual(try Self.rules(targets, parts + [Self.users("X", 2..<9)]), [])
      expectEqual(try Self.rules(targets, parts + [Self.users("X", 0..<9)]), [])
      let pair = [
        ("a.json", Self.policy("A", Self.target("G"))), ("b.json", Self.policy("B", Self.target("H"), Self.six)),
        ("h.json", Self.users("H", 0..<4)), ("g.json", parts[0]), ("i.json", parts[1]),
      ]
      #expect(try Self.found(pair).map(\.rule).contains("differingPolicies"))
    }
    // One that lists everybody whom the others list is whole.
    let whole = [Self.users("G", 0..<4), Self.users("G", 1..<3)]
    expectEqual(try Self.rules(targets, whole + [Self.users("X", 0..<9)]), ["cancelledInclusion"])
  }

  @Test("A group is missing where every other one is there, and they are five or more")
  func missingGroups() throws {
    for (known, gone, isFound) in [(5, 1, true), (4, 1, false), (3, 2, false), (8, 2, false), (9, 1, true)] {
      let targets = (0..<(known + gone)).map { Self.target("G\($0)") }.joined(separator: ", ")
      let rules = try Self.rules(targets, (0..<known).map { Self.users("G\($0)", [$0]) })
      expectEqual(rules, isFound ? ["missingGroup"] : [], "\(known) of \(known + gone)")
    }
  }

  @Test("A managed device needs a user's key for apps that the service may not tell it")
  func userKeys() throws {
    func rules(_ key: String, _ apps: String) throws -> [PolicyFinding] {
      let listed = apps.split(separator: " ").map {
        ##"{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "\##($0)"}}"##
      }
      let policy =
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "A", "targetedAppManagementLevels": "mdm", "apps": [\##(listed.joined(separator: ", "))]}"##
      let configuration =
        ##"{"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "settings": [{"appConfigKey": "\##(key)", "appConfigKeyType": "stringType", "appConfigKeyValue": "{{userid}}"}]}"##
      return try Self.lint([("a.json", policy), ("c.json", configuration)]).findings.map(\.finding)
    }
    let office = "com.microsoft.office.Word com.microsoft.skype.teams"
    expectEqual(try rules("IntuneMAMOID", "org.contoso.chart").count, 0)
    expectEqual(try rules("IntuneMAMDeviceID", office).count, 0)
    let found = try rules("IntuneMAMDeviceID", office + " org.contoso.chart org.contoso.beds")
    expectEqual(found.map(\.rule), [.managedWithoutUPN])
    #expect(
      found.first?.message.hasSuffix(
        "delivers IntuneMAMUPN or IntuneMAMOID, without which these apps count as unmanaged there: org.contoso.beds, org.contoso.chart"
      ) == true, "\(found)")
  }

  @Test("Policies are compared where they have an app in common, and each audience is there once")
  func work() throws {
    func pairs(apps: Int, groups: Int, of count: Int) throws -> [Int] {
      let documents = try (0..<count).map { number in
        let text =
          ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "minimumPinLength": \##(4 + number % 2), "apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "org.contoso.a\##(number % apps)"}}], "assignments": [\##(Self.target("G\(number % groups)"))]}"##
        let item = try #require(PolicyFile.read(Array(text.utf8)).policies.first)
        return TenantDocument(item, in: "\(number).json")
      }
      var audiences = TenantAudiences(TenantGroups())
      let found = TenantPairs(documents, &audiences)
      return [found.candidates, audiences.count, found.pairs.count]
    }
    expectEqual(try pairs(apps: 300, groups: 3, of: 300), [0, 3, 0])
    // Each pair is met once, and those that have the same values are no finding.
    expectEqual(try pairs(apps: 1, groups: 1, of: 20), [190, 1, 100])
    expectEqual(try pairs(apps: 10, groups: 20, of: 20), [10, 20, 0])
    expectEqual(try pairs(apps: 1, groups: 1, of: 60).last, TenantPairs.most)
  }

  @Test("Real documents cause no finding but those of policies that differ")
  func samples() throws {
    let files = try Samples.names().map { ($0, String(decoding: try Samples.bytes($0), as: UTF8.self)) }
    for label in try Self.found(files) { expectEqual(label.rule, "differingTwins", "\(label)") }
  }
}
