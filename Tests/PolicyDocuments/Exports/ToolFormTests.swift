import AppProtection
import Expectations
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

/// How programs other than Microsoft365DSC write each kind of value: PowerShell 5.1 and 7 (`ConvertTo-Json` of the
/// objects of Graph's SDK, and of what `Invoke-MgGraphRequest` returns), on which IntuneManagement and
/// IntuneBackupAndRestore build, and PyYAML, on which IntuneCD builds.
@Suite("Forms of the exporting programs")
struct ToolFormTests {
  /// A value of every kind that Graph allows for a property, the loosest and the strictest among them.
  private static func values(of property: PolicyProperty) throws -> [PolicyValue] {
    switch property.kind {
    case .date: return [.date(try PolicyDate("2024-12-20T09:29:55Z"))]
    case .apps:
      var app = PolicyApp()
      (app.id, app.version) = ("com.example.a", "1")
      return [.apps([app])]
    case .assignments:
      var assignment = PolicyAssignment()
      (assignment.groupID, assignment.targetTypeName) = ("g", "#microsoft.graph.groupAssignmentTarget")
      return [.assignments([assignment])]
    case .text, .flag, .number, .duration, .choice, .choices, .flags, .texts, .pairs: return property.extremes
    }
  }

  private static func text(_ text: String) -> JSONValue { .string(text) }

  /// What PowerShell writes for a value: each form on its own.
  private static func powerShell(_ value: PolicyValue, _ graph: JSONValue) -> [JSONValue] {
    switch value {
    case .duration(let duration):
      let seconds = duration.nanoseconds / 1_000_000_000
      let parts = [
        ("Ticks", seconds * 10_000_000), ("Days", seconds / 86_400), ("Hours", seconds / 3600 % 24),
        ("Milliseconds", 0), ("Minutes", seconds / 60 % 60), ("Seconds", seconds % 60),
      ]
      let clock = parts.dropFirst(2).filter { $0.0 != "Milliseconds" }.map { $0.1 < 10 ? "0\($0.1)" : "\($0.1)" }
      return [
        .object(parts.map { .init($0.0, .number($0.1)) }),
        text((seconds < 86_400 ? "" : "\(seconds / 86_400).") + clock.joined(separator: ":")),
      ]
    case .date: return [text("/Date(1734686995000)/"), text("12/20/2024 09:29:55"), text("2024-12-20T09:29:55+00:00")]
    case .choice: return [text(graph.string.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "")]
    case .flags: return [text(graph.string?.replacing(",", with: ", ") ?? "")]
    case .choices, .texts, .pairs, .apps, .assignments:
      // One element loses its list in a pipeline.
      return graph.array?.count == 1 ? graph.array ?? [] : []
    case .flag(let flag): return [text(flag ? "True" : "False")]
    case .number(let number): return [text("\(number)")]
    case .text: return []
    }
  }

  @Test("Every member is read from each form in which PowerShell writes it", arguments: PolicyPlatform.allCases)
  func powerShell(platform: PolicyPlatform) throws {
    for property in platform.properties {
      for value in try Self.values(of: property) {
        for json in Self.powerShell(value, property.graphJSON(of: value, on: platform)) {
          let text = JSONValue.object([
            .init("@odata.type", .string("#microsoft.graph.\(platform.rawValue.lowercased())ManagedAppProtection")),
            .init(property.name, json),
          ]).description
          let item = try #require(PolicyFile.read(Array(text.utf8), name: "p.json").policies.first)
          #expect(item.lost.isEmpty, "\(text)")
          guard case .value(let found) = item.policy[property] else {
            Issue.record("\(text): \(item.findings)")
            continue
          }
          // The same point in time may have another text.
          let isSame = if case .date = value { true } else { found == value }
          #expect(isSame, "\(text)")
        }
      }
    }
  }

  @Test("Every member is read from the text in which PyYAML writes it", arguments: PolicyPlatform.allCases)
  func yaml(platform: PolicyPlatform) throws {
    for property in platform.properties {
      for value in try Self.values(of: property) {
        let lines = [
          "'@odata.type': '#microsoft.graph.\(platform.rawValue.lowercased())ManagedAppProtection'",
          "\(property.name):\(Self.yaml(property.graphJSON(of: value, on: platform), indent: ""))",
        ]
        let text = lines.joined(separator: "\n") + "\n"
        let item = try #require(PolicyFile.read(Array(text.utf8), name: "p.yaml").policies.first)
        #expect(item.policy[property] == .value(value) && item.lost.isEmpty, "\(text)\(item.findings)")
      }
    }
  }

  /// A value as `yaml.dump(default_flow_style=False)` writes it after a colon: lists without further indentation, and texts in
  /// single quotes where they would be something else without.
  private static func yaml(_ value: JSONValue, indent: String) -> String {
    switch value.content {
    case .array(let elements):
      guard !elements.isEmpty else { return " []" }
      return elements.map { element in
        guard let object = element.object else { return "\n\(indent)-\(yaml(element, indent: indent))" }
        let members = object.members.map {
          "\($0.name == "@odata.type" ? "'@odata.type'" : $0.name):\(yaml($0.value, indent: indent + "    "))"
        }
        return "\n\(indent)- " + members.joined(separator: "\n\(indent)  ")
      }.joined()
    case .object(let object):
      let members = object.members.map {
        "\($0.name == "@odata.type" ? "'@odata.type'" : $0.name):\(yaml($0.value, indent: indent + "  "))"
      }
      return members.map { "\n\(indent)\($0)" }.joined()
    case .string(let text):
      let isPlain = text.first.map { $0.isLetter } ?? false
      return isPlain ? " \(text)" : " '\(text)'"
    case .number(let number): return " \(number.text)"
    case .bool(let flag): return " \(flag)"
    case .null: return " null"
    }
  }

  @Test("Texts that other words of YAML could be keep their meaning, as PyYAML writes them")
  func quotedTexts() throws {
    let text = #"""
      '@odata.type': '#microsoft.graph.iosManagedAppProtection'
      displayName: 'yes'
      description: "Zeile eins: \"x\"\nZeile zwei # kein Kommentar\n\n  - einger\xFCckt\ttab\
        \ lang"
      minimumRequiredOsVersion: '17.0'
      customBrowserProtocol: '010'
      customDialerAppProtocol: 1e3
      managedUniversalLinks:
      - http://a.b/*
      - ' lead'
      - 'null'
      - '~'
      - '@x'
      - '''q'''
      - 'a: b'
      - '#c'
      - '0x1F'
      - 0o7
      - '1:30'
      - "\xE9\U0001F600"
      - ''
      """#
    let policy = try #require(PolicyFile.read(Array(text.utf8), name: "p.yaml").policies.first).policy
    expectEqual(policy.about.displayName, "yes")
    expectEqual(policy.about.description, "Zeile eins: \"x\"\nZeile zwei # kein Kommentar\n\n  - eingerückt\ttab lang")
    expectEqual(policy.conditionalLaunch.minimumRequiredOsVersion, "17.0")
    expectEqual(policy.redirection.customBrowserProtocol, "010")
    expectEqual(policy.redirection.customDialerAppProtocol, "1e3")
    expectEqual(
      policy.redirection.managedUniversalLinks,
      ["http://a.b/*", " lead", "null", "~", "@x", "'q'", "a: b", "#c", "0x1F", "0o7", "1:30", "é😀", ""])
  }

  // MARK: Envelopes

  /// The type that Graph states for a value with all metadata.
  private static func type(of value: PolicyValue) -> String {
    switch value {
    case .duration: "#Duration"
    case .date: "#DateTimeOffset"
    case .texts: "#Collection(String)"
    case .pairs: "#Collection(microsoft.graph.keyValuePair)"
    case .choices: "#Collection(microsoft.graph.managedAppDataStorageLocation)"
    case .choice, .flags: "#microsoft.graph.managedAppPinCharacterSet"
    case .apps, .assignments, .flag, .number, .text: "#String"
    }
  }

  /// Micke-K/IntuneManagement, Extensions/MSGraph.psm1: `Invoke-GraphRequest` asks for all metadata, and `Export-GraphObject`
  /// writes the answer to `NAME.json`, or to `NAME_ID.json` if that is set.
  @Test("Every member is read beside the metadata that IntuneManagement keeps", arguments: PolicyPlatform.allCases)
  func metadata(platform: PolicyPlatform) throws {
    let type = "\(platform.rawValue.lowercased())ManagedAppProtection"
    for property in platform.properties {
      for value in try Self.values(of: property) {
        let text = JSONValue.object([
          .init("@odata.context", Self.text("https://graph/beta/$metadata#deviceAppManagement/\(type)s/$entity")),
          .init("@odata.type", Self.text("#microsoft.graph.\(type)")),
          .init("@odata.id", Self.text("deviceAppManagement/\(type)s('T_1')")),
          .init("@odata.editLink", Self.text("deviceAppManagement/\(type)s('T_1')")),
          .init("\(property.name)@odata.type", Self.text(Self.type(of: value))),
          .init(property.name, property.graphJSON(of: value, on: platform)),
          .init("deploymentSummary@odata.associationLink", Self.text("x/$ref")),
          .init("deploymentSummary@odata.navigationLink", Self.text("x")),
          .init("#microsoft.graph.assign", ["target": "x"]),
        ]).description
        let item = try #require(PolicyFile.read(Array(text.utf8), name: "AppProtection/P_T_1.json").policies.first)
        #expect(item.policy[property] == .value(value) && item.lost.isEmpty, "\(text)")
        let rest = item.policy.keptMembers.filter { !$0.describesResponse && platform.property(named: $0.name) == nil }
        #expect(rest.isEmpty, "\(rest.map(\.name))")
      }
    }
  }

  /// What a command of the SDK returns for policies of one platform, or of any.
  private static func ofSDK(
    _ members: [(name: String, value: JSONValue)], isTyped: Bool, type: String
  ) -> JSONValue {
    let context = "https://graph.microsoft.com/v1.0/$metadata#deviceAppManagement/\(type)s/$entity"
    let typed = members.map { member in
      JSONObject.Member(member.name.prefix(1).uppercased() + member.name.dropFirst(), member.value)
    }
    guard isTyped else {
      let additional =
        [JSONObject.Member("@odata.type", text("#microsoft.graph.\(type)"))] + members.map { .init($0.name, $0.value) }
      return .object([.init("DisplayName", "Kasse"), .init("AdditionalProperties", .object(additional))])
    }
    return .object(
      [.init("DisplayName", "Kasse")] + typed + [
        .init("DeploymentSummary", .null), .init("AdditionalProperties", ["@odata.context": text(context)]),
      ])
  }

  /// microsoftgraph/msgraph-sdk-powershell, src/Devices.CorporateManagement: the members of a type, and what the type lacks
  /// under `AdditionalProperties`.
  @Test(
    "Every member is read from the objects of Graph's SDK for PowerShell, typed or not",
    arguments: PolicyPlatform.allCases, [false, true])
  func objectsOfSDK(platform: PolicyPlatform, isTyped: Bool) throws {
    let type = "\(platform.rawValue.lowercased())ManagedAppProtection"
    for property in platform.properties where property.name != "displayName" {
      for value in try Self.values(of: property) {
        let json = property.graphJSON(of: value, on: platform)
        let text = Self.ofSDK([(property.name, json)], isTyped: isTyped, type: type).description
        let item = try #require(PolicyFile.read(Array(text.utf8), name: "p.json").policies.first)
        #expect(item.policy[property] == .value(value) && item.lost.isEmpty, "\(text)")
        expectEqual(item.policy.about.displayName, "Kasse", "\(text)")
        expectEqual(item.policy.kind.platform, platform)
      }
    }
  }

  @Test("What the SDK nests is read, what it lost is unknown, and what it did not ask for is absent")
  func nestedInSDK() throws {
    let text = """
      {"DisplayName": "Kasse", "MinimumRequiredOSVersion": "17.0", "PinCharacterSet": {}, "Assignments": null,
       "PeriodOfflineBeforeAccessCheck": {"Ticks": 432000000000, "Days": 0, "Hours": 12, "Milliseconds": 0},
       "Apps": [{"Id": "a", "Version": "1", "AdditionalProperties": {}, "MobileAppIdentifier": {"AdditionalProperties":
         {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "org.example.kasse"}}}],
       "AdditionalProperties": {"@odata.type": "#microsoft.graph.iosManagedAppProtection"}}
      """
    let item = try #require(PolicyFile.read(Array(text.utf8), name: "p.json").policies.first)
    expectEqual(item.policy.conditionalLaunch.minimumRequiredOsVersion, "17.0")
    expectEqual(item.policy.conditionalLaunch.periodOfflineBeforeAccessCheck?.nanoseconds, 43_200_000_000_000)
    guard case .value(.apps(let apps)) = item.policy[PolicyProperty.apps] else {
      Issue.record("\(item.findings)")
      return
    }
    expectEqual(apps.map(\.bundleID), ["org.example.kasse"])
    #expect(item.policy[PolicyProperty.assignments] == .absent)
    expectEqual(item.lost, ["pinCharacterSet"])
    // Without a type, and without a member that only one platform has, the platform is unknown.
    let untyped = #"[{"DisplayName": "Kasse", "PinRequired": true, "AdditionalProperties": {}}]"#
    try expectEqual(PolicyFile.read(Array(untyped.utf8), name: "p.json").refusals.map(\.code), [.lostValues])
  }

  /// KelvinTegelaar/CIPP-API, Modules/CIPPCore/Public: `Set-CIPPIntuneTemplate` (a row with `JSON`, in it `RAWJson`),
  /// `New-CIPPIntuneTemplate` (`TemplateJson`), `New-CIPPBackupTask` and `New-CIPPBackup` (a row with a list of these as a text).
  @Test("CIPP's templates and backups are read, however often they are packed")
  func packedByCIPP() throws {
    func packed(_ value: JSONValue) -> JSONValue { Self.text(value.description) }
    let policy = try JSONDocument.parse(Array(ExportSamples.graph.utf8)).root.value
    let template: JSONValue = ["Displayname": "F", "Description": nil, "RAWJson": packed(policy), "Type": "x"]
    let result: JSONValue = ["TemplateJson": packed(policy), "DisplayName": "F", "Type": "AppProtection"]
    let failed: JSONValue = "Failed to create a template of the Intune Configuration Policy with ID: 7."
    func backup(_ list: JSONValue) -> JSONValue {
      [
        "PartitionKey": "ScheduledBackup", "RowKey": "T_2026-01-01-0100", "users": "[]", "antispam": "not JSON",
        "intuneprotection": packed(list),
      ]
    }
    let documents: [JSONValue] = [
      template, result, ["PartitionKey": "IntuneTemplate", "RowKey": "1", "JSON": packed(template)],
      [["PartitionKey": "IntuneTemplate", "JSON": packed(template), "table": "templates"]], [result],
      // One element loses its list in a pipeline.
      backup([result]), backup(result), backup([failed, result, nil]),
    ]
    for document in documents {
      let file = try PolicyFile.read(Array(document.description.utf8), name: "cipp.json")
      expectEqual(file.shape.name, "CIPP", "\(document)")
      expectEqual(file.policies.map(\.policy.about.displayName), ["Fahrdienst für Ämter"], "\(document)")
      #expect(file.refusals.isEmpty && file.policies[0].lost.isEmpty, "\(document): \(file.refusals)")
    }
  }

  /// almenscorner/IntuneCD, src/IntuneCD/backup/Intune/AppConfiguration.py (the payload as an object, and one app for the
  /// list), src/IntuneCD/intunecdlib/BaseBackupModule.py (names of files) and process_scope_tags.py (names of scope tags).
  @Test("IntuneCD's payloads, apps, scope tags and names of files are read")
  func intuneCD() throws {
    let text = """
      {"@odata.type": "#microsoft.graph.androidManagedStoreAppConfiguration", "displayName": "Post",
       "packageId": "app:com.microsoft.office.outlook", "roleScopeTagIds": ["Default", "Kasse"],
       "targetedMobileApps": {"appName": "Outlook", "type": "#microsoft.graph.androidManagedStoreApp"},
       "payloadJson": {"kind": "androidenterprise#managedConfiguration", "productId": "app:com.microsoft.office.outlook",
         "managedProperty": [{"key": "com.microsoft.outlook.Mail.FocusedInbox", "valueBool": false}]},
       "assignments": [{"source": "direct", "target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget",
         "deviceAndAppManagementAssignmentFilterId": "Dienstgeräte", "deviceAndAppManagementAssignmentFilterType": "include",
         "groupName": "Kassenpersonal", "groupType": "StaticMembership"}}]}
      """
    let name = "App Configuration/Post_androidManagedStoreAppConfiguration.json"
    let file = try PolicyFile.read(Array(text.utf8), name: name)
    guard case .appConfiguration(let configuration)? = file.others.first else {
      Issue.record("\(file)")
      return
    }
    expectEqual(configuration.settings.map(\.key), ["com.microsoft.outlook.Mail.FocusedInbox"])
    expectEqual(configuration.settings.first?.value, "false")
    expectEqual(configuration.apps, ["Outlook"])
    expectEqual(configuration.roleScopeTagIds, ["Default", "Kasse"])
    expectEqual(configuration.assignments?.map(\.groupID), ["Kassenpersonal"])
    expectEqual(configuration.assignments?.map(\.filterID), ["Dienstgeräte"])
    for name in ["App Protection/F_unspecified.json", "F_iosManagedAppProtection__T_1.json"] {
      try expectEqual(PolicyFile.read(Array(ExportSamples.graph.utf8), name: name).shape.name, "IntuneCD", "\(name)")
    }
  }

  /// jseerden/IntuneBackupAndRestore, IntuneBackupAndRestore/Public: `Invoke-IntuneBackupMobileAppConfiguration`,
  /// `…AssignmentFilter`, `…TargetedManagedAppConfiguration` and `…AppProtectionPolicy`.
  @Test("Every folder of IntuneBackupAndRestore is known")
  func backupFolders() throws {
    let filter = """
      {"id": "1", "displayName": "F", "platform": "iOSMobileApplicationManagement", "rule": "(app.osVersion -eq \\"17\\")"}
      """
    let configuration = """
      {"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "C", "settings": []}
      """
    for (folder, text) in [
      ("Assignment Filters", filter), ("Mobile App Configurations", configuration),
      ("Targeted Managed App Configurations", configuration), ("App Protection Policies", ExportSamples.backup),
    ] {
      let file = try PolicyFile.read(Array(text.utf8), name: "\(folder)/F.json")
      expectEqual(file.shape.name, "IntuneBackupAndRestore", "\(folder)")
      expectEqual(file.policies.count + file.others.count, 1, "\(folder)")
    }
  }

  /// terraprovider/terraform-provider-microsoft365wp, docs/data-sources: settings are named `minimum_pin_length`.
  @Test("Terraform's state is refused by its name")
  func terraform() throws {
    let state = #"{"terraform_version": "1.9.0", "values": {"root_module": {"resources": []}}}"#
    let error = #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(state.utf8), name: "p.json") }
    expectEqual(
      error?.message, "the object is a state or plan of Terraform, whose providers have names of their own for settings"
    )
    expectEqual(error?.remedy, "export the policies from Graph")
  }
}
