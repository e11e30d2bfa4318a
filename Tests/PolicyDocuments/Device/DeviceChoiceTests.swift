import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

/// Every row of the published table of device settings, written down from the documentation and not from the code.
@Suite("A device's encoding")
struct DeviceChoiceTests {
  struct Row: CustomTestStringConvertible {
    let device: String
    let graph: String
    let values: [(DeviceValue, PolicySetting)]
    var testDescription: String { device }
  }

  private static func choices<Choice: PolicyChoice>(
    _ device: String, _ graph: String, _ values: [(Int, Choice)]
  ) -> Row {
    Row(device: device, graph: graph, values: values.map { (.number(Int64($0)), .value(.choice($1.number))) })
  }

  private static func flag(_ device: String, _ graph: String, negated: Bool = false) -> Row {
    let on: [DeviceValue] = [.flag(true), .number(1), .text("1"), .text("YES"), .text("true")]
    let off: [DeviceValue] = [.flag(false), .number(0), .text("0"), .text("no"), .text("False")]
    return Row(
      device: device, graph: graph,
      values: on.map { ($0, .value(.flag(!negated))) } + off.map { ($0, .value(.flag(negated))) })
  }

  private static func duration(_ text: String) -> PolicySetting {
    (try? .value(.duration(PolicyDuration(text)))) ?? .absent
  }

  private static func version(_ device: String, _ graph: String) -> Row {
    Row(
      device: device, graph: graph,
      values: [
        (.text("16.4.1"), .value(.text("16.4.1"))), (.number(17), .value(.text("17"))), (.text("0.0"), .null),
        (.text(""), .null), (.text("0.0.0"), .null),
      ])
  }

  static let rows: [Row] = transfer + flags + access + conditions

  private static let transfer: [Row] = [
    choices(
      "AppSharingToLevel", "allowedOutboundDataTransferDestinations",
      [(0, DataTransferLevel.noApps), (1, .managedApps), (2, .allApps)]),
    choices(
      "AppSharingFromLevel", "allowedInboundDataTransferSources",
      [(0, DataTransferLevel.noApps), (1, .managedApps), (2, .allApps)]),
    choices(
      "ClipboardSharingLevel", "allowedOutboundClipboardSharingLevel",
      [(0, ClipboardSharingLevel.blocked), (1, .managedApps), (2, .managedAppsWithPasteIn), (3, .allApps)]),
    choices(
      "FileEncryptionLevel", "appDataEncryptionType",
      [
        (0, DataEncryptionType.whenDeviceLocked), (1, .whenDeviceLockedExceptOpenFiles), (2, .afterDeviceRestart),
        (3, .useDeviceSettings),
      ]),
    choices("PINCharacterType", "pinCharacterSet", [(0, PINCharacterSet.alphanumericAndSymbol), (1, .numeric)]),
    choices(
      "DialerRestrictionLevel", "dialerRestrictionLevel",
      [(0, DialerRestrictionLevel.blocked), (1, .customApp), (3, .allApps)]),
    choices(
      "NotificationRestriction", "notificationRestriction",
      [(0, NotificationRestriction.allow), (1, .blockOrganizationalData), (2, .block)]),
    Row(
      device: "ManagedLocations", graph: "allowedDataStorageLocations",
      values: [
        (.number(0), .value(.choices([]))), (.number(3), .value(.choices([1, 2]))), (.text("4"), .value(.choices([3]))),
        (.number(35), .value(.choices([1, 2, 6]))), (.number(128), .value(.choices([7]))),
        (.number(167), .value(.choices([1, 2, 3, 6, 7]))),
      ]),
    Row(
      device: "OpenDataFromManagedLocations", graph: "allowedDataIngestionLocations",
      values: [
        (.number(0), .value(.choices([]))), (.number(7), .value(.choices([1, 2, 3]))),
        (.number(16), .value(.choices([4]))), (.number(23), .value(.choices([1, 2, 3, 4]))),
      ]),
    Row(
      device: "ProtocolExclusions", graph: "exemptedAppProtocols",
      values: [
        (.text("skype;itms;"), .value(.pairs([PolicyPair("Default", "skype;itms;")]))), (.text(""), .value(.pairs([]))),
      ]),
    Row(
      device: "UniversalLinkExclusions", graph: "exemptedUniversalLinks",
      values: [
        (.text("http://a|https://b/*|"), .value(.texts(["http://a", "https://b/*"]))), (.text(""), .value(.texts([]))),
      ]),
    Row(
      device: "ManagedUniversalLinks", graph: "managedUniversalLinks",
      values: [(.text("http://a"), .value(.texts(["http://a"])))]),
    Row(
      device: "ClipboardCharacterExceptionLength", graph: "allowedOutboundClipboardSharingExceptionLength",
      values: [(.number(0), .value(.number(0))), (.text("65535"), .value(.number(65_535)))]),
    Row(
      device: "UnmanagedBrowserProtocol", graph: "customBrowserProtocol",
      values: [(.text(""), .value(.text(""))), (.text("x"), .value(.text("x")))]),
    Row(device: "SpecificDialerProtocol", graph: "customDialerAppProtocol", values: [(.text("x"), .value(.text("x")))]),
  ]

  private static let flags: [Row] = [
    flag("FileSharingSaveAsDisabled", "saveAsBlocked"), flag("PrintingBlocked", "printBlocked"),
    flag("ContactSyncDisabled", "contactSyncBlocked"), flag("DataBackupDisabled", "dataBackupBlocked"),
    flag("ThirdPartyKeyboardsBlocked", "thirdPartyKeyboardsBlocked"),
    flag("OpenDataIntoOrgDocumentsBlocked", "blockDataIngestionIntoOrganizationDocuments"),
    flag("EnableOpenInFilter", "filterOpenInToOnlyManagedApps"),
    flag("ProtectManagedOpenInData", "disableProtectionOfManagedOutboundOpenInData", negated: true),
    flag("ProtectAllIncomingUnknownSourceData", "protectInboundDataFromUnknownSources"),
    flag("ManagedBrowserRequired", "managedBrowserToOpenLinksRequired"),
    flag("PINEnabled", "pinRequired"), flag("SimplePINAllowed", "simplePinBlocked", negated: true),
    flag("TouchIDEnabled", "fingerprintBlocked", negated: true), flag("FaceIDEnabled", "faceIdBlocked", negated: true),
    flag("AppPinDisabled", "disableAppPinIfDevicePinIsSet"),
    flag("AuthenticationEnabled", "organizationalCredentialsRequired"),
    flag("DeviceComplianceEnabled", "deviceComplianceRequired"),
  ]

  private static let access: [Row] = [
    Row(device: "PINMinLength", graph: "minimumPinLength", values: [(.number(6), .value(.number(6)))]),
    Row(device: "PINNumRetry", graph: "maximumPinRetries", values: [(.text("5"), .value(.number(5)))]),
    Row(
      device: "PINExpiryDays", graph: "periodBeforePinReset",
      values: [(.number(0), duration("PT0S")), (.number(90), duration("P90D"))]),
    Row(
      device: "AccessRecheckOnlineTimeout", graph: "periodOnlineBeforeAccessCheck",
      values: [(.number(30), duration("PT30M"))]),
    Row(
      device: "AccessRecheckOfflineTimeout", graph: "periodOfflineBeforeAccessCheck",
      values: [(.number(1440), duration("PT1440M")), (.text("720"), duration("PT720M"))]),
    Row(
      device: "OfflineWipeInterval", graph: "periodOfflineBeforeWipeIsEnforced",
      values: [(.number(90), duration("P90D"))]),
    Row(
      device: "NonBioPassTimeOut", graph: "pinRequiredInsteadOfBiometricTimeout",
      values: [(.number(60), duration("PT60M"))]),
    Row(
      device: "NonBioPassTimeOutRequired", graph: "pinRequiredInsteadOfBiometricTimeout",
      values: [(.flag(false), .null), (.flag(true), .null)]),
    Row(
      device: "BlockClockStatusWithGracePeriod", graph: "gracePeriodToBlockAppsDuringOffClockHours",
      values: [(.number(-1), .null), (.number(0), duration("PT0M")), (.number(15), duration("PT15M"))]),
  ]

  private static let conditions: [Row] =
    [
      choices(
        "MaxPinRetryExceededAction", "appActionIfMaximumPinRetriesExceeded", [(0, RemediationAction.block), (1, .wipe)]),
      choices(
        "DeviceComplianceFailureAction", "appActionIfDeviceComplianceRequired",
        [(0, RemediationAction.block), (1, .wipe)]),
      choices(
        "MobileThreatDefenseRemediationAction", "mobileThreatDefenseRemediationAction",
        [(0, RemediationAction.block), (1, .wipe)]),
      Row(
        device: "AppActionIfUnableToAuthenticateUser", graph: "appActionIfUnableToAuthenticateUser",
        values: [(.number(0), .value(.choice(0))), (.text("1"), .value(.choice(1))), (.text(""), .null)]),
      choices(
        "MinimumRequiredDeviceThreatProtectionLevel", "maximumAllowedDeviceThreatLevel",
        [(0, DeviceThreatLevel.notConfigured), (1, .secured), (2, .low), (3, .medium), (4, .high)]),
      Row(
        device: "AllowedIOSModelsElseBlock", graph: "allowedIosDeviceModels",
        values: [(.text("iPhone5,2;"), .value(.text("iPhone5,2;"))), (.text(""), .value(.text("")))]),
      Row(
        device: "AllowedIOSModelsElseWipe", graph: "allowedIosDeviceModels",
        values: [(.text("iPad4,1"), .value(.text("iPad4,1")))]),
    ] + versions + features

  private static let versions: [Row] = [
    version("MinOsVersion", "minimumRequiredOsVersion"), version("MinOsVersionWarning", "minimumWarningOsVersion"),
    version("MinOsVersionWipe", "minimumWipeOsVersion"), version("MaxOsVersion", "maximumRequiredOsVersion"),
    version("MaxOsVersionWarning", "maximumWarningOsVersion"), version("MaxOsVersionWipe", "maximumWipeOsVersion"),
    version("MinAppVersion", "minimumRequiredAppVersion"), version("MinAppVersionWarning", "minimumWarningAppVersion"),
    version("MinAppVersionWipe", "minimumWipeAppVersion"), version("MinSDKVersion", "minimumRequiredSdkVersion"),
    version("MinSDKVersionWarning", "minimumWarningSdkVersion"), version("MinSDKVersionWipe", "minimumWipeSdkVersion"),
  ]

  private static let features: [Row] = [
    choices(
      "ScreenCaptureConfigurationState", "screenCaptureConfigurationState",
      [(0, FeatureConfigurationState.notBlocked), (1, .blocked)]),
    choices(
      "GenmojiConfigurationState", "genmojiConfigurationState",
      [(0, FeatureConfigurationState.notBlocked), (1, .blocked)]),
    choices(
      "WritingToolsConfigurationState", "writingToolsConfigurationState",
      [(0, FeatureConfigurationState.notBlocked), (1, .blocked)]),
  ]

  @Test("Every value of every documented setting means what the documentation says", arguments: rows)
  func values(row: Row) throws {
    let property = try #require(PolicyProperty.named(row.graph))
    for (value, expected) in row.values {
      for name in [row.device, row.device.lowercased()] {
        let device = DevicePolicy([DeviceEntry(name: name, value: value, place: nil)])
        expectEqual(device.policy[property], expected, "\(row.device) \(value)")
        #expect(device.findings.allSatisfy { $0.rule == .ambiguousLocation }, "\(row.device) \(value)")
        #expect(device.policy.keptMembers.isEmpty, "\(row.device) \(value)")
      }
    }
  }

  @Test("Every setting that has a counterpart has a row here, and no other has")
  func coverage() {
    let mapped = DeviceSetting.all.filter { !$0.properties.isEmpty }
    expectEqual(Set(mapped.map(\.name)), Set(Self.rows.map(\.device)))
    expectEqual(mapped.count, Self.rows.count)
    for setting in DeviceSetting.all {
      #expect(setting.properties.isEmpty != setting.meaning.isEmpty, "\(setting.name)")
      expectEqual(DeviceSetting.named(setting.name.uppercased())?.name, setting.name)
      #expect(!setting.values.isEmpty)
    }
    let names = DeviceSetting.all.flatMap { [$0.name] + $0.otherNames }.map { $0.lowercased() }
    expectEqual(Set(names).count, names.count)
  }

  @Test("The numbers of the reversed settings differ from Graph's")
  func reversed() {
    for (name, expected) in [
      ("AppSharingToLevel", 2), ("AppSharingFromLevel", 2), ("ClipboardSharingLevel", 4), ("FileEncryptionLevel", 4),
      ("PINCharacterType", 2), ("DialerRestrictionLevel", 3), ("MinimumRequiredDeviceThreatProtectionLevel", 0),
    ] {
      guard case .choice(let numbers)? = DeviceSetting.named(name)?.form else {
        Issue.record("\(name) is not a choice")
        continue
      }
      expectEqual(numbers.count { UInt64(clamping: $0.number) != $0.graphNumber }, expected, "\(name)")
    }
  }

  @Test("A value that a setting cannot have leaves it absent, is kept, and is reported with the valid values")
  func unreadable() throws {
    let rows: [(String, DeviceValue, String)] = [
      (
        "AppSharingToLevel", .number(3),
        "AppSharingToLevel: the number 3 is none of its values; its values are: 0 none, 1 managedApps, 2 allApps"
      ),
      (
        "DialerRestrictionLevel", .number(2),
        "DialerRestrictionLevel: the number 2 is none of its values; its values are: 0 blocked, 1 customApp, 3 allApps"
      ),
      ("PINEnabled", .number(2), "PINEnabled: the number 2 is none of its values; its values are: true or false"),
      ("PINNumRetry", .number(0), "PINNumRetry: the number 0 is none of its values; its values are: whole number"),
      (
        "PINMinLength", .text("four"),
        #"PINMinLength: the text "four" is none of its values; its values are: whole number"#
      ),
      (
        "AccessRecheckOfflineTimeout", .number(-1),
        "AccessRecheckOfflineTimeout: the number -1 is none of its values; its values are: minutes"
      ),
      (
        "AccessRecheckOfflineTimeout", .number(.max),
        "AccessRecheckOfflineTimeout: the number 9223372036854775807 is none of its values; its values are: minutes"
      ),
      (
        "OfflineWipeInterval", .number(-3),
        "OfflineWipeInterval: the number -3 is none of its values; its values are: days"
      ),
      (
        "BlockClockStatusWithGracePeriod", .number(-2),
        "BlockClockStatusWithGracePeriod: the number -2 is none of its values; its values are: minutes; -1 is off"
      ),
      (
        "MinOsVersion", .other("an array"),
        "MinOsVersion: an array is none of its values; its values are: version; `0.0` is none"
      ),
    ]
    for (name, value, message) in rows {
      let device = DevicePolicy([DeviceEntry(name: name, value: value, place: nil)])
      expectEqual(device.findings.map(\.description), [message])
      expectEqual(device.findings.map(\.rule), [.unreadableDeviceValue])
      expectEqual(device.policy.keptMembers.map(\.name), [name])
      let property = try #require(DeviceSetting.named(name)?.properties.first)
      expectEqual(device.policy[property], .absent, "\(name)")
    }
  }
}
