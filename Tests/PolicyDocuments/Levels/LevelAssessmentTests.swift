import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Levels of the data protection framework")
struct LevelAssessmentTests {
  /// The members of a policy that meets level 3 of the newest revision, and nothing more.
  private static let level3: [(name: String, json: String)] = [
    ("dataBackupBlocked", "true"), ("allowedOutboundDataTransferDestinations", #""managedApps""#),
    ("saveAsBlocked", "true"), ("allowedDataStorageLocations", #"["photoLibrary"]"#),
    ("exemptedAppProtocols", #"[{"name": "Default", "value": "skype;calshow"}]"#),
    ("dialerRestrictionLevel", #""customApp""#), ("customDialerAppProtocol", #""contoso-tel""#),
    ("allowedInboundDataTransferSources", #""managedApps""#), ("blockDataIngestionIntoOrganizationDocuments", "true"),
    ("allowedDataIngestionLocations", #"["camera"]"#),
    ("allowedOutboundClipboardSharingLevel", #""managedAppsWithPasteIn""#), ("thirdPartyKeyboardsBlocked", "true"),
    ("appDataEncryptionType", #""afterDeviceRestart""#), ("printBlocked", "true"),
    ("managedBrowserToOpenLinksRequired", "true"), ("managedBrowser", #""microsoftEdge""#),
    ("notificationRestriction", #""blockOrganizationalData""#), ("pinRequired", "true"), ("simplePinBlocked", "true"),
    ("minimumPinLength", "6"), ("pinRequiredInsteadOfBiometricTimeout", #""PT24H""#),
    ("periodBeforePinReset", #""P365D""#),
    ("periodOnlineBeforeAccessCheck", #""PT30M""#), ("maximumPinRetries", "5"),
    ("periodOfflineBeforeAccessCheck", #""P7D""#), ("periodOfflineBeforeWipeIsEnforced", #""P30D""#),
    ("appActionIfUnableToAuthenticateUser", #""block""#), ("deviceComplianceRequired", "true"),
    ("appActionIfDeviceComplianceRequired", #""wipe""#), ("minimumRequiredOsVersion", #""14.8""#),
    ("maximumRequiredOsVersion", #""27.0""#), ("maximumAllowedDeviceThreatLevel", #""secured""#),
  ]

  /// The assessment of that policy with other members; `nil` removes one.
  private static func assessment(
    _ changes: KeyValuePairs<String, String?> = [:], isFromDevice: Bool = false, isPartial: Bool = false
  ) throws -> LevelAssessment {
    var members = level3
    for (name, json) in changes {
      members.removeAll { $0.name == name }
      if let json { members.append((name, json)) }
    }
    let text = members.map { "\"\($0.name)\": \($0.json)" }.joined(separator: ", ")
    return LevelAssessment(
      of: try Samples.policy(Samples.text(text)).policy, isFromDevice: isFromDevice, isPartial: isPartial)
  }

  @Test("A policy with the least values of level 3 meets it")
  func high() throws {
    let assessment = try Self.assessment()
    expectEqual(assessment.missing(at: .high).map(\.row.id), [])
    #expect(assessment.level == .high && assessment.next == nil)
  }

  @Test("What a partial export leaves out is unknown, even where nothing would meet the level")
  func partial() throws {
    // Of what has a default, an export that leaves nothing out says what it is.
    let stated: KeyValuePairs<String, String?> = [
      "appActionIfMaximumPinRetriesExceeded": #""block""#, "mobileThreatDefenseRemediationAction": #""block""#,
      "disableAppPinIfDevicePinIsSet": "false", "allowedOutboundClipboardSharingExceptionLength": "0",
      "customBrowserProtocol": "null",
    ]
    func missing(_ without: [String], isPartial: Bool) throws -> [String: LevelAssessment.Outcome] {
      var members = Self.level3
      for (name, json) in stated { members.append((name, json ?? "")) }
      members.removeAll { without.contains($0.name) }
      let text = members.map { "\"\($0.name)\": \($0.json)" }.joined(separator: ", ")
      let assessment = LevelAssessment(of: try Samples.policy(Samples.text(text)).policy, isPartial: isPartial)
      return Dictionary(
        assessment.missing(at: .high).map { ($0.row.id, $0.outcome) }, uniquingKeysWith: { one, _ in one })
    }
    let whole = try missing([], isPartial: true)
    expectEqual(whole, [:])
    let lists = ["allowedDataStorageLocations", "exemptedAppProtocols", "allowedDataIngestionLocations"]
    try expectEqual(missing(lists, isPartial: false), [:])
    let withoutLists = try missing(lists, isPartial: true)
    // Of places to open from, the level names every one there is.
    expectEqual(withoutLists, ["saveTo": .unknown, "exempt": .unknown])
    try expectEqual(
      missing(["allowedOutboundClipboardSharingExceptionLength"], isPartial: true), ["clipboardLimit": .unknown])
    try expectEqual(missing(["appActionIfMaximumPinRetriesExceeded"], isPartial: true), ["pinAttempts": .unknown])
    // Nothing that is left out is met.
    for (name, _) in Self.level3 where name != "allowedDataIngestionLocations" {
      let outcomes = try missing([name], isPartial: true).values
      #expect(!outcomes.isEmpty && outcomes.allSatisfy { $0 == .unknown }, "\(name): \(outcomes)")
    }
  }

  @Test("One looser value keeps a policy from the levels that name a stricter one, with its row and reason")
  func looser() throws {
    let rows: [(KeyValuePairs<String, String?>, row: String, level: FrameworkLevel?, reason: String?)] = [
      (["dataBackupBlocked": "false"], "backup", .basic, nil),
      (["dataBackupBlocked": nil], "backup", .basic, "not in the document"),
      (["dataBackupBlocked": "null"], "backup", .basic, nil),
      (["allowedOutboundDataTransferDestinations": #""allApps""#], "send", .basic, nil),
      (
        ["exemptedAppProtocols": #"[{"name": "Default", "value": "tel;skype"}]"#], "exempt", .basic,
        "1 more than asked for"
      ),
      (["allowedDataStorageLocations": #"["box", "photoLibrary"]"#], "saveTo", .basic, "1 more than asked for"),
      (["dialerRestrictionLevel": #""allApps""#], "dialer", .enhanced, nil),
      (["customDialerAppProtocol": nil], "dialer", .enhanced, "no URL scheme names the dialer"),
      (
        ["customDialerAppProtocol": #""replace_with_dialer_app_url_scheme""#], "dialer", .enhanced,
        "the URL scheme is left from a template"
      ),
      (["allowedOutboundClipboardSharingExceptionLength": "20"], "clipboardLimit", .basic, nil),
      (["appDataEncryptionType": #""useDeviceSettings""#], "encryption", nil, nil),
      (["managedBrowser": #""notConfigured""#, "customBrowserProtocol": #""firefox""#], "web", .basic, nil),
      (["minimumPinLength": "5"], "pinLength", .enhanced, nil), (["minimumPinLength": "3"], "pinLength", nil, nil),
      (["pinRequiredInsteadOfBiometricTimeout": #""PT1441M""#], "biometricTimeout", nil, nil),
      (["periodBeforePinReset": #""PT0S""#], "pinReset", .enhanced, nil),
      (["periodBeforePinReset": #""P366D""#], "pinReset", .enhanced, nil),
      (["maximumPinRetries": "6"], "pinAttempts", nil, nil),
      (["periodOfflineBeforeAccessCheck": #""PT0S""#], "offlineBlock", nil, nil),
      (["periodOfflineBeforeWipeIsEnforced": #""P90D""#], "offlineWipe", .basic, nil),
      (["periodOfflineBeforeWipeIsEnforced": #""P91D""#], "offlineWipe", nil, nil),
      (["appActionIfUnableToAuthenticateUser": #""warn""#], "disabledAccount", .basic, nil),
      (["appActionIfUnableToAuthenticateUser": "null"], "disabledAccount", .basic, nil),
      (["appActionIfDeviceComplianceRequired": #""block""#], "jailbreak", .enhanced, nil),
      (["appActionIfDeviceComplianceRequired": #""warn""#], "jailbreak", nil, nil),
      (["minimumRequiredOsVersion": #""14.7.9""#], "minimumOS", .basic, nil),
      (["maximumRequiredOsVersion": #""0.0""#], "maximumOS", .enhanced, "any version; the level's is an example"),
      (["maximumAllowedDeviceThreatLevel": #""low""#], "threatLevel", .enhanced, nil),
    ]
    for row in rows {
      let assessment = try Self.assessment(row.0)
      expectEqual(assessment.level, row.level, "\(row.0)")
      let missing = assessment.missing(at: .high)
      expectEqual(missing.map(\.row.id), [row.row], "\(row.0)")
      #expect(missing.first?.outcome == .missing && missing.first?.reason == row.reason, "\(row.0)")
    }
  }

  @Test("A stricter value, or one that makes another needless, meets every level")
  func stricter() throws {
    let rows: [KeyValuePairs<String, String?>] = [
      ["allowedOutboundDataTransferDestinations": #""none""#], ["disableProtectionOfManagedOutboundOpenInData": "true"],
      ["filterOpenInToOnlyManagedApps": "true"], ["exemptedAppProtocols": "[]"], ["allowedDataStorageLocations": nil],
      ["dialerRestrictionLevel": #""managedApps""#, "customDialerAppProtocol": nil],
      ["dialerRestrictionLevel": #""blocked""#], ["allowedOutboundClipboardSharingLevel": #""blocked""#],
      ["appDataEncryptionType": #""whenDeviceLocked""#], ["notificationRestriction": #""block""#],
      ["minimumPinLength": "16"], ["pinCharacterSet": #""alphanumericAndSymbol""#], ["contactSyncBlocked": "true"],
      ["pinRequiredInsteadOfBiometricTimeout": nil, "fingerprintBlocked": "true", "faceIdBlocked": "true"],
      ["maximumPinRetries": "3", "appActionIfMaximumPinRetriesExceeded": #""wipe""#],
      ["appActionIfUnableToAuthenticateUser": #""wipe""#], ["periodOfflineBeforeAccessCheck": #""PT30M""#],
      ["minimumRequiredOsVersion": nil, "minimumWipeOsVersion": #""18""#],
      ["mobileThreatDefenseRemediationAction": #""wipe""#],
    ]
    for row in rows {
      let assessment = try Self.assessment(row)
      expectEqual(assessment.level, .high, "\(row): \(assessment.missing(at: .high).map(\.row.id))")
    }
  }

  @Test("What cannot be judged does not meet a level, and is named apart")
  func unknown() throws {
    let later = try Self.assessment(["allowedOutboundClipboardSharingLevel": #""someday""#]).missing(at: .high)
    #expect(later.map(\.row.id) == ["clipboard"] && later.first?.outcome == .unknown)
    // No device reports the browser's name, and one that requires none cannot require Edge.
    let device = try Self.assessment(["managedBrowser": nil], isFromDevice: true)
    #expect(device.level == .basic && device.missing(at: .high).map(\.outcome) == [.unknown])
    let open = try Self.assessment(
      ["managedBrowser": nil, "managedBrowserToOpenLinksRequired": "false"], isFromDevice: true)
    expectEqual(open.missing(at: .high).map(\.outcome), [.missing])
  }

  @Test("A device reports settings that other settings set, and what is there is known")
  func reported() throws {
    let dump = "{\"PINEnabled\": 1, \"BlockClockStatusWithGracePeriod\": -1}"
    let item = try #require(PolicyFile.read(Array(dump.utf8)).policies.first)
    #expect(item.isFromDevice)
    var policy = item.policy
    for (name, isUnknown) in [
      ("appActionIfIosDeviceModelNotAllowed", false), ("appActionIfAccountIsClockedOut", false),
      ("minimumPinLength", false), ("previousPinBlockCount", true), ("protectedMessagingRedirectAppType", true),
      ("allowWidgetContentSync", true), ("managedBrowser", true),
    ] {
      let property = try #require(PolicyPlatform.ios.property(named: name))
      expectEqual(item.isUnknown(property), isUnknown, "\(name)")
      if let setting = PortalSetting.showing(property), setting.properties.count == 1 {
        expectEqual(item.isUnknown(setting), isUnknown, "\(name)")
      }
    }
    let count = try #require(PolicyPlatform.ios.property(named: "previousPinBlockCount"))
    policy[count] = .value(.number(3))
    #expect(!item.unknown.contains(count, in: policy))
  }

  @Test("A PIN that the device's PIN replaces is admitted on a condition, which is named")
  func conditional() throws {
    let assessment = try Self.assessment(["disableAppPinIfDevicePinIsSet": "true"])
    expectEqual(assessment.level, .high)
    expectEqual(assessment.conditional(at: .high).map(\.row.id), ["devicePIN"])
    expectEqual(assessment.conditional(at: .basic).first?.reason?.contains("compliance policy"), true)
  }

  @Test("A default policy is judged as one for groups")
  func standard() throws {
    let text = Samples.text(Self.level3.map { "\"\($0.name)\": \($0.json)" }.joined(separator: ", "))
    let policy = try Samples.policy(text.replacing("iosManaged", with: "defaultManaged")).policy
    #expect(policy.kind == .defaultPolicy && LevelAssessment(of: policy).level == .high)
  }
}
