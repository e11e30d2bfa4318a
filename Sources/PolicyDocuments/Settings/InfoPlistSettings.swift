/// What an app's property list says to the SDK: the dictionary `IntuneMAMSettings` of its `Info.plist`, every key that the
/// guides name, with the default where the app says nothing.
///
/// ```swift
/// let document = try SettingsDocument.read(bytes, file: "Info.plist")
/// document.settings.multiIdentity  // false unless the app says otherwise
/// ```
///
/// Each property belongs to a row of ``SettingDescriptor/all``, which knows its key, its meaning, and the source of both.
/// Values that an app sets while it runs come before these, and stay until the account leaves (S000, "Configure MSAL
/// settings"); they are not known here.
public struct InfoPlistSettings: Equatable, Sendable {
  /// The app's client id in the directory (`ADALClientId`).
  public var clientID: String?
  /// The directory that issues tokens (`ADALAuthority`); `nil` is the common one, for apps of several organizations.
  public var authority: String?
  /// Where a sign-in leads back to (`ADALRedirectUri`).
  public var redirectURI: String?
  /// The scheme of a redirect URI of the form `scheme://bundle_id` (`ADALRedirectScheme`).
  public var redirectScheme: String?
  /// Whether the app collects the sign-in library's log itself (`ADALLogOverrideDisabled`).
  public var appLogsSignIn = false
  /// The keychain group of the sign-in library's cache (`ADALCacheKeychainGroupOverride`); `nil` is the common one.
  public var cacheKeychainGroup: String?

  /// Whether the app enrolls at launch when a managed identity is there (`AutoEnrollOnLaunch`).
  public var autoEnrollOnLaunch = false
  /// Whether the app stays blocked until it has a policy (`MAMPolicyRequired`).
  public var policyRequired = false
  /// Whether the user is warned at launch when there is no policy (`MAMPolicyWarnAbsent`).
  public var warnsWhenPolicyAbsent = false
  /// Whether the app uses accounts beside the managed one (`MultiIdentity`).
  public var multiIdentity = false
  /// Whether launching is completed for the sake of background tasks (`FinishLaunchingAtStartup`).
  public var finishesLaunchingAtStartup = false

  /// The app groups of the entitlements (`AppGroupIdentifiers`).
  public var appGroups: [String] = []
  /// The bundle identifier of the app to which an extension belongs (`ContainingAppBundleId`).
  public var containingApp: String?
  /// Whether this is the action extension that replaces "Copy to" (`OpenInActionExtension`).
  public var isOpenInActionExtension = false

  /// The strongest file protection that the app can work with (`MaxFileProtectionLevel`).
  public var maximumFileProtection = FileProtectionLevel.complete
  /// Where decrypted files of a document browser are put, below the app's home (`DocumentBrowserFileCachePath`).
  public var documentBrowserCache = "/Documents/"
  /// Whether Safari views are left alone, so that they can sign in (`SafariViewControllerBlockedOverride`).
  public var leavesSafariViewsAlone = false
  /// The schemes that the app's web views open themselves (`WebViewHandledURLSchemes`).
  public var webViewSchemes: [String] = []
  /// Whether web views count as unmanaged unless told otherwise (`TreatAllWebViewsAsUnmanaged`).
  public var webViewsAreUnmanaged = false

  /// The picture of the launch screen (`SplashIconFile`).
  public var launchIcon: String?
  /// The same on an iPad (`SplashIconFile~ipad`).
  public var launchIconOnIPad: String?
  /// The shortest time for which the launch screen is shown, in seconds (`SplashDuration`).
  public var launchScreenSeconds = 1.5
  /// The background of the SDK's screens (`BackgroundColor`); `nil` is the system's.
  public var backgroundColor: SettingColor?
  /// Text on the SDK's screens (`ForegroundColor`); `nil` is the system's label color.
  public var foregroundColor: SettingColor?
  /// Buttons and boxes on the SDK's screens (`AccentColor`); `nil` is the system's blue.
  public var accentColor: SettingColor?
  /// The second background of the screens about threats (`SecondaryBackgroundColor`).
  public var secondaryBackgroundColor = SettingColor(red: 255, green: 255, blue: 255)
  /// The second text color of the screens about threats (`SecondaryForegroundColor`); `nil` is gray, of no published shade.
  public var secondaryForegroundColor: SettingColor?
  /// Whether the SDK's screens follow the system into dark mode (`SupportsDarkMode`).
  public var supportsDarkMode = true

  /// Whether the SDK sends no telemetry (`MAMTelemetryDisabled`).
  public var sendsNoTelemetry = false
  /// Whether telemetry goes where tests belong (`MAMTelemetryUsePPE`).
  public var sendsTestTelemetry = false
  /// Whether the SDK logs everything (`VerboseLoggingEnabled`).
  public var logsVerbosely = false
  /// Values of the app's configuration that never appear in a log (`ValuesToScrubFromLogging`).
  public var valuesToScrub: [String] = []

  /// Creates the defaults.
  public init() {}
}
