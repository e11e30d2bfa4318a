extension SettingDescriptor {
  /// The settings catalogue: every key of `IntuneMAMSettings` that the guides name, ordered by subject.
  public static let all: [SettingDescriptor] = {
    let rows = signIn + enrollment + parts + data + appearance + diagnosis
    assert(Set(rows.map(\.key)).count == rows.count, "two settings have one key")
    let subjects = rows.compactMap { Section.allCases.firstIndex(of: $0.section) }
    assert(zip(subjects, subjects.dropFirst()).allSatisfy { $0 <= $1 }, "settings are not ordered by subject")
    return rows
  }()

  /// The row for a key, compared by code points; `nil` if there is none.
  public static func named(_ key: String) -> SettingDescriptor? {
    all.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// The original of a key that the translated guide (S003) gives in Swedish in some tables: copying such a key from
  /// there produces a setting that the SDK never reads.
  static func untranslated(_ key: String) -> String? {
    switch key {
    case "Flera identiteter": "MultiIdentity"
    case "MAMTelemetryAnvändPPE": "MAMTelemetryUsePPE"
    default: nil
    }
  }

  static let signIn: [SettingDescriptor] = [
    .text(
      "ADALClientId", .signIn, \.clientID, .clientID, requiredWhen: "always, unless the app sets it while it runs",
      "The client id of the app's registration in the directory."),
    .text(
      "ADALAuthority", .signIn, \.authority, .authority,
      requiredWhen: "the app is registered for one organization only", absence: "the common authority",
      "The directory that issues the app's tokens; the common one serves only apps of several organizations."),
    .text(
      "ADALRedirectUri", .signIn, \.redirectURI, .uri, requiredWhen: "ADALRedirectScheme is missing",
      "Where a sign-in leads back to."),
    .text(
      "ADALRedirectScheme", .signIn, \.redirectScheme, .redirectScheme, requiredWhen: "ADALRedirectUri is missing",
      "The scheme of the redirect URI, where that is scheme://bundle_id."),
    .flag(
      "ADALLogOverrideDisabled", .signIn, \.appLogsSignIn,
      "Leaves the log of the sign-in library to the app, which sets its own callback; else the SDK's log takes it in."),
    .text(
      "ADALCacheKeychainGroupOverride", .signIn, \.cacheKeychainGroup, .keychainGroup,
      absence: "com.microsoft.adalcache",
      "The keychain group of the token cache, without the prefix of the app's team."),
    .flag(
      "SafariViewControllerBlockedOverride", .signIn, \.leavesSafariViewsAlone,
      "Turns off the SDK's control of Safari views, so that a sign-in may use one; organization data shown in one can leak."
    ),
  ]

  static let enrollment: [SettingDescriptor] = [
    .flag(
      "AutoEnrollOnLaunch", .enrollment, \.autoEnrollOnLaunch, requiredWhen: "MAMPolicyRequired is true",
      "Enrolls at launch a managed identity that is found and not yet enrolled; without one, or a token of it, nothing happens."
    ),
    .flag(
      "MAMPolicyRequired", .enrollment, \.policyRequired,
      "Blocks the app at launch until it has a policy, and asks for a sign-in; the App Store takes no such app."),
    .flag(
      "MAMPolicyWarnAbsent", .enrollment, \.warnsWhenPolicyAbsent,
      "Warns the user at launch if no policy has arrived; the app stays usable."),
    .flag(
      "MultiIdentity", .enrollment, \.multiIdentity,
      "Says that the app tells accounts apart and names the one in use; at launch no identity is set.",
      source: "S001 Configure settings; S004 Turn on multi-identity"),
    .flag(
      "FinishLaunchingAtStartup", .enrollment, \.finishesLaunchingAtStartup,
      requiredWhen: "the app registers background tasks with BGTaskScheduler",
      "Lets launching complete in time for background tasks to be registered."),
  ]

  static let parts: [SettingDescriptor] = [
    .texts(
      "AppGroupIdentifiers", .parts, \.appGroups, .appGroup, requiredWhen: "the app uses app groups",
      "The app groups of the entitlements (com.apple.security.application-groups)."),
    .text(
      "ContainingAppBundleId", .parts, \.containingApp, .bundleIdentifier, requiredWhen: "this is an extension",
      "The bundle identifier of the app to which the extension belongs."),
    .flag(
      "OpenInActionExtension", .parts, \.isOpenInActionExtension,
      requiredWhen: "this is the action extension that replaces \"Copy to\"",
      "Marks the action extension through which files go to this app instead of \"Copy to\".",
      source: "S001 Configure settings; S002 Share Data via UIActivityViewController"),
  ]

  static let data: [SettingDescriptor] = [
    .fileProtection(
      "MaxFileProtectionLevel", .data, \.maximumFileProtection,
      "The strongest protection of files that the app can work with; a policy that asks for more is capped to it."),
    .text(
      "DocumentBrowserFileCachePath", .data, \.documentBrowserCache, .path,
      "Where the SDK puts decrypted files for a UIDocumentBrowserViewController, below the app's home."),
    .texts(
      "WebViewHandledURLSchemes", .data, \.webViewSchemes, .scheme,
      requiredWhen: "a web view of the app opens URLs from links or scripts",
      "The schemes of URLs that the app's web views open themselves."),
    .flag(
      "TreatAllWebViewsAsUnmanaged", .data, \.webViewsAreUnmanaged,
      "Counts what web views show as unmanaged, so that it can be copied anywhere; single views can be set apart from it.",
      source: "S000 Displaying web content within an application"),
  ]

  static let appearance: [SettingDescriptor] = [
    .text("SplashIconFile", .appearance, \.launchIcon, .any, "The picture on the SDK's launch screen."),
    .text(
      "SplashIconFile~ipad", .appearance, \.launchIconOnIPad, .any, absence: "SplashIconFile",
      "The picture on the SDK's launch screen on an iPad."),
    .seconds(
      "SplashDuration", .appearance, \.launchScreenSeconds,
      "The shortest time for which the SDK's launch screen is shown."),
    .color(
      "BackgroundColor", \.backgroundColor, absence: "the system's background color",
      "The background of the SDK's screens."),
    .color(
      "ForegroundColor", \.foregroundColor, absence: "the system's label color", "Text on the SDK's screens."),
    .color("AccentColor", \.accentColor, absence: "the system's blue", "Text of buttons, and the boxes for a PIN."),
    .color(
      "SecondaryBackgroundColor", \.secondaryBackgroundColor,
      "The second background of the screens about threats to the device."),
    .color(
      "SecondaryForegroundColor", \.secondaryForegroundColor, absence: "gray",
      "The second text color of the screens about threats to the device, as in footnotes."),
    .flag(
      "SupportsDarkMode", .appearance, \.supportsDarkMode,
      "Lets the SDK's screens follow the system into dark mode where none of the three main colors is set."),
  ]

  static let diagnosis: [SettingDescriptor] = [
    .flag(
      "MAMTelemetryDisabled", .diagnosis, \.sendsNoTelemetry, "Keeps the SDK from sending telemetry.",
      source: "S001 Configure settings; S002 Telemetry"),
    .flag(
      "MAMTelemetryUsePPE", .diagnosis, \.sendsTestTelemetry,
      "Sends telemetry to a place for tests, so that it does not mix with that of customers."),
    .flag("VerboseLoggingEnabled", .diagnosis, \.logsVerbosely, "Makes the SDK log everything."),
    .texts(
      "ValuesToScrubFromLogging", .diagnosis, \.valuesToScrub, .any, privacy: .secret,
      "Values of the app's configuration that must not appear in logs."),
  ]
}
