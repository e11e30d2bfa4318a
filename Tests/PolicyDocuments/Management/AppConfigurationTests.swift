import Expectations
import JSON
import PlainText
import Testing
import WireFormat

@testable import GraphDocuments
@testable import PolicyDocuments

/// App configurations of every form.
enum ConfigurationSamples {
  static func file(_ type: String, _ members: String) throws -> PolicyFile {
    try PolicyFile.read(Array("{\"@odata.type\": \"#microsoft.graph.\(type)\", \(members)}".utf8), name: "c.json")
  }

  static func configuration(_ type: String, _ members: String) throws -> AppConfigurationDocument {
    let file = try file(type, members)
    guard file.others.count == 1, case .appConfiguration(let configuration) = file.others[0] else {
      throw SampleError.noConfiguration
    }
    return configuration
  }

  enum SampleError: Error { case noConfiguration }

  static func base64(_ text: String) -> String { Base64.text(Array(text.utf8)) }

  /// The members of a configuration for Android with these properties.
  static func payload(_ properties: String) -> String {
    let json =
      #"{"kind": "androidenterprise#managedConfiguration", "productId": "app:com.a", "managedProperty": [\#(properties)]}"#
    return #""packageId": "app:com.a", "payloadJson": "\#(base64(json))""#
  }

  /// The member of a configuration for iOS with these elements of a dictionary.
  static func propertyList(_ elements: String) -> String {
    #""encodedSettingXml": "\#(base64("<plist version=\"1.0\"><dict>\(elements)</dict></plist>"))""#
  }
}

@Suite("App configurations of managed devices")
struct AppConfigurationTests {
  private static func rows(_ type: String, _ members: String) throws -> [String] {
    try ConfigurationSamples.configuration(type, members).rows.map { "\($0.title): \($0.value)" }
  }

  @Test("A payload for Android is unpacked, with what is below its settings")
  func android() throws {
    let members =
      ConfigurationSamples.payload(
        #"""
        {"key": "lock_home_screen", "valueBool": true}, {"key": "icon_size", "valueInteger": 3},
        {"key": "exit_lock_task_mode_code", "valueString": "4711"}, {"key": "tags", "valueStringArray": ["a", "b"]},
        {"key": "applications", "valueBundleArray": [{"managedProperty": [{"key": "package", "valueString": "com.b"}]}]},
        {"key": "more", "valueBundle": {"managedProperty": [{"key": "x", "valueBool": false}]}}
        """#)
      + #", "profileApplicability": "androidDeviceOwner", "permissionActions": [{"permission": "android.permission.CAMERA", "action": "autoGrant"}]"#
    try expectEqual(
      Self.rows("androidManagedStoreAppConfiguration", members),
      [
        "Setting lock_home_screen: true (valueBool)", "Setting icon_size: 3 (valueInteger)",
        "Setting exit_lock_task_mode_code: (secret) (valueString)", "Setting tags: a, b (valueStringArray)",
        "Setting applications: (valueBundleArray)", "Setting applications[0].package: com.b (valueString)",
        "Setting more: (valueBundle)", "Setting more.x: false (valueBool)", "Package: app:com.a",
        "Profiles: androidDeviceOwner", "Permissions: android.permission.CAMERA: autoGrant",
      ])
    let configuration = try ConfigurationSamples.configuration("androidManagedStoreAppConfiguration", members)
    #expect(configuration.platform == .android && configuration.channel == .managedDevices)
  }

  @Test("A payload that an export has unpacked is read too, and so is an app in place of a list of apps")
  func unpacked() throws {
    try expectEqual(
      Self.rows(
        "androidManagedStoreAppConfiguration",
        #""payloadJson": {"managedProperty": [{"key": "a", "valueBool": true}]}, "targetedMobileApps": {"appName": "Edge"}"#
      ), ["Setting a: true (valueBool)", "Apps: Edge"])
  }

  @Test("A property list for iOS is unpacked")
  func propertyList() throws {
    let members = ConfigurationSamples.propertyList(
      "<key>a</key><string>{{mail}}</string><key>b</key><true/><key>c</key><integer>7</integer><key>d</key><array>"
        + "<string>x</string><string>y</string></array><key>e</key><dict><key>f</key><real>1.5</real></dict>"
        + "<key>g</key><array><dict><key>h</key><false/></dict></array>")
    let rows = try Self.rows("iosMobileAppConfiguration", members)
    expectEqual(
      rows.filter { !$0.hasPrefix("Encoded settings") },
      [
        "Setting a: {{mail}} (string)", "Setting b: true (boolean)", "Setting c: 7 (integer)",
        "Setting d: x, y (array)", "Setting e: (dict)", "Setting e.f: 1.5 (real)", "Setting g: (array)",
        "Setting g[0]: (dict)", "Setting g[0].h: false (boolean)", "Replaced for each user: {{mail}}",
      ])
  }

  @Test("What cannot be unpacked is shown by its length, and lint says why")
  func garbled() throws {
    let rows: [(type: String, members: String, reason: String)] = [
      ("iosMobileAppConfiguration", #""encodedSettingXml": "?""#, "it is not Base64"),
      ("iosMobileAppConfiguration", #""encodedSettingXml": "PGRpY3Q+""#, "it holds no property list: "),
      (
        "iosMobileAppConfiguration",
        #""encodedSettingXml": "\#(ConfigurationSamples.base64("<plist><true/></plist>"))""#,
        "its property list is no dictionary"
      ),
      ("androidManagedStoreAppConfiguration", #""payloadJson": "?""#, "it is not Base64"),
      (
        "androidManagedStoreAppConfiguration", #""payloadJson": "\#(ConfigurationSamples.base64("{"))""#,
        "it holds no JSON: "
      ),
      (
        "androidManagedStoreAppConfiguration",
        #""payloadJson": "\#(ConfigurationSamples.base64(#"{"managedProperty": [{"valueBool": true}]}"#))""#,
        "managedProperty[0]"
      ),
    ]
    for (type, members, reason) in rows {
      let file = try ConfigurationSamples.file(type, members)
      let finding = try #require(file.configurationFindings.first, "\(members)")
      #expect(finding.rule == .unreadablePayload && finding.message.hasPrefix(reason), "\(finding)")
      #expect(finding.place != nil)
    }
    // Truncated and changed payloads are refused or read, and never stop the program.
    let whole = ConfigurationSamples.payload(#"{"key": "a", "valueString": "b"}, {"key": "c", "valueInteger": 1}"#)
    for index in whole.indices where whole[index].isLetter {
      var text = whole
      text.replaceSubrange(index...index, with: "/")
      _ = try? ConfigurationSamples.file("androidManagedStoreAppConfiguration", text)
    }
  }

  @Test("Two configurations agree in what they mean, and differ by key, app and group")
  func comparison() throws {
    func compare(_ one: String, _ other: String) throws -> [String] {
      let type = "targetedManagedAppConfiguration"
      return AppConfigurationComparison(
        of: try ConfigurationSamples.configuration(type, one), with: try ConfigurationSamples.configuration(type, other)
      ).changes.map { "\($0.title): \($0.one?.words ?? "-") → \($0.other?.words ?? "-")\($0.isRevision ? " *" : "")" }
    }
    let one =
      #""id": "1", "customSettings": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}], "apps": [{"id": "x"}, {"id": "y"}]"#
    let same =
      #""id": "1", "customSettings": [{"name": "b", "value": "2"}, {"name": "a", "value": "1"}], "apps": [{"id": "y"}, {"id": "x"}], "description": """#
    try expectEqual(compare(one, same), [])
    let other =
      #""id": "2", "customSettings": [{"name": "a", "value": "3"}, {"name": "c", "value": "4"}], "apps": [{"id": "x"}]"#
    try expectEqual(
      compare(one, other),
      [
        "Identifier: 1 → 2 *", "Setting a: 1 → 3", "Setting b: 2 → -", "Apps: x, y → x", "Setting c: - → 4",
      ])
    try expectEqual(compare(other, one).count, 5)
    // A key that occurs twice is compared in its place.
    let twice = #""customSettings": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]"#
    try expectEqual(compare(twice, #""customSettings": [{"name": "a", "value": "1"}]"#), ["Setting a (2): 2 → -"])
  }
}
