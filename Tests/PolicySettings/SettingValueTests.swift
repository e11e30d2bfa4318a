import Expectations
import PropertyList
import Testing

@testable import PolicySettings

/// Each setting of an app by its own key, written down from the guides and not from the catalogue: where a value is read
/// into, and a value that it cannot have.
@Suite("The values of the settings")
struct SettingValueTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let key: String
    let xml: String
    let isRead: @Sendable (InfoPlistSettings) -> Bool
    /// A value that the setting cannot have, and what is found then.
    let refused: String
    let rule: SettingsRule
    var testDescription: String { key }

    init(
      _ key: String, _ xml: String, refuses refused: String, _ rule: SettingsRule,
      isRead: @escaping @Sendable (InfoPlistSettings) -> Bool
    ) {
      (self.key, self.xml, self.refused, self.rule, self.isRead) = (key, xml, refused, rule, isRead)
    }
  }

  private static func text(
    _ key: String, _ value: String, refuses refused: String, isRead: @escaping @Sendable (InfoPlistSettings) -> Bool
  ) -> Row {
    Row(key, "<string>\(value)</string>", refuses: "<string>\(refused)</string>", .invalidValue, isRead: isRead)
  }

  private static func flag(
    _ key: String, _ value: Bool = true, isRead: @escaping @Sendable (InfoPlistSettings) -> Bool
  ) -> Row {
    Row(key, "<\(value)/>", refuses: "<string>YES</string>", .wrongType, isRead: isRead)
  }

  private static func texts(
    _ key: String, _ value: String, refuses refused: String, isRead: @escaping @Sendable (InfoPlistSettings) -> Bool
  ) -> Row {
    func array(_ element: String) -> String { "<array><string>\(element)</string></array>" }
    return Row(key, array(value), refuses: array(refused), .invalidValue, isRead: isRead)
  }

  private static let color = SettingColor(red: 1, green: 2, blue: 3)

  static let rows: [Row] = [
    text("ADALClientId", "0c5a1d1e-1111-2222-3333-444455556666", refuses: "my-app") {
      $0.clientID == "0c5a1d1e-1111-2222-3333-444455556666"
    },
    text("ADALAuthority", "https://a/b", refuses: "a/b") { $0.authority == "https://a/b" },
    text("ADALRedirectUri", "a://b", refuses: "auth") { $0.redirectURI == "a://b" },
    text("ADALRedirectScheme", "ab", refuses: "a://") { $0.redirectScheme == "ab" },
    flag("ADALLogOverrideDisabled") { $0.appLogsSignIn },
    text("ADALCacheKeychainGroupOverride", "com.contoso.cache", refuses: "ABCDE12345.com.contoso") {
      $0.cacheKeychainGroup == "com.contoso.cache"
    },
    flag("SafariViewControllerBlockedOverride") { $0.leavesSafariViewsAlone },
    flag("AutoEnrollOnLaunch") { $0.autoEnrollOnLaunch },
    flag("MAMPolicyRequired") { $0.policyRequired },
    flag("MAMPolicyWarnAbsent") { $0.warnsWhenPolicyAbsent },
    flag("MultiIdentity") { $0.multiIdentity },
    flag("FinishLaunchingAtStartup") { $0.finishesLaunchingAtStartup },
    texts("AppGroupIdentifiers", "group.a", refuses: "a") { $0.appGroups == ["group.a"] },
    text("ContainingAppBundleId", "com.contoso.app", refuses: "com.contoso.*") {
      $0.containingApp == "com.contoso.app"
    },
    flag("OpenInActionExtension") { $0.isOpenInActionExtension },
    text("MaxFileProtectionLevel", "NSFileProtectionCompleteUnlessOpen", refuses: "Complete") {
      $0.maximumFileProtection == .completeUnlessOpen
    },
    text("DocumentBrowserFileCachePath", "/Documents/In/", refuses: "../x") {
      $0.documentBrowserCache == "/Documents/In/"
    },
    texts("WebViewHandledURLSchemes", "ab", refuses: "a://") { $0.webViewSchemes == ["ab"] },
    flag("TreatAllWebViewsAsUnmanaged") { $0.webViewsAreUnmanaged },
    text("SplashIconFile", "icon", refuses: "") { $0.launchIcon == "icon" && $0.launchIconOnIPad == nil },
    text("SplashIconFile~ipad", "icon", refuses: "") { $0.launchIconOnIPad == "icon" && $0.launchIcon == nil },
    Row("SplashDuration", "<real>3</real>", refuses: "<real>-1</real>", .outOfRange) { $0.launchScreenSeconds == 3 },
    text("BackgroundColor", "#010203", refuses: "blue") { $0.backgroundColor == color },
    text("ForegroundColor", "#010203", refuses: "blue") { $0.foregroundColor == color },
    text("AccentColor", "#010203", refuses: "blue") { $0.accentColor == color },
    text("SecondaryBackgroundColor", "#010203", refuses: "blue") { $0.secondaryBackgroundColor == color },
    text("SecondaryForegroundColor", "#010203", refuses: "blue") { $0.secondaryForegroundColor == color },
    flag("SupportsDarkMode", false) { !$0.supportsDarkMode },
    flag("MAMTelemetryDisabled") { $0.sendsNoTelemetry },
    flag("MAMTelemetryUsePPE") { $0.sendsTestTelemetry },
    flag("VerboseLoggingEnabled") { $0.logsVerbosely },
    texts("ValuesToScrubFromLogging", "secret", refuses: "") { $0.valuesToScrub == ["secret"] },
  ]

  @Test("Each setting is read into its own property, and an invalid value is found", arguments: rows)
  func values(row: Row) throws {
    func found(_ document: SettingsDocument) -> [SettingsRule] {
      document.findings.filter { "\($0.path)" == "IntuneMAMSettings.\(row.key)" }.map(\.rule)
    }
    let document = try SettingSamples.document(SettingSamples.entry(row.key, row.xml))
    #expect(row.isRead(document.settings) && !row.isRead(InfoPlistSettings()))
    #expect(!found(document).contains(row.rule))
    let refused = try SettingSamples.document(SettingSamples.entry(row.key, row.refused))
    #expect(!row.isRead(refused.settings))
    #expect(found(refused).contains(row.rule))
  }

  @Test("Every setting has such a value")
  func everySetting() {
    expectEqual(Self.rows.map(\.key).sorted(), SettingDescriptor.all.map(\.key).sorted())
  }
}
