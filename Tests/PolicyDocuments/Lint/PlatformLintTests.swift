import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Lint of policies for Android and Windows")
struct PlatformLintTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let platform: PolicyPlatform
    let rule: PolicyRule
    let members: String
    /// The finding, without file and place.
    let expected: String
    var testDescription: String { "\(rule): \(members)" }

    static func android(_ rule: PolicyRule, _ members: String, _ expected: String) -> Case {
      Case(platform: .android, rule: rule, members: members, expected: expected)
    }

    static func windows(_ rule: PolicyRule, _ members: String, _ expected: String) -> Case {
      Case(platform: .windows, rule: rule, members: members, expected: expected)
    }
  }

  static let cases: [Case] = [
    .android(
      .invalidPackage, #""exemptedAppPackages": [{"name": "Maps", "value": "https://x"}]"#,
      "exemptedAppPackages: \"https://x\" is not a package id; write the id of the app, such as com.contoso.app"),
    .android(
      .invalidPackage, #""exemptedAppPackages": [{"name": "Maps", "value": "com.a;com.b"}]"#,
      "exemptedAppPackages: \"com.a;com.b\" is several package ids, taken for one; write each into an entry of its own"),
    .android(
      .invalidPackage, #""customBrowserPackageId": "https://browser", "managedBrowserToOpenLinksRequired": true"#,
      "customBrowserPackageId: \"https://browser\" is not a package id; write the id of the app, such as com.contoso.app"
    ),
    .android(
      .invalidPackage, #""keyboardsRestricted": true, "approvedKeyboards": [{"name": "Gboard", "value": "Gboard"}]"#,
      "approvedKeyboards: \"Gboard\" is not a package id; write the id of the app, such as com.contoso.app"),
    .android(
      .modelSeparator, #""allowedAndroidDeviceManufacturers": "Samsung, Google""#,
      "allowedAndroidDeviceManufacturers: \"Samsung, Google\" is compared as one manufacturer, because semicolons separate them, so that every device is refused; write a semicolon between two, such as Samsung;Google"
    ),
    .android(
      .modelSeparator, #""allowedAndroidDeviceModels": ["SM-A1,SM-A2"]"#,
      "allowedAndroidDeviceModels: \"SM-A1,SM-A2\" is compared as one model; write each model as an element of its own"),
    .android(
      .modelName, #""allowedAndroidDeviceModels": ["Pixel 7", "Galaxy A54"]"#,
      "allowedAndroidDeviceModels: \"Galaxy A54\": no device reports this as its model; write the model number, such as SM-S911B"
    ),
    .android(
      .noApprovedKeyboard, #""keyboardsRestricted": true, "approvedKeyboards": []"#,
      "keyboardsRestricted: only approved keyboards may be used, and approvedKeyboards has none; list the keyboards to approve, or set it to false"
    ),
    .android(
      .keyboardsWithoutEffect, #""keyboardsRestricted": false, "approvedKeyboards": [{"name": "com.a", "value": "A"}]"#,
      "approvedKeyboards: keyboardsRestricted is not true, so that the list has no effect; set keyboardsRestricted to true, or empty the list"
    ),
    .android(
      .conflictingBiometrics, #""fingerprintAndBiometricEnabled": true, "biometricAuthenticationBlocked": true"#,
      "fingerprintAndBiometricEnabled: it is true, and so is biometricAuthenticationBlocked; remove it: fingerprintBlocked and biometricAuthenticationBlocked say the same"
    ),
    .android(
      .conflictingBiometrics, #""fingerprintAndBiometricEnabled": false, "fingerprintBlocked": false"#,
      "fingerprintAndBiometricEnabled: it is false, and so is fingerprintBlocked; remove it: fingerprintBlocked and biometricAuthenticationBlocked say the same"
    ),
    .android(
      .invalidPatchLevel, #""minimumRequiredPatchVersion": "2026-13-05""#,
      "minimumRequiredPatchVersion: \"2026-13-05\" is not a patch level; write a date such as 2026-01-05"
    ),
    .android(
      .invalidPatchLevel, #""minimumWipePatchVersion": "05.01.2026""#,
      "minimumWipePatchVersion: \"05.01.2026\" is not a patch level; write a date such as 2026-01-05"
    ),
    .android(
      .warningNeverShows, #""minimumWarningPatchVersion": "2025-01-05", "minimumRequiredPatchVersion": "2026-01-05""#,
      "minimumWarningPatchVersion: the warning at 2025-01-05 never shows, because minimumRequiredPatchVersion is 2026-01-05; set it above 2026-01-05, or remove it"
    ),
    .android(
      .blockNeverShows,
      #""minimumRequiredCompanyPortalVersion": "5.0", "minimumWipeCompanyPortalVersion": "5.1""#,
      "minimumRequiredCompanyPortalVersion: access is never blocked at 5.0, because minimumWipeCompanyPortalVersion removes data at 5.1; set it above 5.1, or remove one of the two"
    ),
    .android(
      .evaluationWithoutVerdict,
      #""requiredAndroidSafetyNetEvaluationType": "hardwareBacked", "requiredAndroidSafetyNetDeviceAttestationType": "none""#,
      "requiredAndroidSafetyNetEvaluationType: requiredAndroidSafetyNetDeviceAttestationType asks for no integrity, so that the evaluation has no effect; set requiredAndroidSafetyNetDeviceAttestationType, or set it to basic"
    ),
    .android(
      .deferralTooLong, #""warnAfterCompanyPortalUpdateDeferralInDays": 366"#,
      "warnAfterCompanyPortalUpdateDeferralInDays: 366 is outside 0 to 365; write a number from 0 to 365"
    ),
    .android(
      .knoxOnOtherDevices, #""appActionIfSamsungKnoxAttestationRequired": "wipe""#,
      "appActionIfSamsungKnoxAttestationRequired: every device of another manufacturer fails it: data is removed; set it to blockWhenSettingIsSupported, or assign the policy with a filter for Samsung"
    ),
    .android(
      .actionNotOffered, #""appActionIfAndroidSafetyNetAppsVerificationFailed": "wipe""#,
      "appActionIfAndroidSafetyNetAppsVerificationFailed: wipe is not an action for this condition; write block or warn"
    ),
    .android(
      .browserNotRequired,
      #""managedBrowserToOpenLinksRequired": false, "customBrowserPackageId": "org.mozilla.firefox""#,
      "customBrowserPackageId: a browser is named, and managedBrowserToOpenLinksRequired is not true; set managedBrowserToOpenLinksRequired to true, or name no browser"
    ),
    .android(
      .browserNotNamed, #""managedBrowserToOpenLinksRequired": true, "managedBrowser": "notConfigured""#,
      "managedBrowserToOpenLinksRequired: a browser is required, and neither managedBrowser nor customBrowserPackageId names one; set managedBrowser to microsoftEdge, or customBrowserPackageId to the package of another browser"
    ),
    .android(
      .twoBrowsers,
      #""managedBrowserToOpenLinksRequired": true, "managedBrowser": "microsoftEdge", "customBrowserPackageId": "org.mozilla.firefox""#,
      "customBrowserPackageId: managedBrowser names a protected browser, and this another one; keep one of the two"
    ),
    .android(
      .missingScheme, #""dialerRestrictionLevel": "customApp", "customDialerAppPackageId": """#,
      "dialerRestrictionLevel: it prescribes an app, and customDialerAppPackageId does not say which; set customDialerAppPackageId"
    ),
    .android(
      .schemeWithoutEffect,
      #""protectedMessagingRedirectAppType": "anyApp", "messagingRedirectAppPackageId": "com.a.messages""#,
      "messagingRedirectAppPackageId: protectedMessagingRedirectAppType is not specificApps, so that the package has no effect; remove it, or set protectedMessagingRedirectAppType to specificApps"
    ),
    .android(
      .biometricTimeoutWithoutBiometrics,
      #""pinRequired": true, "pinRequiredInsteadOfBiometricTimeout": "PT30M", "biometricAuthenticationBlocked": true"#,
      "pinRequiredInsteadOfBiometricTimeout: biometrics are blocked, so that the timeout has no effect; remove it"
    ),
    .android(
      .otherPlatform, #""faceIdBlocked": true"#,
      "faceIdBlocked: an iOS setting, without effect here; remove it, or set it in a policy for that platform"
    ),
    .android(
      .unknownMember, #""keyboardRestricted": false"#,
      "keyboardRestricted: nothing is known by this name; write keyboardsRestricted, if that is meant"
    ),
    .android(
      .foreignApp,
      ##""apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "com.a"}}]"##,
      "apps: element 0 is an app for iOS, which a policy for Android never reaches; remove it, or write the package id of the app for Android"
    ),
    .android(
      .foreignApp, #""apps": [{"mobileAppIdentifier": {"packageId": "com.a-b"}}]"#,
      "apps: element 0, \"com.a-b\", is not a package id; write letters, digits, underscores and periods, such as com.contoso.app"
    ),
    .android(
      .placeholder, #""customDialerAppPackageId": "replace_with_package", "dialerRestrictionLevel": "customApp""#,
      "customDialerAppPackageId: \"replace_with_package\" was left in from a template; write a value, or remove it"
    ),
    .android(
      .unknownValue, #""requiredAndroidSafetyNetEvaluationType": "strong""#,
      "requiredAndroidSafetyNetEvaluationType: it has a value that is not known, which decisions take for the strictest; write basic"
    ),
    .windows(
      .winverVersion, #""minimumRequiredOsVersion": "22631.3155""#,
      "minimumRequiredOsVersion: \"22631.3155\" is the build alone, so that no device has this version; write 10.0.22631.3155"
    ),
    .windows(
      .shortOfflineGrace, #""periodOfflineBeforeAccessCheck": "PT0S""#,
      "periodOfflineBeforeAccessCheck: with PT0S, access is blocked as soon as the device is offline; set it to PT30M or more"
    ),
    .windows(
      .unknownValue, #""allowedOutboundDataTransferDestinations": "managedApps""#,
      "allowedOutboundDataTransferDestinations: it has a value that is not known, which decisions take for the strictest; write allApps or none"
    ),
    .windows(
      .actionNotOffered, #""mobileThreatDefenseRemediationAction": "warn""#,
      "mobileThreatDefenseRemediationAction: warn is not an action for this condition; write block or wipe"
    ),
    .windows(
      .otherPlatform, #""encryptAppData": true"#,
      "encryptAppData: an Android setting, without effect here; remove it, or set it in a policy for that platform"
    ),
    .windows(
      .foreignApp, #""apps": [{"mobileAppIdentifier": {"windowsAppId": "Microsoft Edge"}}]"#,
      "apps: element 0, \"Microsoft Edge\", is not a Windows app id; write letters, digits, hyphens, underscores and periods, such as com.microsoft.edge"
    ),
  ]

  @Test("A policy with one mistake has one finding, with its place", arguments: cases)
  func finds(_ mistake: Case) throws {
    let findings = try PlatformSamples.item(mistake.platform, mistake.members).findings
    expectEqual(findings.map(\.rule), [mistake.rule])
    let finding = try #require(findings.first)
    #expect(finding.place != nil)
    expectEqual("\(finding.setting): \(finding.message); \(finding.remedy)", mistake.expected)
    #expect(!finding.source.contains("iOS") && !finding.source.contains("G ios") || finding.rule == .foreignApp)
  }

  @Test(
    "Correct settings, and those of which another platform has rules, cause no finding",
    arguments: [
      (
        .android,
        #""keyboardsRestricted": true, "approvedKeyboards": [{"name": "com.a", "value": "A"}], "minimumRequiredPatchVersion": "0000-00-00""#
      ),
      (
        .android,
        #""minimumRequiredOsVersion": "11.0", "maximumRequiredOsVersion": "11.0", "minimumWipePatchVersion": """#
      ),
      (.android, #""minimumWarningPatchVersion": "2026-02-05", "minimumRequiredPatchVersion": "2026-01-05""#),
      (
        .android,
        #""requiredAndroidSafetyNetEvaluationType": "basic", "blockAfterCompanyPortalUpdateDeferralInDays": 365"#
      ),
      (.android, #""appActionIfSamsungKnoxAttestationRequired": "blockWhenSettingIsSupported""#),
      (
        .android,
        #""appActionIfSamsungKnoxAttestationRequired": "block", "assignments": [{"target": {"groupId": "g", "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "include"}}]"#
      ),
      (.android, #""fingerprintAndBiometricEnabled": true, "biometricAuthenticationBlocked": false"#),
      (.android, #""apps": [{"id": "com.a.android", "mobileAppIdentifier": {"packageId": "com.a_b"}}]"#),
      (.windows, #""minimumRequiredOsVersion": "10.0.22631.3155", "minimumRequiredAppVersion": "120.0""#),
      (.windows, #""allowedOutboundDataTransferDestinations": "none", "periodOfflineBeforeWipeIsEnforced": "PT0S""#),
      (.windows, #""apps": [{"mobileAppIdentifier": {"windowsAppId": "Microsoft.Office.Outlook_8wekyb3d8bbwe"}}]"#),
    ] as [(PolicyPlatform, String)])
  func silence(platform: PolicyPlatform, members: String) throws {
    try expectEqual(PlatformSamples.item(platform, members).findings.map(\.description), [])
  }

  @Test("The real policies for Android", arguments: try PlatformSamples.androidNames())
  func real(name: String) throws {
    let file = try PolicyFile.read(try Samples.bytes(name), name: name)
    let rules = try #require(file.policies.first).findings.map(\.rule)
    let expected: [String: [PolicyRule]] = [
      "level-1": [.simplePIN, .notAssigned], "level-2": [.simplePIN, .biometricTimeoutWithoutBiometrics, .notAssigned],
      "level-3": [.notAssigned],
    ]
    expectEqual(rules, expected.first { name.contains($0.key) }?.value)
  }

  @Test("Settings of Android that were copied into a policy for iOS are named, and not judged")
  func copied() throws {
    let findings = try PlatformSamples.item(.ios, #""keyboardsRestricted": true, "customBrowserPackageId": "a.b""#)
      .findings
    expectEqual(
      findings.map(\.description),
      [
        "line 1, column 90: customBrowserPackageId: an Android setting, without effect here; so is keyboardsRestricted; remove it, or set it in a policy for that platform"
      ])
  }
}
