import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Policies in the portal's words")
struct PortalSettingTests {
  @Test("Every property is shown by exactly one setting, and titles do not repeat")
  func coverage() {
    let shown = PortalSetting.all.flatMap(\.properties)
    expectEqual(shown.map(\.name).sorted(), PolicyProperty.all.map(\.name).sorted())
    #expect(
      PortalSetting.all.allSatisfy { setting in setting.properties.allSatisfy { $0.portalGroup == setting.group } })
    expectEqual(Set(PortalSetting.all.map(\.title)).count, PortalSetting.all.count)
    for group in PortalGroup.allCases {
      let places = PolicyProperty.all.compactMap(\.portal).filter { $0.group == group }.map(\.place)
      #expect(!places.isEmpty && Set(places).count == places.count, "\(group.rawValue): \(places.sorted())")
    }
  }

  @Test("A document without set values has no words, and neither has one of nulls and empty texts")
  func empty() throws {
    var nulls = PolicyDocument()
    for property in PolicyProperty.all { nulls[property] = .null }
    for setting in PortalSetting.all {
      #expect(setting.words(PolicyDocument()) == nil, "\(setting.title)")
      #expect(setting.words(nulls) == nil, "\(setting.title)")
    }
    let texts = try Samples.policy(
      Samples.text(#""minimumRequiredOsVersion": "0.0", "customBrowserProtocol": "", "allowedIosDeviceModels": """#))
    #expect(PortalSetting.all.allSatisfy { $0.words(texts.policy) == nil })
  }

  @Test("Values have the portal's words")
  func words() throws {
    let rows: [(members: String, title: String, words: String?)] = [
      (#""dataBackupBlocked": true"#, "Backup Org data to iTunes and iCloud backups", "Block"),
      (
        #""allowedOutboundDataTransferDestinations": "managedApps", "filterOpenInToOnlyManagedApps": true"#,
        "Send Org data to other apps", "Policy managed apps with Open-In/Share filtering"
      ),
      (
        #""allowedOutboundDataTransferDestinations": "allApps", "filterOpenInToOnlyManagedApps": true"#,
        "Send Org data to other apps", "No choice of the portal: allApps beside Open-In/Share filtering"
      ),
      (
        #""allowedInboundDataTransferSources": "allApps", "protectInboundDataFromUnknownSources": true"#,
        "Receive data from other apps", "All apps with incoming Org data"
      ),
      (
        #""allowedOutboundDataTransferDestinations": "later""#, "Send Org data to other apps",
        "(a value that is not known)"
      ),
      (
        #""allowedDataStorageLocations": ["oneDriveForBusiness", "localStorage"]"#,
        "Allow user to save copies to selected services", "OneDrive for Business, Local Storage"
      ),
      (#""allowedDataStorageLocations": []"#, "Allow user to save copies to selected services", "0 selected"),
      (
        #""managedBrowserToOpenLinksRequired": true, "customBrowserProtocol": "x""#,
        "Restrict web content transfer with other apps", "Unmanaged browser"
      ),
      (
        #""managedBrowserToOpenLinksRequired": false, "managedBrowser": "microsoftEdge""#,
        "Restrict web content transfer with other apps", "No choice of the portal: Microsoft Edge, not required"
      ),
      (#""pinCharacterSet": "alphanumericAndSymbol""#, "PIN type", "Passcode"),
      (#""periodBeforePinReset": "PT0S""#, "PIN reset after number of days", "No"),
      (#""periodBeforePinReset": "P365D""#, "PIN reset after number of days", "Yes, after 365 days"),
      (
        #""pinRequiredInsteadOfBiometricTimeout": "PT12H""#, "Override biometrics with PIN after timeout",
        "Require, after 720 minutes of inactivity"
      ),
      (#""disableAppPinIfDevicePinIsSet": true"#, "App PIN when device PIN is set", "Not required"),
      (
        #""maximumPinRetries": 5, "appActionIfMaximumPinRetriesExceeded": "block""#, "Max PIN attempts",
        "5, Reset PIN"
      ),
      (#""periodOfflineBeforeAccessCheck": "PT12H""#, "Offline grace period, Block access (minutes)", "720 minutes"),
      (#""periodOfflineBeforeAccessCheck": "PT2M4.5S""#, "Offline grace period, Block access (minutes)", "PT2M4.5S"),
      (#""periodOfflineBeforeWipeIsEnforced": "P90D""#, "Offline grace period, Wipe data (days)", "90 days"),
      (#""deviceComplianceRequired": true"#, "Jailbroken/rooted devices", "Block access"),
      (
        #""deviceComplianceRequired": false, "appActionIfDeviceComplianceRequired": "wipe""#,
        "Jailbroken/rooted devices",
        nil
      ),
      (
        #""allowedIosDeviceModels": "iPhone5,2", "appActionIfIosDeviceModelNotAllowed": "wipe""#, "Device model(s)",
        "iPhone5,2, Allow specified (Wipe non-specified)"
      ),
      (
        #""maximumAllowedDeviceThreatLevel": "secured", "mobileThreatDefenseRemediationAction": "block""#,
        "Max allowed device threat level", "Secured, Block access"
      ),
      (#""maximumAllowedDeviceThreatLevel": "notConfigured""#, "Max allowed device threat level", nil),
      (
        #""appActionIfAccountIsClockedOut": "warn", "gracePeriodToBlockAppsDuringOffClockHours": "PT1M""#,
        "Non-working time", "Warn, after 1 minute"
      ),
      (#""targetedAppManagementLevels": "unmanaged,mdm""#, "Device types", "Unmanaged, Managed"),
      (#""targetedAppManagementLevels": "unspecified""#, "Device types", "All device types"),
      (#""roleScopeTagIds": ["0", "7"]"#, "Scope tags", "Default, 7"),
      (
        ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "g"}}]"##,
        "Groups", "without g"
      ),
    ]
    for row in rows {
      let policy = try Samples.policy(Samples.text(row.members)).policy
      let setting = try #require(PortalSetting.all.first { $0.title == row.title }, "\(row.title)")
      expectEqual(setting.words(policy), row.words, "\(row.members)")
    }
  }

  @Test("Every choice of an enumeration has distinct words")
  func everyChoice() throws {
    for property in PolicyProperty.all {
      guard case .choice(let names) = property.kind, let setting = PortalSetting.showing(property),
        setting.properties.count == 1
      else { continue }
      let words = names.members.compactMap { member -> String? in
        var policy = PolicyDocument()
        policy[property] = .value(.choice(member.number))
        return setting.words(policy)
      }
      expectEqual(Set(words).count, names.members.count, "\(property.name): \(words)")
    }
  }

  @Test("Groups are shown as they are targeted, and only texts that name one are private")
  func groups() throws {
    func target(_ type: String, _ more: String = "") -> String {
      ##"{"id": "1", "target": {"@odata.type": "#microsoft.graph.\##(type)AssignmentTarget"\##(more)}}"##
    }
    let filter = #", "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "#
    let rows: [(String, words: String, isPrivate: Bool)] = [
      ("", "None", false), (target("allLicensedUsers"), "All users", false),
      (target("allDevices", filter + #""none""#), "All devices", false),
      (target("allLicensedUsers", filter + #""include""#), "All users, filter f (include)", true),
      (target("group", #", "groupId": "g""#), "g", true),
      (target("exclusionGroup", #", "groupId": "g""#), "without g", true),
      (target("later"), "(a value that is not known)", false), (#"{"target": {"groupId": "g"}}"#, "g", true),
    ]
    let setting = try #require(PortalSetting.showing(.assignments))
    for (assignments, words, isPrivate) in rows {
      let policy = try Samples.policy(Samples.text("\"assignments\": [\(assignments)]")).policy
      #expect(setting.words(policy) == words && setting.isPrivate(in: policy) == isPrivate, "\(assignments)")
    }
  }

  @Test("A policy that says it is deployed to no group, and lists one, says both")
  func deployed() throws {
    let setting = try #require(PortalSetting.showing(.isAssigned))
    let group = #"{"target": {"groupId": "g"}}"#
    let exclusion = ##"{"target": {"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "g"}}"##
    for (members, words, reason) in [
      (#""isAssigned": false"#, "No", "the policy is assigned to no group"),
      (#""isAssigned": false, "assignments": []"#, "No", "the policy is assigned to no group"),
      (#""isAssigned": false, "assignments": [\#(exclusion)]"#, "No", "the policy is assigned to no group"),
      (
        #""isAssigned": false, "assignments": [\#(group)]"#, "No, although a group is listed",
        "it is false, and assignments lists a group, so that one of the two is wrong"
      ),
    ] {
      let policy = try Samples.policy(Samples.text(members)).policy
      expectEqual(setting.words(policy), words)
      expectEqual(PolicyLint.findings(in: policy).filter { $0.rule == .notAssigned }.map(\.message), [reason])
    }
  }

  @Test("Order, repetition, forms of absence and a version's zeros make no difference")
  func same() throws {
    let rows: [(String, String, Bool)] = [
      (
        #""allowedDataStorageLocations": ["box", "sharePoint"]"#,
        #""allowedDataStorageLocations": ["sharePoint", "box"]"#, true
      ),
      (#""allowedDataStorageLocations": ["box"]"#, #""allowedDataStorageLocations": ["sharePoint"]"#, false),
      (#""managedUniversalLinks": ["a", "b", "a"]"#, #""managedUniversalLinks": ["b", "a"]"#, true),
      (#""managedUniversalLinks": []"#, #""managedUniversalLinks": null"#, true), (#""apps": []"#, "", true),
      (
        #""apps": [{"id": "1"}, {"id": "2"}]"#, #""apps": [{"id": "2"}, {"id": "1"}]"#, true
      ),
      (
        #""exemptedAppProtocols": [{"name": "A", "value": "a;b;"}, {"name": "B", "value": "c"}]"#,
        #""exemptedAppProtocols": [{"name": "B", "value": "c"}, {"name": "A", "value": "b;a"}]"#, true
      ),
      (#""exemptedAppProtocols": [{"name": "A", "value": "a"}]"#, #""exemptedAppProtocols": []"#, false),
      (#""allowedIosDeviceModels": "iPhone1,1;iPad2,2""#, #""allowedIosDeviceModels": "iPad2,2; iPhone1,1""#, true),
      (#""minimumRequiredOsVersion": "15""#, #""minimumRequiredOsVersion": "15.0""#, true),
      (#""minimumRequiredOsVersion": "0.0""#, #""minimumRequiredOsVersion": null"#, true),
      (#""minimumRequiredOsVersion": "15.0 (a)""#, #""minimumRequiredOsVersion": "15""#, false),
      (#""minimumRequiredOsVersion": "15.1""#, #""minimumRequiredOsVersion": "15.0.1""#, false),
      (#""version": "15""#, #""version": "15.0""#, false), (#""customBrowserProtocol": """#, "", true),
      (
        #""assignments": [{"target": {"groupId": "a"}}, {"target": {"groupId": "b"}}]"#,
        #""assignments": [{"target": {"groupId": "b"}}, {"target": {"groupId": "a"}}]"#, true
      ),
      (#""pinRequired": false"#, "", false),
    ]
    for (one, other, isSame) in rows {
      let policies = try [one, other].map { try Samples.policy(Samples.text($0)).policy }
      let differing = PolicyProperty.all.filter { !$0.isSame(in: policies[0], as: policies[1]) }
      expectEqual(differing.isEmpty, isSame, "\(one) and \(other)")
    }
    let members: [(String, String?, Bool)] = [
      ("[]", nil, true), ("null", nil, true), ("15", "15.0", true), ("{\"a\":1,\"b\":2}", "{\"b\":2.0,\"a\":1}", true),
      ("[1,2]", "[2,1]", false), ("15", "15.5", false), ("true", nil, false),
    ]
    for (one, other, isSame) in members {
      expectEqual(KeptMember.isSame(KeptMember("x", json: one), as: other.map { KeptMember("x", json: $0) }), isSame)
    }
    let models = ["[\"a\",\"b\"]", "[\"b\",\"a\"]"].map { KeptMember("allowedAndroidDeviceModels", json: $0) }
    #expect(KeptMember.isSame(models[0], as: models[1]))
  }

  @Test("A member that Graph documents on any platform is shown in a policy for each")
  func documentedAnywhere() throws {
    let members = """
      "minimumPinLength": 4, "maximumPinRetries": 5, "pinCharacterSet": "numeric", "periodBeforePinReset": "P0D",
      "dialerRestrictionLevel": "allApps", "managedBrowser": "notConfigured",
      "exemptedAppProtocols": [{"name": "Default", "value": "skype"}], "previousPinBlockCount": 3,
      "pinRequiredInsteadOfBiometricTimeout": "PT30M", "appActionIfMaximumPinRetriesExceeded": "block"
      """
    let text = "{\"@odata.type\": \"#microsoft.graph.windowsManagedAppProtection\", \(members)}"
    let policy = try PolicyFile.read(Array(text.utf8)).policies[0].policy
    let values = policy.keptMembers.filter { !$0.name.hasPrefix("@") }.map(PortalValue.init)
    #expect(values.count == 10 && values.allSatisfy { !$0.isPrivate && $0.words != "(secret)" }, "\(values)")
    // What it documents is no excuse for another value.
    for member in [
      KeptMember("minimumPinLength", json: "\"hunter2\""), KeptMember("pinCode", json: "1234"),
      KeptMember("pinCharacterSet", json: "\"hunter2\""),
    ] {
      expectEqual(PortalValue(member).words, "(secret)", "\(member)")
    }
  }
}
