import Expectations
import Testing

@testable import PolicySettings

@Suite("The settings catalogue")
struct SettingDescriptorTests {
  /// The keys with their types and defaults, written down from the tables of the guides and not from the catalogue.
  static let guides = """
    ADALClientId text none
    ADALAuthority text the common authority
    ADALRedirectUri text none
    ADALRedirectScheme text none
    ADALLogOverrideDisabled flag false
    ADALCacheKeychainGroupOverride text com.microsoft.adalcache
    AppGroupIdentifiers texts none
    ContainingAppBundleId text none
    AutoEnrollOnLaunch flag false
    MAMPolicyRequired flag false
    MAMPolicyWarnAbsent flag false
    MultiIdentity flag false
    SafariViewControllerBlockedOverride flag false
    SplashIconFile text none
    SplashIconFile~ipad text SplashIconFile
    SplashDuration seconds 1.5 s
    BackgroundColor color the system's background color
    ForegroundColor color the system's label color
    AccentColor color the system's blue
    SecondaryBackgroundColor color #FFFFFF
    SecondaryForegroundColor color gray
    SupportsDarkMode flag true
    MAMTelemetryDisabled flag false
    MAMTelemetryUsePPE flag false
    MaxFileProtectionLevel fileProtection NSFileProtectionComplete
    OpenInActionExtension flag false
    WebViewHandledURLSchemes texts none
    DocumentBrowserFileCachePath text /Documents/
    VerboseLoggingEnabled flag false
    FinishLaunchingAtStartup flag false
    ValuesToScrubFromLogging texts none
    TreatAllWebViewsAsUnmanaged flag false
    """

  private static func name(_ kind: SettingDescriptor.Kind) -> String {
    switch kind {
    case .flag: "flag"
    case .text: "text"
    case .color: "color"
    case .seconds: "seconds"
    case .fileProtection: "fileProtection"
    case .texts: "texts"
    }
  }

  @Test("Every key that the guides name is in the catalogue with its type and default, and nothing else")
  func completeness() {
    let documented = Self.guides.split(separator: "\n").map(String.init).sorted()
    expectEqual(documented.count, 32)
    expectEqual(SettingDescriptor.all.map { "\($0.key) \(Self.name($0.kind)) \($0.absence)" }.sorted(), documented)
  }

  @Test("The guides' required settings say when they are required")
  func required() {
    expectEqual(
      Set(SettingDescriptor.all.filter { $0.requiredWhen != nil }.map(\.key)),
      [
        "ADALClientId", "ADALAuthority", "ADALRedirectUri", "ADALRedirectScheme", "AppGroupIdentifiers",
        "ContainingAppBundleId", "AutoEnrollOnLaunch", "FinishLaunchingAtStartup", "OpenInActionExtension",
        "WebViewHandledURLSchemes",
      ])
  }

  @Test("Every row says what it means and where that is published", arguments: SettingDescriptor.all.map(\.key))
  func rows(key: String) throws {
    let row = try #require(SettingDescriptor.named(key))
    #expect(row.meaning.hasSuffix(".") && row.meaning.count > 20)
    for source in row.source.split(separator: "; ") {
      #expect(source.wholeMatch(of: /S00[0-4] .+/) != nil, "\(source)")
    }
    expectEqual(SettingDescriptor.all.count { $0.key == key }, 1)
    #expect((key == "ValuesToScrubFromLogging") == (row.privacy == .secret))
  }

  @Test("Every rule says what it means and where that is published", arguments: SettingsRule.allCases)
  func rules(rule: SettingsRule) {
    #expect(rule.meaning.hasSuffix(".") && rule.meaning.count > 20)
    for source in rule.source.split(separator: "; ") {
      #expect(source.wholeMatch(of: /(S00[0-4]|A|M) .+|DERIVED/) != nil, "\(source)")
    }
  }

  @Test(
    "A value written through a row is read through it, and through no other",
    arguments: SettingDescriptor.all.map(\.key))
  func binding(key: String) throws {
    let row = try #require(SettingDescriptor.named(key))
    var settings = InfoPlistSettings()
    let value: SettingValue =
      switch row.kind {
      case .flag: .flag(row.absence == "false")
      case .text: .text("x")
      case .color: .color(SettingColor(red: 1, green: 2, blue: 3))
      case .seconds: .seconds(9)
      case .fileProtection: .fileProtection(.none)
      case .texts: .texts(["x"])
      }
    row.write(&settings, row.kind == .flag ? .text("x") : .flag(true))
    expectEqual(settings, InfoPlistSettings(), "A value of another kind changes nothing")
    row.write(&settings, value)
    expectEqual(row.value(in: settings), value)
    for other in SettingDescriptor.all where other.key != key {
      expectEqual(other.value(in: settings), other.value(in: InfoPlistSettings()), "\(other.key)")
    }
  }

  @Test(
    "Colors have six hexadecimal digits and may have their sign",
    arguments: [
      ("#1A2b3C", "#1A2B3C"), ("000fff", "#000FFF"), ("#12345", nil), ("1234567", nil), ("#GGGGGG", nil),
      ("##12345", nil),
      ("", nil), ("#", nil), ("+12345", nil), ("#١٢٣٤٥٦", nil), ("red", nil),
    ])
  func colors(text: String, expected: String?) {
    expectEqual(SettingColor(text)?.description, expected)
  }

  @Test(
    "Texts have the form that their setting needs",
    arguments: [
      (.any, "x", nil), (.any, "", "is empty"), (.clientID, "0c5a1d1e-1111-2222-3333-444455556666", nil),
      (.clientID, "$(CLIENT_ID)", nil), (.clientID, "my-app", "is not a GUID"),
      (.authority, "https://login.microsoftonline.com/contoso.com", nil),
      (.authority, "login.microsoftonline.com", "is not an https address"),
      (.authority, "https:///x", "is not an https address"),
      (.uri, "msauth.com.contoso.app://auth", nil), (.uri, "auth", "is not a URI"), (.uri, "1a://b", "is not a URI"),
      (.uri, "a:", "is not a URI"), (.uri, "a: b", "is not a URI"), (.scheme, "a+b-c.9", nil),
      (.scheme, "https://", "is not a URL scheme"), (.scheme, "9a", "is not a URL scheme"),
      (.bundleIdentifier, "com.contoso.my-App1", nil),
      (.bundleIdentifier, "com.contoso.*", "is not a bundle identifier"),
      (.appGroup, "group.com.contoso", nil), (.appGroup, "com.contoso", "is not an app group"),
      (.appGroup, "group.", "is not an app group"), (.keychainGroup, "com.contoso.cache", nil),
      (.keychainGroup, "ABCDE12345.com.contoso", "begins with a prefix, which the SDK adds by itself"),
      (.keychainGroup, "$(AppIdentifierPrefix)com.contoso", "begins with a prefix, which the SDK adds by itself"),
      (.path, "/Documents/In/", nil), (.path, "Library/../../x", "leads out of the app's home"), (.path, "a..b", nil),
    ] as [(SettingForm, String, String?)])
  func forms(form: SettingForm, text: String, reason: String?) {
    expectEqual(form.problem(with: text)?.reason, reason)
  }
}
