import Expectations
import PolicyDocuments
import Testing

@Suite("Lint of app configurations")
struct ConfigurationLintTests {
  @Test(
    "An app configuration is checked for placeholders, apps and groups, and not for what device management replaces")
  func configurations() throws {
    func findings(_ members: String) throws -> [String] {
      let text = ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", \##(members)}"##
      return try PolicyFile.read(Array(text.utf8), name: "c.json").configurationFindings.map(\.description)
    }
    try expectEqual(
      findings(#""customSettings": [{"name": "url", "value": "REPLACE:url"}, {"name": "$key", "value": "x"}]"#),
      [
        #"c.json: line 1, column 88: customSettings: "REPLACE:url" was left in from a template; write a value, or remove it"#,
        #"c.json: line 1, column 129: customSettings: "$key" was left in from a template; write a value, or remove it"#,
      ])
    try expectEqual(
      findings(
        #""deployedAppCount": 1, "apps": [{"mobileAppIdentifier": {"bundleId": "com.a"}}, {"mobileAppIdentifier": {"bundleId": "com.a"}}]"#
      ).count, 2)
    try expectEqual(
      findings(
        #""customSettings": [{"name": "upn", "value": "{{userprincipalname}}"}, {"name": "todo", "value": "US$"}]"#), []
    )
    // The page of these keys writes 1 in one place, and true in another.
    for value in ["1", "true"] {
      try expectEqual(
        findings(
          #""customSettings": [{"name": "DefenderExcludeAppInReport", "value": "\#(value)"}, "#
            + #"{"name": "DefenderOptionalAccessibility", "value": "\#(value)"}]"#), [])
    }
    // One configuration may reach the apps of both platforms.
    let android = ##"{"@odata.type": "#microsoft.graph.androidMobileAppIdentifier", "packageId": "com.a"}"##
    try expectEqual(findings(#""apps": [{"mobileAppIdentifier": \#(android)}]"#), [])
  }

  @Test("A finding about an element of a list, of a policy or an app configuration, stands at that element")
  func elements() throws {
    let configuration = "targetedManagedAppConfiguration"
    let app = #"{"mobileAppIdentifier": {"bundleId": "com.a"}}"#
    let exclusion = ##"{"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "g"}"##
    let catalog = #"""
      {"settingInstance": {"settingDefinitionId": "a", "simpleSettingValue": {"value": "b"}}},
      {"settingInstance": {"settingDefinitionId": "c", "groupSettingCollectionValue": [{"children": [
        {"settingDefinitionId": "d", "simpleSettingValue": {"value": "e"}},
        {"settingDefinitionId": "f", "simpleSettingValue": {"value": "REPLACE:g"}}]}]}}
      """#
    let rows: [(type: String, members: String, text: String)] = [
      (configuration, #""customSettings": [{"name": "a"}, {"name": "$key"}]"#, #"{"name": "$key"}"#),
      (configuration, #""apps": [\#(app), {"id": "1", "mobileAppIdentifier": {"bundleId": "com.a"}}]"#, #"{"id": "1""#),
      (configuration, #""apps": [{"mobileAppIdentifier": {"bundleId": "TODO"}}]"#, #"{"mobileApp"#),
      (configuration, #""assignments": [{"target": {"groupId": "$group"}}]"#, #"{"target""#),
      (configuration, #""displayName": "TODO""#, #""displayName""#),
      (
        "deviceManagementConfigurationPolicy",
        #""technologies": "mobileApplicationManagement", "settings": [\#(catalog)]"#,
        #"{"settingInstance": {"settingDefinitionId": "c""#
      ),
      ("iosMobileAppConfiguration", #""targetedMobileApps": ["a", "APP-ID-1"]"#, #""APP-ID-1""#),
      ("iosManagedAppProtection", #""managedUniversalLinks": ["https://a.com/*", "b.com/*"]"#, #""b.com/*""#),
      ("iosManagedAppProtection", #""apps": [\#(app), {"id": "com.a"}]"#, #"{"id": "com.a"}"#),
      (
        "iosManagedAppProtection", #""assignments": [{"target": {"groupId": "g"}}, {"target": \#(exclusion)}]"#,
        ##"{"target": {"@odata"##
      ),
    ]
    for (type, members, text) in rows {
      let lines = ["[{\n \"@odata.type\": \"#microsoft.graph.\(type)\",", " \(members)}]"]
      let whole = lines.joined(separator: "\n")
      let file = try PolicyFile.read(Array(whole.utf8), name: "f.json")
      let place = try #require(whole.firstRange(of: text)).lowerBound
      let before = whole[..<place].split(separator: "\n", omittingEmptySubsequences: false)
      let expected = DocumentPlace.text(line: before.count, column: (before.last?.count ?? 0) + 1)
      let places = (file.policies.flatMap(\.findings) + file.configurationFindings).map(\.place)
      #expect(places.contains(expected), "\(text): \(places)")
      // What is packed into a string stands where the string does.
      let packed = #"{"JSON": "\#(whole.replacing("\"", with: "\\\"").replacing("\n", with: " "))"}"#
      let inside = try PolicyFile.read(Array(packed.utf8), name: "f.json")
      let findings = inside.policies.flatMap(\.findings) + inside.configurationFindings
      #expect(!findings.isEmpty && findings.allSatisfy { $0.place == .text(line: 1, column: 10) }, "\(findings)")
    }
  }
}
