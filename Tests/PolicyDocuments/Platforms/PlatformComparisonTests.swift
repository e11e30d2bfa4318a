import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Policies for different platforms side by side")
struct PlatformComparisonTests {
  private static func rows(
    _ one: (PolicyPlatform, String), _ other: (PolicyPlatform, String)
  ) throws -> [PlatformComparison.Row] {
    PlatformComparison(
      of: try PlatformSamples.policy(one.0, one.1), with: try PlatformSamples.policy(other.0, other.1)
    ).rows
  }

  @Test("A row of the table names settings that their platforms have, and no setting is in two rows")
  func table() {
    for platform in PolicyPlatform.allCases {
      let listed = SettingCorrespondence.all.flatMap { $0.properties(on: platform) }
      expectEqual(Set(listed).count, listed.count, "\(platform)")
      #expect(listed.allSatisfy(platform.has), "\(platform)")
    }
    for row in SettingCorrespondence.all {
      #expect(PolicyPlatform.allCases.count { !row.properties(on: $0).isEmpty } > 1)
    }
  }

  @Test("Every setting is compared, or has no counterpart")
  func complete() throws {
    for one in PolicyPlatform.allCases {
      let members = one.properties.map { "\"\($0.name)\": \(PlatformSamples.json($0, on: one))" }
      let full = try PlatformSamples.policy(one, members.joined(separator: ", "))
      for other in PolicyPlatform.allCases where other != one {
        let comparison = PlatformComparison(of: full, with: try PlatformSamples.policy(other))
        let compared = Set(comparison.rows.flatMap(\.properties))
        let only = Set(comparison.onlyOne.flatMap(\.properties))
        for property in one.properties where SettingCorrespondence.isOf(one, property) {
          #expect(compared.contains(property) != only.contains(property), "\(property.name)")
        }
        let reverse = PlatformComparison(of: try PlatformSamples.policy(other), with: full)
        expectEqual(Set(reverse.onlyOther.flatMap(\.properties)), only, "\(one) \(other)")
      }
    }
  }

  @Test("What means the same is the same, and what does not differs, in both directions")
  func values() throws {
    let cases: [(one: (PolicyPlatform, String), other: (PolicyPlatform, String), title: String, differs: Bool)] = [
      (
        (.ios, #""appDataEncryptionType": "afterDeviceRestart""#), (.android, #""encryptAppData": true"#), "Encrypt",
        false
      ),
      (
        (.ios, #""appDataEncryptionType": "useDeviceSettings""#), (.android, #""encryptAppData": true"#), "Encrypt",
        true
      ),
      (
        (.ios, #""screenCaptureConfigurationState": "blocked""#), (.android, #""screenCaptureBlocked": true"#),
        "Screen", false
      ),
      (
        (.ios, #""screenCaptureConfigurationState": "notBlocked""#), (.android, #""screenCaptureBlocked": true"#),
        "Screen", true
      ),
      (
        (.ios, #""fingerprintBlocked": true, "faceIdBlocked": true"#),
        (.android, #""biometricAuthenticationBlocked": true"#),
        "Touch ID", false
      ),
      (
        (.ios, #""fingerprintBlocked": true, "faceIdBlocked": false"#),
        (.android, #""biometricAuthenticationBlocked": true"#),
        "Touch ID", true
      ),
      (
        (.ios, #""fingerprintBlocked": false"#), (.android, #""fingerprintAndBiometricEnabled": true"#), "Touch ID",
        false
      ),
      (
        (.ios, #""allowedOutboundDataTransferDestinations": "managedApps", "filterOpenInToOnlyManagedApps": true"#),
        (.android, #""allowedOutboundDataTransferDestinations": "managedApps""#), "Send Org data", true
      ),
      (
        (.ios, #""allowedOutboundDataTransferDestinations": "none""#),
        (.windows, #""allowedOutboundDataTransferDestinations": "none""#), "Send Org data", false
      ),
      (
        (.android, #""allowedInboundDataTransferSources": "managedApps""#),
        (.windows, #""allowedInboundDataTransferSources": "none""#), "Receive data", true
      ),
      (
        (.ios, #""allowedOutboundClipboardSharingLevel": "managedAppsWithPasteIn""#),
        (.windows, #""allowedOutboundClipboardSharingLevel": "orgDestinationAnySource""#), "Restrict cut", false
      ),
      (
        (.ios, #""allowedOutboundClipboardSharingLevel": "blocked""#),
        (.windows, #""allowedOutboundClipboardSharingLevel": "anyDestinationAnySource""#), "Restrict cut", true
      ),
      (
        (.ios, #""minimumRequiredOsVersion": "17.0""#), (.android, #""minimumRequiredOsVersion": "13.0""#),
        "Min OS version, Block", false
      ),
      (
        (.ios, #""minimumRequiredOsVersion": "17.0""#), (.android, #""minimumRequiredOsVersion": null"#),
        "Min OS version, Block", true
      ),
      (
        (.ios, #""customDialerAppProtocol": "dialer""#), (.android, #""customDialerAppPackageId": "com.a.dialer""#),
        "Dialer App",
        false
      ),
      ((.ios, #""printBlocked": true"#), (.windows, #""printBlocked": true"#), "Printing", false),
      ((.ios, #""printBlocked": true"#), (.windows, ""), "Printing", true),
      (
        (.ios, #""periodOfflineBeforeWipeIsEnforced": "P90D""#),
        (.android, #""periodOfflineBeforeWipeIsEnforced": "P90D""#), "Offline grace period, Wipe", false
      ),
    ]
    for (one, other, title, differs) in cases {
      let row = try #require(try Self.rows(one, other).first { $0.title.hasPrefix(title) }, "\(title)")
      expectEqual(row.isDifferent, differs, "\(one) \(other)")
      let back = try Self.rows(other, one)
      expectEqual(back.filter(\.isDifferent).isEmpty, !differs, "\(other) \(one)")
    }
  }

  @Test("The templates of one level agree but for what the platforms have of their own")
  func templates() throws {
    let comparison = PlatformComparison(
      of: try PlatformSamples.policy(
        named: "icf_2020-11-17_44335e0_level-2-enterprise-enhanced-data-protection-iOS.json"),
      with: try PlatformSamples.policy(
        named: "icf_2021-10-05_5767671_level-2-enterprise-enhanced-data-protection-Android.json"))
    let settings = comparison.rows.filter { $0.isDifferent && ![.basics, .apps, .assignments].contains($0.group) }
    expectEqual(
      settings.map(\.title),
      [
        // The templates for iOS are older than the setting.
        "Screen capture / Screen capture and Google Assistant",
        // The template for Android blocks biometrics, which that of the next level allows.
        "Touch ID instead of PIN for access / Fingerprint instead of PIN for access (Android 6.0+)",
      ])
  }
}
