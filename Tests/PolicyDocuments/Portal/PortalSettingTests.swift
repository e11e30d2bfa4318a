import AppProtection
import Testing

@testable import PolicyDocuments

@Suite("Policies in the portal's words")
struct PortalSettingTests {
  @Test("Every property is shown by exactly one setting, and titles do not repeat")
  func coverage() {
    let shown = PortalSetting.all.flatMap(\.names)
    #expect(shown.sorted() == PolicyProperty.all.map(\.name).sorted())
    #expect(Set(PortalSetting.all.map(\.title)).count == PortalSetting.all.count)
    #expect(PortalSetting.all.allSatisfy { $0.properties.count == $0.names.count })
    let groups = PortalSetting.all.map(\.group)
    #expect(PortalSetting.Group.allCases.filter { groups.contains($0) }.count == PortalSetting.Group.allCases.count)
  }

  @Test("A document in which nothing is set has no words, and neither has one of nulls and empty texts")
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
      #expect(setting.words(policy) == row.words, "\(row.members)")
    }
  }

  @Test("Every choice of an enumeration has words of its own")
  func everyChoice() throws {
    for property in PolicyProperty.all {
      guard case .choice(let names) = property.kind, let setting = PortalSetting.showing(property.name),
        setting.names.count == 1
      else { continue }
      let words = names.members.compactMap { member -> String? in
        var policy = PolicyDocument()
        policy[property] = .value(.choice(member.number))
        return setting.words(policy)
      }
      #expect(Set(words).count == names.members.count, "\(property.name): \(words)")
    }
  }
}
