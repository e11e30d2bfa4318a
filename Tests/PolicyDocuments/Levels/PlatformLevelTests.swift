import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Levels of policies for Android and Windows")
struct PlatformLevelTests {
  private static let templates: [(name: String, level: FrameworkLevel)] = [
    ("icf_2021-10-05_5767671_level-2-enterprise-enhanced-data-protection-Android.json", .enhanced),
    ("icf_2021-10-05_34eec8e_level-3-enterprise-high-data-protection-Android.json", .high),
  ]

  /// Level 1 of the last templates for Android, version 1.7, as far as it names values.
  private static let basic =
    #""pinRequired": true, "minimumPinLength": 4, "pinCharacterSet": "numeric", "maximumPinRetries": 5, "#
    + #""appActionIfMaximumPinRetriesExceeded": "block", "pinRequiredInsteadOfBiometricTimeout": "PT12H", "#
    + #""encryptAppData": true, "disableAppEncryptionIfDeviceEncryptionIsEnabled": false, "#
    + #""disableAppPinIfDevicePinIsSet": false, "periodOnlineBeforeAccessCheck": "PT30M", "#
    + #""periodOfflineBeforeAccessCheck": "PT12H", "periodOfflineBeforeWipeIsEnforced": "P90D", "#
    + #""deviceComplianceRequired": true, "appActionIfDeviceComplianceRequired": "block", "#
    + #""requiredAndroidSafetyNetDeviceAttestationType": "basicIntegrityAndDeviceCertification", "#
    + #""appActionIfAndroidSafetyNetDeviceAttestationFailed": "block", "#
    + #""requiredAndroidSafetyNetAppsVerificationType": "enabled", "#
    + #""appActionIfAndroidSafetyNetAppsVerificationFailed": "block", "#
    + #""deviceLockRequired": true, "appActionIfDeviceLockNotSet": "block""#

  private static func missing(
    _ platform: PolicyPlatform, _ members: String, at level: FrameworkLevel,
    _ date: String = FrameworkRevision.newest.date
  ) throws -> [String] {
    let revision = try #require(FrameworkRevision.dated(date))
    let policy = try PlatformSamples.policy(platform, members)
    return LevelAssessment(of: policy, against: revision).missing(at: level).map(\.row.id)
  }

  @Test("Names are unique; every value is one that its property holds, has words, and begins with a revision")
  func tables() {
    for platform in PolicyPlatform.allCases {
      let rows = FrameworkRow.all(on: platform)
      expectEqual(Set(rows.map(\.id)).count, rows.count)
      for row in rows {
        #expect(row.setting != nil && row.properties.allSatisfy(platform.has), "\(row.id)")
        for demand in row.demands where !demand.values.isEmpty {
          #expect(demand.since >= .first(on: platform) && demand.policy.kind == platform.kind)
          #expect(demand.values.allSatisfy { !$0.isUnset(in: demand.policy) }, "\(row.id)")
          #expect(row.words(of: demand) != "Not configured", "\(row.id)")
        }
        for (one, other) in zip(row.demands, row.demands.dropFirst()) {
          #expect(one.level < other.level || (one.level == other.level && one.since < other.since), "\(row.id)")
        }
      }
    }
  }

  @Test("The table has the values of the last templates for Android, but for the one that blocks biometrics")
  func templateValues() throws {
    for template in Self.templates {
      let policy = try PlatformSamples.policy(named: template.name)
      for row in FrameworkRow.all(on: .android) {
        guard let demand = row.demand(of: template.level, in: .first(on: .android)) else { continue }
        for property in demand.values {
          let isSlip = property == .biometricAuthenticationBlocked && template.level == .enhanced
          #expect(property.isSame(in: demand.policy, as: policy) != isSlip, "\(row.id): \(property.name)")
        }
      }
    }
    for row in FrameworkRow.all(on: .android) {
      guard let demand = row.demand(of: .basic, in: .first(on: .android)), !demand.acceptsAll else { continue }
      let policy = try PlatformSamples.policy(.android, Self.basic)
      for property in demand.values { #expect(property.isSame(in: demand.policy, as: policy), "\(property.name)") }
    }
  }

  @Test("A template for Android meets its own level at its date, and no higher one")
  func ownLevel() throws {
    for template in Self.templates {
      let assessment = LevelAssessment(
        of: try PlatformSamples.policy(named: template.name), against: .first(on: .android))
      #expect(assessment.isCovered && assessment.level == template.level)
    }
    try expectEqual(Self.missing(.android, Self.basic, at: .basic, "2021-10-05"), [])
    #expect(try !Self.missing(.android, Self.basic, at: .enhanced, "2021-10-05").isEmpty)
  }

  @Test("Today, the last templates for Android lack only what the documentation has changed since")
  func newest() throws {
    let lacking: [[String]] = [
      ["offlineWipe", "patchLevel", "mediumComplexity", "knox"],
      [
        "class3Biometrics", "biometricChange", "offlineWipe", "patchLevel", "mediumComplexity", "highComplexity",
        "knox",
      ],
    ]
    for (template, expected) in zip(Self.templates, lacking) {
      let assessment = LevelAssessment(of: try PlatformSamples.policy(named: template.name))
      expectEqual(assessment.missing(at: template.level).map(\.row.id), expected)
      expectEqual(assessment.level, .basic)
    }
  }

  @Test("A revision from before a platform's first one covers no policy for it")
  func notCovered() throws {
    let first = try #require(FrameworkRevision.all.first)
    for platform in PolicyPlatform.allCases {
      let assessment = LevelAssessment(of: try PlatformSamples.policy(platform), against: first)
      #expect(assessment.isCovered == (platform == .ios) && assessment.level == nil)
      #expect(assessment.missing(at: .basic).isEmpty != (platform == .ios))
    }
  }

  @Test("A policy without settings meets no level")
  func empty() throws {
    for platform in PolicyPlatform.allCases {
      #expect(LevelAssessment(of: try PlatformSamples.policy(platform)).level == nil)
    }
  }

  @Test("A lock of a higher complexity meets a lower one, and the older form is of low complexity")
  func locks() throws {
    let cases: [(members: String, missing: [String])] = [
      (#""deviceLockRequired": true"#, ["mediumComplexity", "highComplexity"]),
      (#""deviceLockRequired": false"#, ["lowComplexity", "mediumComplexity", "highComplexity"]),
      (#""appActionIfDevicePasscodeComplexityLessThanLow": "warn""#, ["mediumComplexity", "highComplexity"]),
      (#""appActionIfDevicePasscodeComplexityLessThanMedium": "warn""#, ["mediumComplexity", "highComplexity"]),
      (#""appActionIfDevicePasscodeComplexityLessThanMedium": "block""#, ["highComplexity"]),
      (#""appActionIfDevicePasscodeComplexityLessThanHigh": "wipe""#, []),
      (
        #""appActionIfDevicePasscodeComplexityLessThanHigh": "lock""#,
        ["lowComplexity", "mediumComplexity", "highComplexity"]
      ),
    ]
    for (members, expected) in cases {
      let missing = try Self.missing(.android, members, at: .high).filter { $0.hasSuffix("Complexity") }
      expectEqual(missing, expected, "\(members)")
    }
  }

  @Test("What meets a value of Android or Windows, and what does not")
  func comparisons() throws {
    let cases: [(PolicyPlatform, String, String, Bool)] = [
      (.android, "keyboards", #""keyboardsRestricted": true"#, false),
      (
        .android, "keyboards", #""keyboardsRestricted": true, "approvedKeyboards": [{"name": "a", "value": "A"}]"#, true
      ),
      (.android, "dialer", #""dialerRestrictionLevel": "customApp""#, false),
      (.android, "dialer", #""dialerRestrictionLevel": "customApp", "customDialerAppPackageId": "com.a""#, true),
      (
        .android, "dialer", #""dialerRestrictionLevel": "customApp", "customDialerAppPackageId": "replace_with_id""#,
        false
      ),
      (.android, "patchLevel", #""minimumRequiredPatchVersion": "0000-00-00""#, false),
      (.android, "patchLevel", #""minimumRequiredPatchVersion": "2019-12-05""#, false),
      (.android, "patchLevel", #""minimumWipePatchVersion": "2020-01-05""#, true),
      (.android, "knox", #""appActionIfSamsungKnoxAttestationRequired": "blockWhenSettingIsSupported""#, false),
      (.android, "knox", #""appActionIfSamsungKnoxAttestationRequired": "wipe""#, true),
      (.android, "integrity", #""requiredAndroidSafetyNetDeviceAttestationType": "basicIntegrity""#, false),
      (
        .android, "integrity",
        #""requiredAndroidSafetyNetDeviceAttestationType": "basicIntegrityAndDeviceCertification", "appActionIfAndroidSafetyNetDeviceAttestationFailed": "warn""#,
        false
      ),
      (.android, "biometricTimeout", #""biometricAuthenticationBlocked": true"#, true),
      (
        .android, "exempt",
        #""allowedOutboundDataTransferDestinations": "managedApps", "exemptedAppPackages": [{"name": "A", "value": "com.a"}]"#,
        false
      ),
      (
        .android, "web", #""managedBrowserToOpenLinksRequired": true, "customBrowserPackageId": "org.mozilla.firefox""#,
        false
      ),
      (.windows, "send", #""allowedOutboundDataTransferDestinations": "none""#, true),
      (.windows, "send", #""allowedOutboundDataTransferDestinations": "allApps""#, false),
      (.windows, "clipboard", #""allowedOutboundClipboardSharingLevel": "orgDestinationOrgSource""#, false),
      (.windows, "clipboard", #""allowedOutboundClipboardSharingLevel": "none""#, true),
      (.windows, "offlineBlock", #""periodOfflineBeforeAccessCheck": "PT0S""#, true),
      (.windows, "offlineWipe", #""periodOfflineBeforeWipeIsEnforced": "PT0S""#, false),
      (.windows, "minimumOS", #""minimumRequiredOsVersion": "10.0.26200.6899""#, true),
      (.windows, "threatLevel", #""maximumAllowedDeviceThreatLevel": "low""#, false),
    ]
    for (platform, id, members, meets) in cases {
      try expectEqual(Self.missing(platform, members, at: .high).contains(id), !meets, "\(members)")
    }
  }

  @Test("A policy with every value of a level meets it", arguments: PolicyPlatform.allCases)
  func full(platform: PolicyPlatform) {
    var policy = PolicyDocument(kind: platform.kind)
    for level in FrameworkLevel.allCases {
      for row in FrameworkRow.all(on: platform) {
        guard let demand = row.demand(namedBy: level, in: .newest) else { continue }
        for property in demand.values { policy[property] = demand.policy[property] }
      }
      policy.redirection.customDialerAppProtocol = "dialer"
      if platform == .android { policy[.approvedKeyboards] = .value(.pairs([PolicyPair("com.a", "A")])) }
      expectEqual(LevelAssessment(of: policy).missing(at: level).map(\.row.id), [])
      expectEqual(LevelAssessment(of: policy).level, level)
    }
  }
}
