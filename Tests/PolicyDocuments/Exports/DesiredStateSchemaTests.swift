import AppProtection
import Expectations
import JSON
import PlainText
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

/// Each member in the form in which the code of Microsoft365DSC writes it, of its first and its latest modules.
@Suite("Resources of Microsoft365DSC")
struct DesiredStateSchemaTests {
  private static func read(_ resource: String, _ properties: String) throws -> PolicyFile {
    let text = """
      Configuration M365TenantConfig
      {
          Node localhost
          {
              \(resource) "\(resource)-A"
              {
                  DisplayName = "A"; Ensure = "Present";
                  \(properties)
              }
          }
      }
      """
    return try PolicyFile.read(Array(text.utf8), name: "M365TenantConfig.ps1")
  }

  private static func policy(_ resource: String, _ properties: String) throws -> PolicyFile.Item {
    let file = try read(resource, properties)
    let item = try #require(file.policies.first, "\(file.refusals)")
    expectEqual(item.findings.filter { PolicyRule.exports.contains($0.rule) }.map(\.description), [], "\(properties)")
    #expect(item.lost.isEmpty && item.isPartial)
    return item
  }

  private static let ios: [(String, String, JSONValue?)] = [
    ("periodOfflineBeforeAccessCheck", #""12:00:00""#, "PT12H"),
    ("periodOfflineBeforeAccessCheck", #""PT12H""#, "PT12H"),
    ("periodOnlineBeforeAccessCheck", #""00:30:00""#, "PT30M"),
    ("periodOfflineBeforeWipeIsEnforced", #""90.00:00:00""#, "P90D"),
    ("periodBeforePinReset", #""1.02:03:00""#, "P1DT2H3M"),
    ("pinRequiredInsteadOfBiometricTimeout", #""00:00:00""#, "PT0S"),
    ("gracePeriodToBlockAppsDuringOffClockHours", #""PT15M""#, "PT15M"),
    ("targetedAppManagementLevels", #"@("unmanaged","mdm")"#, "unmanaged,mdm"),
    ("targetedAppManagementLevels", #"@("unmanaged"," mdm")"#, "unmanaged,mdm"),
    ("targetedAppManagementLevels", #"@("unspecified")"#, "unspecified"), ("targetedAppManagementLevels", "@()", nil),
    ("allowedIosDeviceModels", #"@("iPhone12,1;iPhone12,3")"#, "iPhone12,1;iPhone12,3"),
    ("allowedIosDeviceModels", #"@("iPhone12,1","iPhone12,3")"#, "iPhone12,1;iPhone12,3"),
    ("allowedIosDeviceModels", "@()", .null), ("allowedIosDeviceModels", #""iPhone12,1""#, "iPhone12,1"),
    (
      "exemptedAppProtocols", #"@("Default:skype;app-settings;calshow")"#,
      [["name": "Default", "value": "skype;app-settings;calshow"]]
    ),
    ("exemptedAppProtocols", #"@("Maps:maps", ":")"#, [["name": "Maps", "value": "maps"]]),
    ("exemptedAppProtocols", "@()", []),
    ("allowedDataStorageLocations", #"@("oneDriveForBusiness","sharePoint")"#, ["oneDriveForBusiness", "sharePoint"]),
    ("managedBrowser", #""microsoftEdge""#, "microsoftEdge"), ("managedBrowser", #""""#, nil),
    ("pinCharacterSet", #""""#, nil), ("pinRequired", "$True", true), ("saveAsBlocked", "$False", false),
    ("maximumPinRetries", "5", 5), ("customBrowserProtocol", #""""#, ""),
    ("notificationRestriction", #""block""#, "block"),
    ("exemptedUniversalLinks", #"@("http://maps.apple.com")"#, ["http://maps.apple.com"]),
    ("allowWidgetContentSync", "$True", true), ("roleScopeTagIds", #"@("Default")"#, ["Default"]),
    ("thirdPartyKeyboardsBlocked", "$True", true), ("appActionIfDeviceComplianceRequired", #""block""#, "block"),
    ("minimumRequiredOsVersion", #""16.0""#, "16.0"), ("previousPinBlockCount", "3", 3),
  ]

  private static let android: [(String, String, JSONValue?)] = [
    ("periodOfflineBeforeAccessCheck", #""1.00:00:00""#, "P1D"),
    (
      "exemptedAppPackages", #"@("com.example.maps|Maps: the app")"#,
      [["name": "com.example.maps", "value": "Maps: the app"]]
    ),
    (
      "approvedKeyboards", #"@("com.example.keys|Keys","com.example.more|More")"#,
      [["name": "com.example.keys", "value": "Keys"], ["name": "com.example.more", "value": "More"]]
    ),
    ("allowedAndroidDeviceModels", #"@("SM-A1","SM-A2")"#, ["SM-A1", "SM-A2"]),
    ("allowedAndroidDeviceManufacturers", #""Samsung;Google""#, "Samsung;Google"),
    ("targetedAppManagementLevels", #""androidEnterprise,mdm""#, "androidEnterprise,mdm"),
    ("requiredAndroidSafetyNetDeviceAttestationType", #""basicIntegrity""#, "basicIntegrity"),
    ("blockAfterCompanyPortalUpdateDeferralInDays", "30", 30), ("encryptAppData", "$True", true),
    ("keyboardsRestricted", "$True", true), ("appActionIfDeviceLockNotSet", #""""#, nil),
    ("minimumRequiredPatchVersion", #""2026-01-05""#, "2026-01-05"),
  ]

  private static let windows: [(String, String, JSONValue?)] = [
    ("allowedOutboundClipboardSharingLevel", #""anyDestinationAnySource""#, "anyDestinationAnySource"),
    ("allowedInboundDataTransferSources", #""allApps""#, "allApps"), ("printBlocked", "$False", false),
    ("periodOfflineBeforeAccessCheck", #""12:00:00""#, "PT12H"), ("maximumAllowedDeviceThreatLevel", #""low""#, "low"),
    ("minimumRequiredOsVersion", #""10.0.22631""#, "10.0.22631"),
  ]

  @Test("Every member is read as the resource's code writes it, without a finding")
  func members() throws {
    for (platform, resource, rows) in [
      (PolicyPlatform.ios, "IntuneAppProtectionPolicyiOS", Self.ios),
      (.android, "IntuneAppProtectionPolicyAndroid", Self.android),
      (.windows, "IntuneAppProtectionPolicyWindows10", Self.windows),
    ] {
      for (name, value, wanted) in rows {
        let item = try Self.policy(resource, "\(name.prefix(1).uppercased())\(name.dropFirst()) = \(value);")
        #expect(item.policy.kind.platform == platform)
        guard let property = platform.property(named: name) else { continue }
        let found = item.policy.graphJSON().object?[name]
        expectEqual(found, wanted, "\(name) = \(value)")
        #expect((item.policy[property] == .absent) == (wanted == nil), "\(name) = \(value)")
      }
    }
  }

  @Test("Apps and assignments are read in the forms of both")
  func targets() throws {
    let old = try Self.policy(
      "IntuneAppProtectionPolicyiOS",
      #"Apps = @("com.example.a"); Assignments = @("g1"); ExcludedGroups = @("g2"); Identity = "T_1""#)
    #expect(old.listsGroupsAlone && old.policy.targeting.apps?.map(\.bundleID) == ["com.example.a"])
    expectEqual(old.policy.about.id, "T_1")
    let new = try Self.policy(
      "IntuneAppProtectionPolicyAndroid",
      """
      Id = "T_2"; AppGroupType = "allApps"; Apps = @(); Assignments = @(
        MSFT_DeviceManagementConfigurationPolicyAssignments{
          groupDisplayName = 'All users'
          dataType = '#microsoft.graph.allLicensedUsersAssignmentTarget'
          deviceAndAppManagementAssignmentFilterType = 'include'
          deviceAndAppManagementAssignmentFilterId = 'f1'
          deviceAndAppManagementAssignmentFilterDisplayName = 'Pixel'
        }
        MSFT_DeviceManagementConfigurationPolicyAssignments{
          groupId = 'g2'
          groupDisplayName = 'Sales'
          dataType = '#microsoft.graph.exclusionGroupAssignmentTarget'
          deviceAndAppManagementAssignmentFilterType = 'none'
        }
        MSFT_DeviceManagementConfigurationPolicyAssignments{
          groupDisplayName = 'Field'
          dataType = '#microsoft.graph.groupAssignmentTarget'
          deviceAndAppManagementAssignmentFilterType = 'exclude'
          deviceAndAppManagementAssignmentFilterDisplayName = 'Old'
        }
      );
      """)
    let assignments = try #require(new.policy.targeting.assignments)
    #expect(!new.listsGroupsAlone && new.policy.about.id == "T_2")
    expectEqual(assignments.map(\.groupID), [nil, "g2", "Field"])
    expectEqual(assignments.map(\.filterID), ["f1", nil, "Old"])
    expectEqual(assignments.map(\.isInclusion), [true, false, true])
    let windows = try Self.policy("IntuneAppProtectionPolicyWindows10", #"Apps = @("com.microsoft.edge")"#)
    expectEqual(windows.policy.targeting.apps?.map(\.bundleID), ["com.microsoft.edge"])
  }

  @Test("App configurations are read, with their apps, payloads and permissions")
  func configurations() throws {
    func configuration(_ resource: String, _ properties: String) throws -> AppConfigurationDocument {
      let file = try Self.read(resource, properties)
      expectEqual(file.configurationFindings.filter { PolicyRule.exports.contains($0.rule) }.map(\.description), [])
      guard case .appConfiguration(let found)? = file.others.first else {
        throw PolicyDocumentError(.unknownType, at: .none, path: JSONPath(), message: "\(file.refusals)", remedy: "")
      }
      return found
    }
    let managed = try configuration(
      "IntuneAppConfigurationPolicy",
      """
      CustomSettings = @(
        MSFT_IntuneAppConfigurationPolicyCustomSetting{ name = 'a'
          value = 'b' }
      );
      AppGroupType = "selectedPublicApps"; TargetedAppManagementLevels = "";
      Apps = @(MSFT_managedMobileApp{
        id = 'com.example.a.android'
        mobileAppIdentifier = MSFT_mobileAppIdentifier{
          packageId = 'com.example.a'
        }
      });
      """)
    #expect(managed.channel == .managedApps && managed.settings.map(\.value) == ["b"])
    #expect(managed.apps == ["com.example.a"] && managed.targetedAppManagementLevels == nil)
    expectEqual(managed.appGroupType, .selectedPublicApps)
    let ios = try configuration(
      "IntuneAppConfigurationDevicePolicy",
      """
      Settings = @(MSFT_MicrosoftGraphAppConfigurationSettingItem{
        AppConfigKey = 'k'
        AppConfigKeyType = 'integerType'
        AppConfigKeyValue = '1'
      }); TargetedMobileApps = @("com.example.a"); Id = "1"
      """)
    #expect(ios.platform == .ios && ios.settings.map(\.type) == ["integerType"] && ios.apps == ["com.example.a"])
    let payload = #"{"kind":"androidenterprise#managedConfiguration","managedProperty":[{"key":"k","valueBool":true}]}"#
    let base64 = Base64.text(Array(payload.utf8))
    for text in [payload, base64] {
      let android = try configuration(
        "IntuneAppConfigurationDevicePolicy",
        """
        PackageId = "app:com.example.a"; PayloadJson = '\(text)'; ProfileApplicability = "default";
        PermissionActions = @(MSFT_MicrosoftGraphAndroidPermissionAction{
          Action = 'prompt'
          Permission = 'android.permission.CAMERA'
        })
        """)
      #expect(android.platform == .android && android.settings.map(\.value) == ["true"] && android.problems.isEmpty)
      expectEqual(android.permissions, [PolicyPair("android.permission.CAMERA", "prompt")])
    }
    #expect(
      try configuration("IntuneAppConfigurationDevicePolicy", "ConnectedAppsEnabled = $True").platform == .android)
  }

  @Test("What a module cannot hold is unknown")
  func modules() throws {
    let all = """
      Assignments = @(MSFT_DeviceManagementConfigurationPolicyAssignments{
        dataType = '#microsoft.graph.allLicensedUsersAssignmentTarget'
      });
      """
    let question = PolicyTargeting.Question(
      app: "com.example.a", user: ["ada"], groups: GroupMemberships(), filters: [], device: FilterFacts())
    let rows: [(properties: String, outcome: Truth)] = [
      // Which apps a list is for, and which devices, the first module does not say.
      ("Apps = @(\"com.example.b\"); \(all)", .unknown), ("Apps = @(\"com.example.a\"); \(all)", .unknown),
      ("AppGroupType = 'selectedPublicApps'; Apps = @(\"com.example.b\"); \(all)", .no),
      ("TargetedAppManagementLevels = @('unspecified'); Apps = @(\"com.example.a\"); \(all)", .yes),
      ("TargetedAppManagementLevels = @('unspecified'); Apps = @(\"com.example.a\"); Assignments = @()", .unknown),
      ("TargetedAppManagementLevels = @('unspecified'); Apps = @(\"com.example.a\"); Assignments = @('g1')", .unknown),
    ]
    for (properties, outcome) in rows {
      let item = try Self.policy("IntuneAppProtectionPolicyiOS", properties)
      let targeting = PolicyTargeting(
        of: item.policy, lacking: item.lost, isPartial: item.isPartial, listsGroupsAlone: item.listsGroupsAlone,
        for: question)
      expectEqual(targeting.outcome, outcome, "\(properties): \(targeting.reasons)")
    }
  }
}
