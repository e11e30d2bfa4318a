import AppProtection
import Expectations
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Odd values in exports")
struct OddValueTests {
  private static func file(_ members: String) throws -> PolicyFile {
    try PolicyFile.read(Array(Samples.text(members).utf8), name: "p.json")
  }

  private static func rules(_ file: PolicyFile) -> [PolicyRule] {
    file.policies.flatMap(\.findings).map(\.rule).filter { PolicyRule.exports.contains($0) }
  }

  @Test(
    "A value in another form is taken for what it stands for, and lint says so",
    arguments: [
      ("createdDateTime", #""\/Date(1734686995000)\/""#, "2024-12-20T09:29:55Z"),
      ("createdDateTime", #""\/Date(1734686995000+0100)\/""#, "2024-12-20T09:29:55Z"),
      ("createdDateTime", #""12/20/2024 09:29:55""#, "2024-12-20T09:29:55Z"),
      ("createdDateTime", #""12/20/2024 9:29:55 PM""#, "2024-12-20T21:29:55Z"),
      ("createdDateTime", #""20.12.2024 09:29:55""#, "2024-12-20T09:29:55Z"),
      ("createdDateTime", #""12/20/2024 09:29:55 +01:00""#, "2024-12-20T09:29:55+01:00"),
      ("createdDateTime", #""12/20/2024 9:29:55\u202fAM +00:00""#, "2024-12-20T09:29:55+00:00"),
      ("periodOnlineBeforeAccessCheck", #"{"Ticks": 18000000000}"#, "PT30M"),
      ("createdDateTime", #""2024-12-20T09:29:55""#, "2024-12-20T09:29:55Z"),
      ("createdDateTime", #""2024-12-20 09:29:55.25""#, "2024-12-20T09:29:55.25Z"),
      (
        "createdDateTime",
        #"{"value": "\/Date(1734686995000)\/", "DisplayHint": 2, "DateTime": "Friday, December 20, 2024 9:29:55 AM"}"#,
        "2024-12-20T09:29:55Z"
      ),
      ("periodOfflineBeforeAccessCheck", #""12:00:00""#, "PT12H"),
      ("periodOfflineBeforeAccessCheck", #""1.02:03:04.5""#, "P1DT2H3M4.5S"),
      ("periodOfflineBeforeAccessCheck", #""00:00:00""#, "PT0S"),
      (
        "periodOnlineBeforeAccessCheck", #"{"Ticks": 18000000000, "Days": 0, "Minutes": 30, "TotalMinutes": 30}"#,
        "PT30M"
      ),
      ("periodOnlineBeforeAccessCheck", #"{"Days": 2, "Hours": 1, "Minutes": 30, "Seconds": 0}"#, "P2DT1H30M"),
      ("minimumPinLength", #""6""#, "6"), ("minimumPinLength", "6.0", "6"), ("pinRequired", #""True""#, "true"),
      ("pinRequired", "1", "true"), ("minimumRequiredOsVersion", "17.4", "17.4"),
      ("pinCharacterSet", #""Numeric""#, "numeric"), ("pinCharacterSet", #"["numeric"]"#, "numeric"),
      ("allowedDataStorageLocations", #""box""#, "[box]"),
      ("allowedDataStorageLocations", #""oneDriveForBusiness sharePoint""#, "[oneDriveForBusiness, sharePoint]"),
      ("targetedAppManagementLevels", #"["unmanaged", "mdm"]"#, "unmanaged,mdm"),
      ("allowedIosDeviceModels", #"["iPhone12,1", "iPhone12,3"]"#, "iPhone12,1;iPhone12,3"),
      ("roleScopeTagIds", "[0]", "[0]"), ("managedUniversalLinks", #""https://a.example/*""#, "[https://a.example/*]"),
    ])
  func restated(member: String, json: String, wanted: String) throws {
    let file = try Self.file("\"displayName\": \"P\", \"\(member)\": \(json), \"minimumWipeOsVersion\": \"15\"")
    let item = try #require(file.policies.first)
    let property = try #require(PolicyProperty.named(member))
    guard case .value(let value) = item.policy[property] else {
      Issue.record("\(member): \(json) is not read: \(item.findings)")
      return
    }
    let graph = property.graphJSON(of: value, on: .ios)
    let text = graph.string ?? graph.array.map { "[\($0.compactMap(\.string).joined(separator: ", "))]" }
    expectEqual(text ?? graph.description, wanted)
    #expect(item.lost.isEmpty && item.policy.about.displayName == "P")
    expectEqual(Self.rules(file), [.otherForm], "\(item.findings)")
    expectEqual(item.findings[0].place, .text(line: 1, column: 81), "\(item.findings)")
    // What is taken reads back as itself, without a finding.
    let again = try PolicyFile.read(Array(item.policy.graphJSON().description.utf8))
    #expect(again.policies[0].policy == item.policy && Self.rules(again).isEmpty)
  }

  @Test(
    "A value that says nothing certain is unknown, and the rest is read",
    arguments: [
      ("createdDateTime", #""03/04/2024 09:29:55""#), ("createdDateTime", #""yesterday""#),
      ("createdDateTime", #""2024-02-30T00:00:00""#), ("periodOfflineBeforeAccessCheck", #""-PT17.1S""#),
      ("periodOfflineBeforeAccessCheck", #""-12:00:00""#), ("periodOfflineBeforeAccessCheck", "720"),
      ("periodOfflineBeforeAccessCheck", #""25:00:00""#),
      ("periodOfflineBeforeAccessCheck", #"{"Ticks": -1, "Days": 0}"#),
      ("periodOfflineBeforeAccessCheck", #"{"Ticks": 1e400, "Hours": 0, "Minutes": 5, "Seconds": 0}"#),
      ("periodOfflineBeforeAccessCheck", #"{"Ticks": "many", "Hours": 0, "Minutes": 5, "Seconds": 0}"#),
      ("periodOfflineBeforeAccessCheck", #""98765432.00:00:00""#),
      ("periodOfflineBeforeAccessCheck", #""10675199.00:00:00""#),
      ("minimumPinLength", "010"), ("minimumPinLength", "5px"), ("minimumPinLength", "0x1FFFFFFFFF"),
      ("pinRequired", "yes"), ("displayName", "Contoso"),
      ("minimumRequiredOsVersion", "[]"), ("minimumRequiredOsVersion", "true"), ("minimumPinLength", #""six""#),
      ("minimumPinLength", "99999999999999999999"), ("pinRequired", #""perhaps""#), ("pinRequired", "NaN"),
      ("minimumPinLength", "-Infinity"), ("displayName", "undefined"), ("allowedDataStorageLocations", "7"),
      ("managedUniversalLinks", #""https://a.example/* https://b.example/*""#),
      ("allowedIosDeviceModels", #"{"a": 1}"#), ("apps", #""@{id=1; version=2}""#),
      ("exemptedAppProtocols", #"["skype"]"#),
      ("minimumRequiredOsVersion", #""@{a=1; b=""#),
    ])
  func unknown(member: String, json: String) throws {
    let file = try Self.file("\"minimumWipeOsVersion\": \"15\", \"\(member)\": \(json)")
    let item = try #require(file.policies.first)
    expectEqual(item.lost, [member])
    let property = try #require(PolicyProperty.named(member))
    #expect(item.policy[property] == .absent)
    expectEqual(item.policy.conditionalLaunch.minimumWipeOsVersion, "15")
    #expect([[.lostData], [.unreadableValue]].contains(Self.rules(file)), "\(item.findings)")
  }

  @Test("What decides by a policy refuses what it cannot read, as before")
  func strict() throws {
    for members in [#""minimumPinLength": "6""#, #""periodOfflineBeforeAccessCheck": "12:00:00""#] {
      #expect(throws: PolicyDocumentError.self) { try GraphDocument.read(Array(Samples.text(members).utf8)) }
    }
  }

  @Test("A text with comments and commas before closing brackets is read, and places stay what they are")
  func mended() throws {
    let text = """
      // Exported, "by hand"
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", /* a "name" */ "displayName": "A // B, ]",
       "allowedDataStorageLocations": ["box", // one
       ],
       "minimumPinLength": "x",
      }
      """
    for bytes in [Array(text.utf8), ExportSamples.utf16(text)] {
      let file = try PolicyFile.read(bytes, name: "p.json")
      let item = try #require(file.policies.first)
      expectEqual(item.policy.about.displayName, "A // B, ]")
      expectEqual(
        item.findings.map(\.description).prefix(3).joined(separator: "\n"),
        """
        p.json: line 1, column 1: JSON: a comment is no part of JSON, as in 2 more places, and was passed over; remove it
        p.json: line 3, column 39: JSON: a trailing comma precedes ], as in 1 more place, and was passed over; remove the comma
        p.json: line 5, column 2: minimumPinLength: a whole number is needed, and the text "x" was found, so that the value is unknown; write a number from 0 to 65535
        """)
    }
    for text in ["{\"a\": 1,, }", "// nothing", "{\"displayName\": \"A\" /* ", "/* {} ", "{\"a\": NaN NaN}"] {
      #expect(throws: PolicyDocumentError.self, "\(text)") { try PolicyFile.read(Array(text.utf8), name: "p.json") }
    }
    let dump = "{\"PINEnabled\": 1, \"SimplePINAllowed\": 0,}"
    #expect(try PolicyFile.read(Array(dump.utf8), name: "d.json").policies.first?.isFromDevice == true)
  }

  @Test(
    "What is no JSON, and has one meaning, is taken for it",
    arguments: [
      (
        "\"minimumPinLength\": +7",
        #"minimumPinLength: "+7" is not a value of JSON, and the number 7 was taken; write 7"#
      ),
      (
        "\"minimumPinLength\": 7.",
        #"minimumPinLength: "7." is not a value of JSON, and the number 7 was taken; write 7"#
      ),
      (
        "\"minimumPinLength\": 0x7",
        #"minimumPinLength: "0x7" is not a value of JSON, and the number 7 was taken; write 7"#
      ),
      (
        "\"minimumRequiredOsVersion\": .5",
        #"minimumRequiredOsVersion: ".5" is not a value of JSON, and the number 0.5 was taken; write 0.5"#
      ),
      ("\"pinRequired\": True", #"pinRequired: "True" is not a value of JSON, and true was taken; write true"#),
      (
        "\"minimumWarningOsVersion\": $null",
        #"minimumWarningOsVersion: "$null" is not a value of JSON, and null was taken; write null"#
      ),
      (
        "'minimumPinLength': 7",
        "JSON: a text is in single quotes, and the text was taken; write straight double quotes"
      ),
      (
        "minimumPinLength: 7",
        "JSON: a member's name has no quotes, and the word was taken; write the name in double quotes"
      ),
      (
        "'customBrowserProtocol': 'it\\'s', \"a\": 1",
        "JSON: a text is in single quotes, as in 1 more place, and the text was taken; write straight double quotes"
      ),
      (
        "\"minimumPinLength\": 7, \"minimumPinLength\": 7",
        "minimumPinLength: the member \"minimumPinLength\" occurs twice in one object, and was passed over; remove one of them"
      ),
      (
        "\"description\": \"C:\\Apps\"",
        "description: a backslash is not followed by one of \" \\ / b f n r t u, and the backslash itself was taken; write \\\\ for a backslash"
      ),
      (
        "\"description\": \"one\ntwo\"",
        "description: the control character U+000A in a string is not escaped, and it was taken; close the string before it, or write it as an escape"
      ),
    ])
  func otherSyntax(members: String, wanted: String) throws {
    let file = try Self.file("\"displayName\": \"P\", \(members), \"minimumWipeOsVersion\": \"15\"")
    let item = try #require(file.policies.first)
    expectEqual(item.policy.conditionalLaunch.minimumWipeOsVersion, "15")
    #expect(item.lost.isEmpty)
    let found = item.findings.filter { $0.rule == .notJSON }.map { "\($0.setting): \($0.message); \($0.remedy)" }
    expectEqual(found, [wanted])
  }

  @Test("Half a character, and two values for one member, leave that member unknown")
  func unknownSyntax() throws {
    let file = try Self.file(
      #""displayName": "P", "description": "half \ud83d", "minimumPinLength": 4, "minimumPinLength": 6, "pinRequired": true"#
    )
    let item = try #require(file.policies.first)
    expectEqual(item.lost, ["description", "minimumPinLength"])
    expectEqual(item.policy.access.pinRequired, true)
    expectEqual(item.policy.about.description, "half \u{FFFD}")
    expectEqual(
      item.findings.filter { PolicyRule.exports.contains($0.rule) }.map { "\($0.rule) \($0.setting): \($0.message)" },
      [
        "notJSON description: half of a surrogate pair is not a character on its own, and the value is unknown",
        #"lostData minimumPinLength: the member "minimumPinLength" occurs twice in one object, with different values, so that the value is unknown"#,
      ])
    // The finding stands with the document that it is about.
    let two = "[\(Samples.text("\"displayName\": \"A\"")), \(Samples.text(#""displayName": "B \udc00""#))]"
    let both = try PolicyFile.read(Array(two.utf8), name: "two.json").policies
    expectEqual(both.map(\.lost), [[], ["displayName"]])
    expectEqual(both.map { $0.findings.count { $0.rule == .notJSON } }, [0, 1])
    let many = (0..<101).map { "\"m\($0)\": +1" }.joined(separator: ", ")
    #expect(throws: PolicyDocumentError.self) { try Self.file(many) }
  }

  @Test("One odd setting of an app configuration leaves the others, in their places")
  func oddSetting() throws {
    func configuration(_ members: String) throws -> PolicyFile {
      let text = "{\"@odata.type\": \"#microsoft.graph.targetedManagedAppConfiguration\", \(members)}"
      return try PolicyFile.read(Array(text.utf8), name: "c.json")
    }
    let file = try configuration(
      #""customSettings": [{"name": "a", "value": "1"}, {"name": null, "value": "2"}, {"name": "b", "value": NaN}, {"name": "  c"}]"#
    )
    guard case .appConfiguration(let document)? = file.others.first else {
      Issue.record("\(file.refusals)")
      return
    }
    expectEqual(document.settings.map(\.key), ["a", "  c"])
    expectEqual(document.settings.map(\.element), [0, 3])
    expectEqual(file.lostInOthers, [["customSettings"]])
    let found = file.configurationFindings.filter { PolicyRule.exports.contains($0.rule) }
    expectEqual(found.map(\.element), [2, 1])
    expectEqual(found.map(\.place), [.text(line: 1, column: 147), .text(line: 1, column: 117)])
    let half = try configuration(#""customSettings": [{"name": "a", "value": "\ud800"}]"#)
    expectEqual(half.lostInOthers, [["customSettings"]])
    let permissions = #""permissionActions": [{"permission": "p", "action": "prompt"}, 7], "payloadJson": "e30=""#
    let text = "{\"@odata.type\": \"#microsoft.graph.androidManagedStoreAppConfiguration\", \(permissions)}"
    let android = try PolicyFile.read(Array(text.utf8), name: "c.json")
    guard case .appConfiguration(let other)? = android.others.first else {
      Issue.record("\(android.refusals)")
      return
    }
    expectEqual(other.permissions.map(\.name), ["p"])
  }

  @Test("Of an export with lists of many kinds, every policy is read")
  func mixed() throws {
    let policy = Samples.text("\"displayName\": \"A\"")
    let android = policy.replacing("ios", with: "android").replacing("\"A\"", with: "\"B\"")
    let texts = [
      "{\"value\": [\"https://graph.microsoft.com/beta/x\", \(policy), 7, null, \(android)]}",
      "{\"scripts\": [{\"id\": \"1\"}], \"policies\": [\(policy)], \"more\": {\"of\": [\(android)]}, \"count\": 2}",
      "{\"conditionalAccess\": {\"state\": \"on\"}, \"iosManagedAppProtections\": [{\"displayName\": \"A\"}], \"b\": \(android)}",
      "[{\"export\": [\(policy)], \"of\": \"x\"}, [\(android)]]",
    ]
    for text in texts {
      let file = try PolicyFile.read(Array(text.utf8), name: "all.json")
      expectEqual(file.policies.map(\.policy.about.displayName), ["A", "B"], "\(text)")
      expectEqual(file.refusals.filter(\.isBroken).map(\.description), [])
    }
    // A document of another type is not searched for what it holds.
    let foreign = "{\"id\": \"1\", \"settings\": [{\"id\": \"0\"}]}"
    #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(foreign.utf8)) }
  }

  @Test("An app configuration with odd values is read, and what is unknown is named")
  func configuration() throws {
    func read(_ members: String) throws -> (AppConfigurationDocument, PolicyFile) {
      let text = ##"{"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "C", \##(members)}"##
      let file = try PolicyFile.read(Array(text.utf8), name: "c.json")
      guard case .appConfiguration(let configuration)? = file.others.first else {
        throw PolicyDocumentError(.unknownType, at: .none, path: JSONPath(), message: "\(file)", remedy: "")
      }
      return (configuration, file)
    }
    let (settings, odd) = try read(
      """
      "settings": [{"appConfigKey": "a", "appConfigKeyType": "integerType", "appConfigKeyValue": 5},
      {"appConfigKey": "b", "appConfigKeyValue": true}], "createdDateTime": "12/20/2024 09:29:55", "version": 3
      """)
    expectEqual(settings.settings.map(\.value), ["5", "true"])
    expectEqual(settings.createdDateTime?.text, "2024-12-20T09:29:55Z")
    expectEqual(Set(odd.configurationFindings.map(\.rule)), [.otherForm])
    expectEqual(odd.lostInOthers, [[]])
    let (rest, unknown) = try read(##""settings": "none", "roleScopeTagIds": {"a": {}}, "isAssigned": "perhaps""##)
    #expect(rest.settings.isEmpty && rest.displayName == "C" && rest.isAssigned == nil)
    expectEqual(unknown.lostInOthers, [["settings", "roleScopeTagIds", "isAssigned"]])
    expectEqual(
      unknown.configurationFindings.map(\.rule).filter(PolicyRule.exports.contains),
      [.unreadableValue, .unreadableValue, .unreadableValue])
  }

  @Test("A rule that hangs on an unknown value finds nothing")
  func certainFindings() throws {
    let rows: [(members: String, rule: PolicyRule)] = [
      (#""dialerRestrictionLevel": "customApp", "customDialerAppProtocol": %"#, .missingScheme),
      (
        #""appActionIfAccountIsClockedOut": "block", "gracePeriodToBlockAppsDuringOffClockHours": %"#,
        .actionWithoutCondition
      ),
      (#""managedBrowser": "microsoftEdge", "managedBrowserToOpenLinksRequired": %"#, .browserNotRequired),
      (#""deployedAppCount": 0, "apps": %"#, .noApps),
    ]
    for (members, rule) in rows {
      let (unknown, unset) = try (
        Self.file(members.replacing("%", with: "{}")), Self.file(members.replacing("%", with: "null"))
      )
      #expect(!unknown.policies[0].findings.contains { $0.rule == rule }, "\(unknown.policies[0].findings)")
      #expect(unset.policies[0].findings.contains { $0.rule == rule }, "\(unset.policies[0].findings)")
    }
  }

  @Test("Whether a policy counts is undecided where the decisive member is unknown")
  func targeting() throws {
    let rest = #""apps": [{"mobileAppIdentifier": {"bundleId": "com.example.other"}}]"#
    let all = ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]"##
    let app = rest.replacing("other", with: "app")
    let rows: [(members: String, outcome: Truth)] = [
      ("\(rest), \(all)", .no), ("\(rest), \(all), \"appGroupType\": []", .unknown), ("\(app), \(all)", .yes),
      ("\(app), \"isAssigned\": false", .no), ("\(app), \"isAssigned\": false, \"assignments\": 7", .unknown),
      ("\(app), \(all), \"targetedAppManagementLevels\": 3", .unknown), ("\"apps\": {}, \(all)", .unknown),
    ]
    let question = PolicyTargeting.Question(
      app: "com.example.app", user: ["ada"], groups: GroupMemberships(), filters: [], device: FilterFacts())
    for (members, outcome) in rows {
      let item = try Self.file(members).policies[0]
      let targeting = PolicyTargeting(of: item.policy, lacking: item.lost, for: question)
      expectEqual(targeting.outcome, outcome, "\(members): \(targeting.reasons)")
    }
  }

  @Test("Odd values are read in the shape of every tool that has dates and durations")
  func shapes() throws {
    let odd = ExportSamples.graph.replacing(
      "\"pinRequired\": true,",
      with: #""pinRequired": "True", "createdDateTime": "\/Date(1734686995000)\/", "periodBeforePinReset": "-PT1S","#)
    let packed = JSONValue.object([.init("RAWJson", .string(odd))]).description
    let twice = JSONValue.object([.init("RowKey", "1"), .init("JSON", .string(packed))]).description
    let texts = [
      odd, "[\(odd)]", "{\"value\": [\(odd)]}", "{\"responses\": [{\"id\": \"1\", \"status\": 200, \"body\": \(odd)}]}",
      packed, twice, JSONValue.string(odd).description,
    ]
    for text in texts {
      let item = try #require(try PolicyFile.read(Array(text.utf8), name: "x.json").policies.first, "\(text)")
      #expect(item.policy.access.pinRequired == true && item.lost == ["periodBeforePinReset"], "\(text)")
      expectEqual(item.policy.about.createdDateTime?.text, "2024-12-20T09:29:55Z")
      expectEqual(item.findings.prefix(3).map(\.rule), [.otherForm, .otherForm, .unreadableValue], "\(text)")
    }
    let yaml = ExportSamples.yaml.replacing(
      "pinRequired: true", with: "pinRequired: 'True'\nperiodBeforePinReset: 60.00:00:00")
    let item = try PolicyFile.read(Array(yaml.utf8), name: "a.yaml").policies[0]
    #expect(item.policy.access.pinRequired == true && item.policy.access.periodBeforePinReset?.text == "P60D")
  }
}
