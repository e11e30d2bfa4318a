import Expectations
import AppProtection
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Documents other than policies")
struct ManagementDocumentTests {
  private static func read(_ text: String) throws -> ManagementDocument {
    let file = try PolicyFile.read(Array(text.utf8), name: "t")
    try #require(file.policies.isEmpty && file.refusals.isEmpty)
    return try #require(file.others.first)
  }

  private static func rows(_ document: ManagementDocument) -> [String] {
    document.rows.map { "\($0.title): \($0.value)\($0.isPrivate ? " *" : "")" }
  }

  @Test("The reference's examples are read completely")
  func samples() throws {
    var kinds: [String: [String]] = [:]
    for name in try Samples.names() where name.hasPrefix("graphdocs") && !name.contains("Protection") {
      let file = try PolicyFile.read(try Samples.bytes(name), name: name)
      let document = try #require(file.others.first)
      kinds[document.kindName] = Self.rows(document)
    }
    expectEqual(kinds.count, 3)
    expectEqual(
      kinds["Deployment summary"],
      [
        "Name: Display Name value", "Users: 14", "Counted: 2017-01-01T00:01:30.1240368-08:00",
        "Version: Version value", "Users of Package Id value: 13",
      ])
    expectEqual(kinds["App configuration for managed apps"]?.contains("Setting Name value: Value value *"), true)
    let registration = try #require(kinds["App registration"])
    #expect(registration.contains("App: Bundle Id value") && registration.contains("Flagged: rootedDevice"))
    #expect(registration.contains("Last check-in: 2017-01-01T00:02:49.3205976-08:00"))
    #expect(registration.contains("User: User Id value *"))
  }

  @Test("An app's applied and intended policies show what it has not fetched")
  func deliveries() throws {
    func policy(_ id: String, _ version: String, _ more: String = "") -> String {
      ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "id": "\##(id)", "displayName": "\##(id)", "version": "\##(version)"\##(more)}"##
    }
    let applied = [policy("a", "1"), policy("b", "1", #", "pinRequired": false"#), policy("d", "1")]
    let intended = [policy("a", "1"), policy("b", "2", #", "pinRequired": true"#), policy("c", "1")]
    let other = ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "id": "x"}"##
    let text = ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppRegistration", "flaggedReasons": ["none", "later"],
       "appliedPolicies": [\##(applied.joined(separator: ",")), \##(other)],
       "intendedPolicies": [\##(intended.joined(separator: ","))],
       "operations": [{"displayName": "Wipe", "state": "pending"}]}
      """##
    guard case .registration(let registration) = try Self.read(text) else {
      Issue.record("no registration")
      return
    }
    expectEqual(registration.flaggedReasons, [.nothing, .unrecognized])
    expectEqual(
      registration.deliveries.map(\.delivery),
      [.current, .outdated(["version", "pinRequired"]), .notDelivered, .notWithdrawn])
    expectEqual(registration.deliveries.map(\.policy.about.id), ["a", "b", "c", "d"])
    expectEqual(
      Self.rows(.registration(registration)),
      [
        "Flagged: unrecognized", "Policy a: as intended",
        "Policy b: changed since the last check-in: version, pinRequired", "Policy c: assigned since the last check-in",
        "Policy d: withdrawn since the last check-in", "Operation Wipe: pending",
      ])
  }

  @Test("Every reason for which the service flags a device is read by name")
  func flaggedReasons() throws {
    let names = ["none", "rootedDevice", "androidBootloaderUnlocked", "androidFactoryRomModified"]
    let list = names.map { "\"\($0)\"" }.joined(separator: ",")
    let text = ##"{"@odata.type": "#microsoft.graph.iosManagedAppRegistration", "flaggedReasons": [\##(list)]}"##
    guard case .registration(let registration) = try Self.read(text) else {
      Issue.record("no registration")
      return
    }
    let reasons: [AppRegistration.FlaggedReason] = [
      .nothing, .rootedDevice, .androidBootloaderUnlocked, .androidFactoryRomModified,
    ]
    expectEqual(registration.flaggedReasons, reasons)
    expectEqual(Self.rows(.registration(registration)), ["Flagged: " + names.dropFirst().joined(separator: ", ")])
  }

  @Test("Requests for logs are read with a registration and alone, and names in them are private")
  func logCollectionRequests() throws {
    let request = ##"""
      "id": "r1", "status": "completed", "requestedBy": "u1", "requestedByUserPrincipalName": "admin@contoso.com",
       "userLogUploadConsent": "accepted", "requestedDateTime": "2026-03-01T10:00:00Z",
       "completedDateTime": "2026-03-01T10:05:00Z", "version": "1", "managedAppRegistrationId": "g1",
       "uploadedLogs": [
         {"managedAppComponent": "IntuneMAM", "managedAppComponentDescription": "SDK", "referenceId": "X1",
          "status": "completed"},
         {"managedAppComponentDescription": "Host", "status": "declinedByUser"}, {}]
      """##
    let rows = [
      "Logs: completed", "Logs requested: 2026-03-01T10:00:00Z", "Logs completed: 2026-03-01T10:05:00Z",
      "Logs requested by: u1 *", "Logs requested by user: admin@contoso.com *",
      "User's consent to the upload: accepted", "Log IntuneMAM: completed, X1", "Log Host: declinedByUser",
    ]
    let alone = try Self.read(##"{"@odata.type": "#microsoft.graph.managedAppLogCollectionRequest", \##(request)}"##)
    #expect(alone.kindName == "Request for logs" && Self.rows(alone) == rows)
    let registration = try Self.read(
      ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppRegistration", "applicationVersion": "1.2",
       "managedAppLogCollectionRequests": [{\##(request)}, {"id": "r2"}]}
      """##)
    expectEqual(Self.rows(registration), ["App version: 1.2"] + rows + ["Logs: requested"])
    guard case .registration(let read) = registration else {
      Issue.record("no registration")
      return
    }
    expectEqual(read.logCollectionRequests.map(\.id), ["r1", "r2"])
    expectEqual(read.logCollectionRequests[0].uploads.map(\.referenceID), ["X1", nil, nil])
  }

  @Test("Configurations of managed devices have types, numbers as versions, and texts that are replaced")
  func mobileConfiguration() throws {
    let text = ##"""
      {"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "version": 3, "targetedMobileApps": ["id-1"],
       "encodedSettingXml": "PGRpY3Q+", "settings": [
        {"appConfigKey": "IntuneMAMUPN", "appConfigKeyType": "stringType", "appConfigKeyValue": "{{UserPrincipalName}}"},
        {"appConfigKey": "b", "appConfigKeyType": "booleanType", "appConfigKeyValue": "{{mail}} {{MAIL}} {{x"}]}
      """##
    guard case .appConfiguration(let configuration) = try Self.read(text) else {
      Issue.record("no configuration")
      return
    }
    #expect(configuration.channel == .managedDevices && configuration.version == "3")
    expectEqual(configuration.placeholders, ["{{userprincipalname}}", "{{mail}}"])
    expectEqual(configuration.settings.map(\.type), ["stringType", "booleanType"])
    expectEqual(
      Self.rows(.appConfiguration(configuration)),
      [
        "Version: 3", "Setting IntuneMAMUPN: {{UserPrincipalName}} (stringType)",
        "Setting b: {{mail}} {{MAIL}} {{x (booleanType) *", "Replaced for each user: {{userprincipalname}}, {{mail}}",
        "Encoded settings: 8 characters of Base64", "Apps: id-1",
      ])
  }

  @Test("An app configuration keeps scope tags and unknown members, and names its assignments")
  func wholeConfiguration() throws {
    let all = ##"{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}"##
    let text = ##"""
      {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "roleScopeTagIds": ["0", "7"],
       "customSettings": [{"name": "a", "value": "b"}], "apps": [
        {"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.androidMobileAppIdentifier", "packageId": "p"}}],
       "later": {"x": [1.50]}, "settingCount": 2, "apps@odata.context": "c", "isAssigned": false, "assignments": [\##(all)]}
      """##
    expectEqual(
      Self.rows(try Self.read(text)),
      [
        "Scope tags: Default, 7", "Setting a: b *", "Apps: p", "Deployed: No, although a group is listed",
        "Groups: All users", "later: {\"x\":[1.50]} *", "settingCount: 2",
      ])
    #expect(Self.rows(try Self.read(text.replacing("[\(all)]", with: "[]"))).contains("Groups: None"))
    let group = ##"[{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "g"}}]"##
    #expect(Self.rows(try Self.read(text.replacing("[\(all)]", with: group))).contains("Groups: g *"))
  }

  private static let catalog = ##"""
    [{"settingInstance": {"@odata.type": "#microsoft.graph.deviceManagementConfigurationSimpleSettingInstance",
       "settingDefinitionId": "com.microsoft.edge.a", "simpleSettingValue": {
         "@odata.type": "#microsoft.graph.deviceManagementConfigurationStringSettingValue", "value": "{{mail}}"}}},
     {"settingInstance": {"settingDefinitionId": "com.microsoft.edge.b", "choiceSettingValue": {
       "value": "com.microsoft.edge.b_allSites", "children": [
        {"settingDefinitionId": "com.microsoft.edge.b.c", "simpleSettingValue": {"value": 7}}]}}},
     {"settingInstance": {"settingDefinitionId": "d", "simpleSettingCollectionValue": [{"value": "x"}, {"value": "y"}]}},
     {"settingInstance": {"settingDefinitionId": "e", "groupSettingCollectionValue": [
       {"children": [{"settingDefinitionId": "f", "choiceSettingCollectionValue": [{"value": "f_1"}, {"value": "g"}]},
        {"settingDefinitionId": "h", "choiceSettingValue": {"value": "h_jane@contoso.com"}}]}]}},
     {"settingInstance": {"settingDefinitionId": "s", "simpleSettingValue": {
       "@odata.type": "#microsoft.graph.deviceManagementConfigurationSecretSettingValue", "value": "hunter2"}}}]
    """##

  private static let catalogRows = [
    "Setting com.microsoft.edge.a: {{mail}}", "Setting com.microsoft.edge.b: allSites",
    "Setting com.microsoft.edge.b.c: 7", "Setting d: x, y *", "Setting f: 1, g *", "Setting h: jane@contoso.com *",
    "Setting s: (secret)",
    "Replaced for each user: {{mail}}",
  ]

  @Test(
    "Settings of the catalog are read from an app configuration, from its policy, and from what is sent to create one")
  func settingsCatalog() throws {
    let settings = "\"settings\": \(Self.catalog)"
    let policy = #""name": "Edge", "platforms": "iOS", "technologies": "mobileApplicationManagement", "#
    let about = ["Name: Edge", "Platforms: iOS"]
    let rows: [(String, [String])] = [
      (##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", \##(settings)}"##, []),
      (##"{"@odata.type": "#microsoft.graph.deviceManagementConfigurationPolicy", \##(policy)\##(settings)}"##, about),
      ("{\(policy)\(settings)}", about), ("{\"displayName\": \"A\", \(settings)}", ["Name: A"]),
      (
        ##"{"@odata.context": "https://x/$metadata#deviceManagement/configurationPolicies/$entity", \##(policy)\##(settings)}"##,
        about
      ),
    ]
    for (text, about) in rows {
      let document = try Self.read(text)
      expectEqual(document.kindName, "App configuration for managed apps")
      expectEqual(Self.rows(document), about + Self.catalogRows, "\(text)")
    }
  }

  @Test("Without a type, a configuration is known by the context of its response or by members that only it has")
  func configurationsWithoutType() throws {
    let context = #""@odata.context": "https://x/beta/$metadata#deviceAppManagement/targetedManagedAppConfigurations""#
    let rows: [(String, AppConfigurationDocument.Channel)] = [
      ("{\(context), \"value\": [{\"displayName\": \"A\"}]}", .managedApps),
      (#"{"displayName": "A", "customSettings": []}"#, .managedApps),
      (#"{"settings": [{"appConfigKey": "a", "appConfigKeyValue": "b"}]}"#, .managedDevices),
      (#"{"encodedSettingXml": "PGRpY3Q+"}"#, .managedDevices),
    ]
    for (text, channel) in rows {
      guard case .appConfiguration(let configuration) = try Self.read(text) else {
        Issue.record("\(text)")
        continue
      }
      expectEqual(configuration.channel, channel)
    }
    for text in [#"{"customSettings": [], "pinRequired": true}"#, #"{"settings": [{"a": 1}]}"#, "{}"] {
      let error = try #require(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(text.utf8)) }
      expectEqual(error.code, .unknownType)
    }
  }

  @Test("Documents of other platforms and types are distinguished by type, context and the catalog's platforms")
  func foreign() throws {
    let context =
      #""@odata.context": "https://x/$metadata#deviceAppManagement/windowsInformationProtectionPolicies""#
    let catalog = ##""@odata.type": "#microsoft.graph.deviceManagementConfigurationPolicy", "technologies": "mdm""##
    let rows: [(String, PolicyDocumentError.ForeignKind)] = [
      (##"{"@odata.type": "#microsoft.graph.androidCompliancePolicy"}"##, .platform("Android")),
      (##"{"@odata.type": "microsoft.graph.mdmWindowsInformationProtectionPolicy"}"##, .platform("Windows")),
      (##"{"@odata.type": "#microsoft.graph.macOSGeneralDeviceConfiguration"}"##, .platform("macOS")),
      ("{\(context), \"value\": [{\"displayName\": \"A\"}]}", .platform("Windows")),
      (##"{\##(catalog), "platforms": "windows10,macOS"}"##, .platform("Windows")),
      (##"{\##(catalog), "platforms": "iOS"}"##, .type("deviceManagementConfigurationPolicy")),
      (##"{"@odata.type": "#microsoft.graph.deviceManagementScript"}"##, .type("deviceManagementScript")),
    ]
    for (text, kind) in rows {
      let file = try PolicyFile.read(Array(text.utf8))
      #expect(file.refusals.map(\.foreignKind) == [kind] && file.policies.isEmpty && file.others.isEmpty, "\(text)")
    }
  }

  @Test("Operations, statuses, wipes and diagnoses are read")
  func reports() throws {
    let rows: [(String, [String])] = [
      (##""#microsoft.graph.managedAppOperation", "displayName": "d", "state": "s""##, ["Name: d", "State: s"]),
      (
        ##""#microsoft.graph.managedAppStatusRaw", "displayName": "d", "content": {"a": 1}"##,
        ["Name: d", "Content: {\"a\":1} *"]
      ),
      (
        ##""#microsoft.graph.windowsInformationProtectionWipeAction", "status": "active", "targetedDeviceName": "n""##,
        ["Status: active", "Device name: n *"]
      ),
      (##""#microsoft.graph.windowsInformationProtectionWipeAction", "status": "later""##, ["Status: unrecognized"]),
      (
        ##""#microsoft.graph.managedAppDiagnosticStatus", "validationName": "v", "state": "s", "mitigationInstruction": "m""##,
        ["Looked at: v", "Found: s", "To do: m"]
      ),
    ]
    for (members, expected) in rows {
      expectEqual(Self.rows(try Self.read("{\"@odata.type\": \(members)}")), expected)
    }
    expectEqual(
      WipeAction.State.allCases.map { "\($0.rawValue)=\($0.number)" },
      [
        "none=0", "pending=1", "canceled=2", "active=3", "done=4", "failed=5", "notSupported=6", "unrecognized=127",
      ])
  }

  @Test("Wrong types are refused with line, column and path, and in an export reported with the rest read")
  func refusals() throws {
    let rows: [(String, String)] = [
      (
        ##""#microsoft.graph.targetedManagedAppConfiguration", "customSettings": [{"value": "x"}]"##,
        #"t: line 1, column 88: customSettings[0]: the member "name" is missing; add "name""#
      ),
      (
        ##""#microsoft.graph.iosManagedAppRegistration", "createdDateTime": "yesterday""##,
        #"t: line 1, column 82: createdDateTime: the text is not a date with a time and an offset: "yesterday"; write for instance 2021-09-30T17:05:00Z or 2021-09-30T17:05:00.1234567-08:00"#
      ),
    ]
    for (members, expected) in rows {
      let text = "{\"@odata.type\": \(members)}"
      let json = try JSONDocument.parse(text)
      let error = try #require(throws: PolicyDocumentError.self) {
        try GraphDocument.read(json, file: "t", including: .everything)
      }
      expectEqual(error.description, expected)
      let file = try PolicyFile.read(Array(text.utf8), name: "t")
      let unread = file.configurationFindings.filter { $0.rule == .unreadableValue }
      #expect(file.others.count == 1 && unread.count == 1 && unread[0].description.hasPrefix("t: line 1, column "))
    }
  }
}
