import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Dumps of devices")
struct DeviceDocumentTests {
  private static func read(_ text: String) throws -> DeviceDocument {
    try DeviceDocument.read(Array(text.utf8), file: "dump")
  }

  private static let json = """
    {"EffectivePolicies": {"com.contoso.app.MAMPolicies": {"IntuneMAMPolicyVersion": "1.0", "IntuneMAMPolicies": {
      "AppSharingToLevel": 1, "PINNumRetry": 5, "MinOSVersionWipe": "0.0", "ManageableUniversalLinks": "http://a|",
      "DictationBlocked": true, "AppActionIfUnableToAuthenticateUser": ""}}}, "DataStore": {"PINEnabled-lastchecktimestamp": "1"}}
    """

  private static let lines = """
    Policy settings of the app
    AppSharingToLevel\t1
    PINNumRetry = 5;
    "MinOSVersionWipe" = "0.0";
    ManageableUniversalLinks=http://a|
      DictationBlocked: true
    AppActionIfUnableToAuthenticateUser=
    """

  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>IntuneMAMPolicies</key><dict>
    <key>AppSharingToLevel</key><integer>1</integer><key>PINNumRetry</key><integer>5</integer>
    <key>MinOSVersionWipe</key><string>0.0</string><key>ManageableUniversalLinks</key><string>http://a|</string>
    <key>DictationBlocked</key><true/><key>AppActionIfUnableToAuthenticateUser</key><string></string>
    </dict></dict></plist>
    """

  @Test("JSON, property lists and lines of one policy give the same policy")
  func forms() throws {
    let documents = try [Self.json, Self.plist, Self.lines].map(Self.read)
    expectEqual(documents.map(\.format), [.json, .propertyList, .lines])
    expectEqual(
      documents.map { $0.policies.map(\.path) },
      [[#"EffectivePolicies["com.contoso.app.MAMPolicies"].IntuneMAMPolicies"#], ["IntuneMAMPolicies"], [""]])
    for document in documents {
      let device = try #require(document.policies.first).policy
      var policy = device.policy
      #expect(policy.dataTransfer.sendChoice == nil || policy.dataTransfer.sendChoice == .managedApps)
      expectEqual(policy.dataTransfer.allowedOutboundDataTransferDestinations, .managedApps)
      expectEqual(policy.conditionalLaunch.maximumPinRetries, 5)
      expectEqual(PolicyProperty.named("minimumWipeOsVersion").map { policy[$0] }, .null)
      expectEqual(PolicyProperty.named("appActionIfUnableToAuthenticateUser").map { policy[$0] }, .null)
      expectEqual(policy.redirection.managedUniversalLinks, ["http://a"])
      expectEqual(policy.keptMembers.map(\.name), ["DictationBlocked"])
      expectEqual(device.findings, [])
      policy.keptMembers = []
      var first = try #require(documents.first?.policies.first).policy.policy
      first.keptMembers = []
      expectEqual(policy, first)
    }
  }

  @Test("Places are those of the settings' names")
  func places() throws {
    func place(_ document: DeviceDocument, _ name: String) -> String? {
      document.policies.first?.policy.entries.first { $0.name == name }?.place?.description
    }
    expectEqual(place(try Self.read(Self.json), "PINNumRetry"), "line 2, column 27")
    expectEqual(place(try Self.read(Self.plist), "PINNumRetry"), "line 3, column 49")
    expectEqual(place(try Self.read(Self.lines), "PINNumRetry"), "line 3, column 1")
    expectEqual(place(try Self.read(Self.lines), "DictationBlocked"), "line 6, column 3")
  }

  @Test("Lines may be UTF-16, and a semicolon ends a quoted value and not a list")
  func lineValues() throws {
    let text = "PINNumRetry=5\r\nProtocolExclusions = \"skype;itms;\";\r\nUniversalLinkExclusions\thttp://a;b|\r\n"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let utf16 = try DeviceDocument.read(bytes)
    expectEqual(utf16.policies, (try Self.read(text)).policies)
    let policy = try #require(utf16.policies.first).policy.policy
    expectEqual(policy.dataTransfer.exemptedAppProtocols, [PolicyPair("Default", "skype;itms;")])
    expectEqual(policy.redirection.exemptedUniversalLinks, ["http://a;b"])
  }

  @Test("Two lists of device models are one with the stricter answer, and a note")
  func models() throws {
    let both = try Self.read("AllowedIOSModelsElseBlock=iPhone5,2\nAllowedIOSModelsElseWipe=iPad4,1")
    let device = try #require(both.policies.first).policy
    expectEqual(device.policy.conditionalLaunch.allowedIosDeviceModels, "iPad4,1")
    expectEqual(device.policy.conditionalLaunch.appActionIfIosDeviceModelNotAllowed, .wipe)
    expectEqual(device.policy.keptMembers.map(\.name), ["AllowedIOSModelsElseBlock"])
    expectEqual(device.findings.map(\.rule), [.twoModelLists])
    let block = try Self.read("AllowedIOSModelsElseBlock=iPhone5,2\nAllowedIOSModelsElseWipe=")
    let one = try #require(block.policies.first).policy.policy.conditionalLaunch
    #expect(one.allowedIosDeviceModels == "iPhone5,2" && one.appActionIfIosDeviceModelNotAllowed == .block)
    let none = try Self.read("AllowedIOSModelsElseBlock=\nAllowedIOSModelsElseWipe=")
    let empty = try #require(none.policies.first).policy.policy.conditionalLaunch
    #expect(empty.allowedIosDeviceModels == "" && empty.appActionIfIosDeviceModelNotAllowed == nil)
  }

  @Test("The timeout of biometrics counts only where it is required, and clocking out brings its action")
  func joined() throws {
    func policy(_ text: String) throws -> PolicyDocument {
      try #require(try Self.read(text).policies.first).policy.policy
    }
    let required = try policy("NonBioPassTimeOutRequired=1\nNonBioPassTimeout=60")
    expectEqual(required.access.pinRequiredInsteadOfBiometricTimeout?.text, "PT60M")
    let off = try policy("NonBioPassTimeOutRequired=0\nNonBioPassTimeout=60")
    #expect(off.access.pinRequiredInsteadOfBiometricTimeout == nil)
    let clock = try policy("BlockClockStatusWithGracePeriod=15\nPINEnabled=1")
    expectEqual(clock.conditionalLaunch.appActionIfAccountIsClockedOut, .block)
    expectEqual(clock.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours?.text, "PT15M")
    #expect(
      try policy("BlockClockStatusWithGracePeriod=-1\nPINEnabled=1").conditionalLaunch.appActionIfAccountIsClockedOut
        == nil)
  }

  @Test("Protection of outgoing data is off only with policy managed apps")
  func protection() throws {
    for (level, expected) in [(0, SendChoice.noApps), (1, .managedAppsWithOSSharing), (2, .allApps)] {
      let document = try Self.read("AppSharingToLevel=\(level)\nProtectManagedOpenInData=0")
      expectEqual(document.policies.first?.policy.policy.dataTransfer.sendChoice, expected)
    }
  }

  @Test("Bits without a counterpart are reported and kept")
  func bits() throws {
    let rows: [(String, [PolicyRule], [String])] = [
      ("ManagedLocations=64", [.ambiguousLocation], []), ("ManagedLocations=129", [.ambiguousLocation], []),
      ("ManagedLocations=9", [.unreadableDeviceValue], ["ManagedLocations"]),
      ("OpenDataFromManagedLocations=9", [.unreadableDeviceValue], ["OpenDataFromManagedLocations"]),
      ("ManagedLocations=-1", [.unreadableDeviceValue], ["ManagedLocations"]),
    ]
    for (line, rules, kept) in rows {
      let device = try #require(try Self.read("\(line)\nPINEnabled=1").policies.first).policy
      expectEqual(device.findings.map(\.rule), rules, "\(line)")
      expectEqual(device.policy.keptMembers.map(\.name), kept, "\(line)")
    }
  }

  @Test("An undocumented setting is kept and reported with its place")
  func unknown() throws {
    let device = try #require(try Self.read("PINEnabled=1\nPINNumRetry=5\nFancySetting=7").policies.first).policy
    expectEqual(
      device.findings.map(\.description),
      ["line 3, column 1: FancySetting: no such setting of a device is documented; look up what it is"])
    expectEqual(device.policy.keptMembers, [KeptMember("FancySetting", json: "\"7\"")])
  }

  @Test(
    "Settings that only devices have are kept unchanged, whatever their values",
    arguments: [
      "DictationBlocked", "RequireFileEncryption", "ClipboardEncryptionEnabled", "IntuneIdentityUPN",
      "IntuneIdentityOID", "IntuneMAMPolicyVersion", "ContainerName", "UsePPE", "ManagedBrowserURLListMode",
      "MTDAppStoreUrl", "MTDAppFriendlyName", "MTDAppLaunchUrl", "IsMTDAppEnabledForWPJ",
      "WPJReplicationDelay", "DisableAria", "DisableShareSense", "ADALTenantId", "QuickLookBlockedOverride",
      "MinSecurityPatchVersionWarn", "MaxSecurityPatchVersionWarn",
    ])
  func onlyOnDevices(name: String) {
    for value in [DeviceValue.flag(true), .number(7), .text("x"), .text(""), .text("0.0")] {
      let device = DevicePolicy([DeviceEntry(name: name, value: value, place: nil)])
      expectEqual(device.policy.keptMembers, [KeptMember(name, json: value.json.description)])
      // What is not documented would be reported.
      expectEqual(device.findings, [])
      var rest = device.policy
      rest.keptMembers = []
      expectEqual(rest, PolicyDocument())
    }
  }

  @Test("A Graph document without a type is not a dump, although some names differ only in case")
  func graphNames() throws {
    let text = """
      {"value": [{"dialerRestrictionLevel": "blocked", "notificationRestriction": "allow",
        "mobileThreatDefenseRemediationAction": "wipe", "thirdPartyKeyboardsBlocked": true}]}
      """
    let file = try PolicyFile.read(Array(text.utf8))
    let item = try #require(file.policies.first)
    #expect(!item.isFromDevice && item.path == "value[0]" && item.findings == [])
    expectEqual(item.policy.redirection.dialerRestrictionLevel, .blocked)
    let same = Set(DeviceSetting.all.map { $0.name.lowercased() }).intersection(
      PolicyProperty.all.map { $0.name.lowercased() })
    expectEqual(same.count, 9)
  }

  @Test("Lint of a dump reports settings that only devices have under the devices' names")
  func lintOfDump() throws {
    let text = "PINEnabled=1\nPINNumRetry=5\nFancySetting=7\nMinOsVersion=17\nMinOsVersionWarning=16\n"
    let file = try PolicyFile.read(Array(text.utf8), name: "dump")
    let findings = try #require(file.policies.first).findings
    expectEqual(findings.map(\.rule), [.unknownDeviceSetting, .warningNeverShows])
    expectEqual(findings.map { $0.place?.description }, ["line 3, column 1", "line 5, column 1"])
    #expect(findings.allSatisfy { $0.file == "dump" })
  }

  @Test("Of settings with one name the last counts, and very many unknown ones do not keep a dump from being read")
  func manyLines() throws {
    let noise = (0..<20_000).map { "Word\($0): 1" }.joined(separator: "\n")
    let device = try #require(
      try Self.read("PINNumRetry=4\nPINEnabled=1\n\(noise)\npinnumretry=5").policies.first
    ).policy
    expectEqual(device.policy.conditionalLaunch.maximumPinRetries, 5)
    expectEqual(device.entries.count, DeviceDocument.mostUnknown + 2)
    expectEqual(device.findings.count, DeviceDocument.mostUnknown)
  }

  @Test(
    "A dump of a single setting is a dump, whatever the setting and its form",
    arguments: DeviceSetting.all.filter { !$0.properties.isEmpty }.map(\.name))
  func oneSetting(name: String) throws {
    let texts = [
      "{\"\(name)\": 1}", "{\"App\": [{\"\(name)\": 1}]}", "{\"IntuneMAMPolicies\": {\"\(name)\": 1, \"New\": 2}}",
      "\(name)=1",
      "<plist version=\"1.0\"><dict><key>\(name)</key><integer>1</integer></dict></plist>",
    ]
    for text in texts {
      let file = try PolicyFile.read(Array(text.utf8))
      #expect(file.policies.count == 1 && file.policies.first?.isFromDevice == true, "\(text)")
    }
  }

  @Test("Part of a Graph policy is not a dump, although a device has some of its names")
  func fragments() throws {
    let refusal = "is a member of a policy in Graph, and the text is not an object in { }; "
    let rows: [(text: String, expected: String)] = [
      (
        """
        "dialerRestrictionLevel": "blocked",
        "notificationRestriction": "allow",
        "pinRequired": true,
        """, "t: line 1, column 2: dialerRestrictionLevel \(refusal)"
      ),
      (
        """
          "@odata.type": "#microsoft.graph.iosManagedAppProtection",
          "mobileThreatDefenseRemediationAction": "wipe",
          "PINEnabled": true, "PINMinLength": 4
        """, "t: line 2, column 4: mobileThreatDefenseRemediationAction \(refusal)"
      ),
      ("\"minimumRequiredPatchVersion\": \"2020-01-05\", \"pinRequired\": true", "t: line 1, column 2: minimumReq"),
      // PowerShell lists a policy in capitals.
      (
        "ThirdPartyKeyboardsBlocked : True\nNotificationRestriction : allow\nPinRequired : True",
        "t: line 3, column 1: PinRequired \(refusal)"
      ),
      (
        "{\"ThirdPartyKeyboardsBlocked\": true, \"PinRequired\": true}",
        "t: line 1, column 1: the object has no \"@odata"
      ),
    ]
    for (text, expected) in rows {
      let error = try #require(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(text.utf8), name: "t") }
      #expect(error.code == .unknownType && error.description.hasPrefix(expected), "\(error)")
    }
    // Words that occur in any text do not speak against a dump.
    let dump = try PolicyFile.read(Array("version: 1\nApps: 2\nNotificationRestriction=1\nPINEnabled=1".utf8))
    expectEqual(dump.policies.first?.policy.surfaces.notificationRestriction, .blockOrganizationalData)
  }

  @Test("Damaged dumps yield policies or an error, and never stop the program")
  func mutations() throws {
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let pieces = ["null", "-1", "1e9", "\"", "[", "}", "=", "\t", ";", "<", "9223372036854775807", "\u{0}", "é"]
    var survivors = 0
    for text in [Self.json, Self.plist, Self.lines] {
      for _ in 0..<150 {
        var bytes = Array(text.utf8)
        let start = random(bytes.count)
        bytes.replaceSubrange(
          start..<min(bytes.count, start + random(3)), with: Array(pieces[random(pieces.count)].utf8))
        if let file = try? PolicyFile.read(bytes) {
          survivors += 1
          for item in file.policies {
            for setting in PortalSetting.all { _ = setting.words(item.policy) }
            #expect(item.findings.allSatisfy { !$0.description.isEmpty })
          }
        }
      }
    }
    #expect(survivors > 100)
  }

  @Test("A file that is not a dump is refused with the reason and the next step")
  func refusals() throws {
    let reason =
      "no policy of a device is in here; give a dump with settings such as AppSharingToLevel, or the JSON of a policy from Graph"
    for (text, place) in [
      ("{\"a\": {\"PINEnabled\": true, \"b\": 1}}", "line 1, column 1: "),
      ("{\"PINEnabled\": [true]}", "line 1, column 1: "), ("PINEnabled=1\nUser: x", "line 1, column 1: "),
      ("{\"minAppVersion\": \"1.0\"}", "line 1, column 1: "), ("{\"DictationBlocked\": true}", "line 1, column 1: "),
      ("<plist version=\"1.0\"><dict/></plist>", ""),
    ] {
      let error = try #require(throws: PolicyDocumentError.self) { try Self.read(text) }
      #expect(error.code == .unknownType && error.description == "dump: \(place)\(reason)")
    }
    let broken = try #require(throws: PolicyDocumentError.self) { try Self.read("<plist version=\"1.0\"><dict>") }
    #expect(broken.description.hasPrefix("dump: line 1, column "))
    let binary = try #require(throws: PolicyDocumentError.self) { try Self.read("bplist00") }
    #expect(binary.description.hasPrefix("dump: byte "))
  }
}
