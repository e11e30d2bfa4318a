import Expectations
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Rules of app configurations")
struct ConfigurationRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: PolicyRule
    let type: String
    let members: String
    /// The finding, without file and place.
    let expected: String
    var testDescription: String { "\(rule): \(members)" }
  }

  /// A configuration for managed apps with names and texts.
  private static func apps(_ rule: PolicyRule, _ settings: [(String, String)], _ expected: String) -> Case {
    let pairs = settings.map { "{\"name\": \"\($0.0)\", \"value\": \"\($0.1)\"}" }.joined(separator: ", ")
    return Case(
      rule: rule, type: "targetedManagedAppConfiguration", members: "\"customSettings\": [\(pairs)]", expected: expected
    )
  }

  /// One for managed devices with iOS, with keys, types and values.
  private static func ios(_ rule: PolicyRule, _ settings: [(String, String, String)], _ expected: String) -> Case {
    let list = settings.map {
      "{\"appConfigKey\": \"\($0.0)\", \"appConfigKeyType\": \"\($0.1)\", \"appConfigKeyValue\": \"\($0.2)\"}"
    }.joined(separator: ", ")
    return Case(rule: rule, type: "iosMobileAppConfiguration", members: "\"settings\": [\(list)]", expected: expected)
  }

  /// One for managed devices with Android, with its properties.
  private static func android(_ rule: PolicyRule, _ properties: String, _ expected: String) -> Case {
    Case(
      rule: rule, type: "androidManagedStoreAppConfiguration", members: ConfigurationSamples.payload(properties),
      expected: expected)
  }

  private static let edge = "com.microsoft.intune.mam.managedbrowser"

  static let cases: [Case] = [
    Case(
      rule: .unreadablePayload, type: "iosMobileAppConfiguration", members: #""encodedSettingXml": "?""#,
      expected:
        "encodedSettingXml: it is not Base64; export the configuration again, or write its settings again in the portal"
    ),
    apps(
      .repeatedKey, [("a", "1"), ("a", "2")],
      "customSettings: a occurs twice, and nothing says which one counts; remove one of the two"),
    apps(
      .misspelledKey, [("com.microsoft.outlook.mail.focusedInbox", "true")],
      "customSettings: com.microsoft.outlook.mail.focusedInbox is not known in this spelling; write com.microsoft.outlook.Mail.FocusedInbox, which Outlook knows"
    ),
    apps(
      .keyOfOtherChannel, [("IntuneMAMUPN", "x")],
      "customSettings: the list of June 2026 has IntuneMAMUPN of apps with the SDK in the other channel alone; write it into: App configuration for managed devices, unless its app documents it here"
    ),
    ios(
      .keyOfOtherChannel, [("com.microsoft.outlook.ContactSync.NotesAllowed", "booleanType", "true")],
      "settings: the list of June 2026 has com.microsoft.outlook.ContactSync.NotesAllowed of Outlook in the other channel alone; write it into: App configuration for managed apps, unless its app documents it here"
    ),
    android(
      .keyOfOtherPlatform, #"{"key": "IntuneMAMUPN", "valueString": "x"}"#,
      "payloadJson: the list of June 2026 does not have IntuneMAMUPN of apps with the SDK for Android; keep it, if its app documents it for Android"
    ),
    apps(
      .unlistedKey, [("com.microsoft.outlook.Mail.FocusedInbo", "true")],
      "customSettings: com.microsoft.outlook.Mail.FocusedInbo is not in the list of June 2026; write com.microsoft.outlook.Mail.FocusedInbox, if that is meant"
    ),
    apps(
      .valueWithoutForm, [("com.microsoft.outlook.Mail.FocusedInbox", "True")],
      "customSettings: com.microsoft.outlook.Mail.FocusedInbox is true or false in lower case for Outlook; write true or false"
    ),
    apps(
      .valueWithoutForm, [("\(edge).NewTabPageLayout", "small")],
      "customSettings: \(edge).NewTabPageLayout is one of focused, inspirational, informational, custom for Edge; write one of them"
    ),
    apps(
      .valueWithoutForm, [("\(edge).durationOfNTLMSSO", "long")],
      "customSettings: \(edge).durationOfNTLMSSO is a whole number for Edge; write a whole number"),
    ios(
      .valueWithoutForm, [("a", "integerType", "seven")], "settings: a is no integer; write a whole number"),
    ios(.valueWithoutForm, [("a", "realType", "x")], "settings: a is no number; write a number, such as 1.5"),
    ios(.valueWithoutForm, [("a", "booleanType", "on")], "settings: a is no boolean; write true or false"),
    Case(
      rule: .valueWithoutForm, type: "iosMobileAppConfiguration",
      members: ConfigurationSamples.propertyList("<key>a</key><date>2026-01-05T09:00:00Z</date>"),
      expected: "encodedSettingXml: a is a date, which apps are not sent; write a text"),
    android(
      .valueWithoutForm, #"{"key": "lock_home_screen", "valueString": "true"}"#,
      "payloadJson: lock_home_screen is given as valueString, and Managed Home Screen takes valueBool; give it as valueBool"
    ),
    android(
      .valueWithoutForm, #"{"key": "a", "valueString": "x", "valueBool": true}"#,
      "payloadJson: a has several values; keep one of valueString and valueBool"),
    android(.valueWithoutForm, #"{"key": "a"}"#, "payloadJson: a has no value; give it one, or remove it"),
    apps(
      .unknownToken, [("a", "{{usrprincipalname}}")],
      "customSettings: a has {{usrprincipalname}}, which the service does not replace; write {{userprincipalname}}, if that is meant"
    ),
    apps(
      .unknownToken, [("a", "{{DeviceID}}")],
      "customSettings: a has {{deviceid}}, which the service does not replace in this channel; write another token, or deliver it by the other channel"
    ),
    apps(
      .unknownToken, [("a", "{{mail")],
      "customSettings: a has {{ without }}; close it, or write the braces in another way"),
    apps(
      .tokenOfOtherProduct, [("a", "%upn%")],
      "customSettings: a has a token of another product, which stays as it is; write {{userprincipalname}} or {{mail}}"),
    ios(
      .accountsWithoutName, [("IntuneMAMAllowedAccountsOnly", "stringType", "Enabled")],
      "settings: IntuneMAMAllowedAccountsOnly has no effect without IntuneMAMUPN; add IntuneMAMUPN with {{userprincipalname}}"
    ),
    apps(
      .twoURLLists, [("\(edge).AllowListURLs", "https://a.com"), ("\(edge).BlockListURLs", "https://b.com")],
      "customSettings: AllowListURLs is set too, so that BlockListURLs has no effect; keep one of the two lists"),
    apps(
      .invalidURLPattern, [("\(edge).AllowListURLs", "https://a.com, https://b.com")],
      "customSettings: \(edge).AllowListURLs separates its URLs with commas; separate them with vertical bars: https://a.com|https://b.com"
    ),
    apps(
      .invalidURLPattern, [("\(edge).BlockListURLs", "https://a.com|*.contoso/*")],
      "customSettings: pattern 2 of \(edge).BlockListURLs matches no URL; write * as the first label of the host or as the last part of the path, such as https://*.contoso.com/*"
    ),
    apps(
      .invalidURLPattern, [("\(edge).BlockListURLs", "https://a.com|*.com")],
      "customSettings: pattern 2 of \(edge).BlockListURLs matches no URL; write * as the first label of the host or as the last part of the path, such as https://*.contoso.com/*"
    ),
  ]

  @Test("A configuration with one mistake has one finding, with its place", arguments: cases)
  func finds(_ mistake: Case) throws {
    let findings = try ConfigurationSamples.file(mistake.type, mistake.members).configurationFindings
    expectEqual(findings.map(\.rule), [mistake.rule])
    let finding = try #require(findings.first)
    #expect(finding.place != nil && finding.file == "c.json")
    expectEqual("\(finding.setting): \(finding.message); \(finding.remedy)", mistake.expected)
  }

  @Test(
    "Correct settings, and those of other makers, cause no finding",
    arguments: [
      (
        "targetedManagedAppConfiguration",
        #""customSettings": [{"name": "com.microsoft.outlook.Mail.FocusedInbox", "value": "false"}, {"name": "x.y", "value": "Yes"}]"#
      ),
      (
        "targetedManagedAppConfiguration",
        #""customSettings": [{"name": "com.microsoft.outlook.Calendar.Notifications.IntuneMAMOnly", "value": "0"}]"#
      ),
      (
        "targetedManagedAppConfiguration",
        #""customSettings": [{"name": "com.microsoft.intune.mam.managedbrowser.AllowListURLs", "value": "https://*.contoso.com/*|www.contoso.com|http://a.com:8080/b|http://*contoso.com/*|10.0.0.0/24|http://contoso.com:*"}]"#
      ),
      (
        "targetedManagedAppConfiguration",
        #""customSettings": [{"name": "com.microsoft.intune.mam.managedbrowser.PersistentWebsiteDataStore", "value": "2"}]"#
      ),
      (
        "iosMobileAppConfiguration",
        #""settings": [{"appConfigKey": "IntuneMAMUPN", "appConfigKeyType": "stringType", "appConfigKeyValue": "{{UserPrincipalName}}"}, {"appConfigKey": "IntuneMAMAllowedAccountsOnly", "appConfigKeyType": "stringType", "appConfigKeyValue": "Enabled"}, {"appConfigKey": "n", "appConfigKeyType": "integerType", "appConfigKeyValue": "-7"}]"#
      ),
      (
        "iosMobileAppConfiguration",
        #""settings": [{"appConfigKey": "com.microsoft.outlook.Mail.FocusedInbox", "appConfigKeyType": "booleanType", "appConfigKeyValue": "True"}]"#
      ),
      (
        "androidManagedStoreAppConfiguration",
        ConfigurationSamples.payload(
          #"{"key": "device_serial_number", "valueString": "{{SerialNumber}}"}, {"key": "IntuneMAMAllowedAccountsOnly", "valueString": "Enabled"}"#
        )
      ),
    ])
  func silence(type: String, members: String) throws {
    try expectEqual(ConfigurationSamples.file(type, members).configurationFindings.map(\.description), [])
  }

  @Test("Settings of the catalog may have a key twice, and secrets are not looked into")
  func catalog() throws {
    let settings =
      #"{"settingInstance": {"settingDefinitionId": "a", "simpleSettingValue": {"value": "1"}}}, {"settingInstance": {"settingDefinitionId": "a", "simpleSettingValue": {"value": "2"}}}"#
    let file = try ConfigurationSamples.file(
      "deviceManagementConfigurationPolicy",
      #""technologies": "mobileApplicationManagement", "settings": [\#(settings)]"#)
    expectEqual(file.configurationFindings, [])
  }

  @Test("A key and a platform occur once in the lists, keys in one spelling")
  func lists() {
    var spelling: [String: String] = [:]
    for key in KnownConfigurationKey.all {
      #expect(!key.channels.isEmpty && !key.platforms.isEmpty && !key.name.contains(" "))
      #expect(spelling[key.name.lowercased()] ?? key.name == key.name, "\(key.name)")
      spelling[key.name.lowercased()] = key.name
    }
    for key in KnownConfigurationKey.all {
      for platform in key.platforms {
        let twins = KnownConfigurationKey.named(key.name).filter {
          $0.app == key.app && $0.platforms.contains(platform) && !$0.channels.isDisjoint(with: key.channels)
        }
        expectEqual(twins.count, 1, "\(key.name)")
      }
    }
  }

  /// The keys that pages of their apps prescribe, as they have them there.
  @Test("What a page of an app prescribes is no finding")
  func prescribed() throws {
    let documents = [
      // D app configuration policies for managed iOS/iPadOS devices: the Company Portal of a device without a user.
      Self.ios(.unknownToken, [("IntuneUDAUserlessDevice", "stringType", "{{SIGNEDDEVICEID}}")], ""),
      // D configure the Managed Home Screen app.
      Self.android(
        .valueWithoutForm,
        #"{"key": "domain_name", "valueString": "a.example; b.example"}, "#
          + #"{"key": "max_number_of_attempts_for_session_PIN", "valueInteger": 3}"#, ""),
      // D configure Microsoft 365 apps, step 3, and D manage Microsoft 365 with Intune until 2022.
      Self.android(
        .keyOfOtherPlatform,
        #"{"key": "com.microsoft.office.OfficeWebAddinDisableAllCatalogs", "valueBool": true}"#, ""),
      Self.apps(
        .unlistedKey,
        [
          ("com.microsoft.office.ShareNearby.IsAllowed.IntuneMAMOnly", "false"),
          ("com.microsoft.office.TransferFiles.IsAllowed.IntuneMAMOnly", "false"),
        ], ""),
    ]
    func findings(_ document: Case) throws -> [String] {
      try ConfigurationSamples.file(document.type, document.members).configurationFindings.map(\.description)
    }
    for document in documents { try expectEqual(findings(document), []) }
    // They are known, and not only let through.
    let wrong = Self.apps(
      .valueWithoutForm, [("com.microsoft.office.ShareNearby.IsAllowed.IntuneMAMOnly", "False")], "")
    try expectEqual(findings(wrong).count, 1)
    let attempts = Self.android(
      .valueWithoutForm, #"{"key": "max_number_of_attempts_for_session_PIN", "valueString": "3"}"#, "")
    try expectEqual(findings(attempts).count, 1)
  }
}
