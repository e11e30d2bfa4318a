import AppProtection

/// An app's settings for the SDK: the dictionary `IntuneMAMSettings` of its `Info.plist`, with every key that the
/// guides name and the default for each that the app omits.
///
/// ```swift
/// let document = try SettingsDocument.read(bytes, file: "Info.plist")
/// document.settings.multiIdentity  // false unless the app says otherwise
/// ```
///
/// Each property belongs to a row of ``SettingDescriptor/all``, which documents its key, meaning and source.
/// Values that an app sets at run time override these until the account is unenrolled (S000, "Configure MSAL
/// settings"); they are not known here.
public struct InfoPlistSettings: Equatable, Sendable {
  /// The app's client id in the directory (`ADALClientId`).
  public var clientID: String?
  /// The directory that issues tokens (`ADALAuthority`); `nil` means the common one, for apps of several organizations.
  public var authority: String?
  /// The address to which a sign-in returns (`ADALRedirectUri`).
  public var redirectURI: String?
  /// The scheme of a redirect URI of the form `scheme://bundle_id` (`ADALRedirectScheme`).
  public var redirectScheme: String?
  /// Whether the app itself collects the sign-in library's log (`ADALLogOverrideDisabled`).
  public var appLogsSignIn = false
  /// The keychain group of the sign-in library's cache (`ADALCacheKeychainGroupOverride`); `nil` means the common one.
  public var cacheKeychainGroup: String?

  /// Whether the app enrolls at launch if there is a managed identity (`AutoEnrollOnLaunch`).
  public var autoEnrollOnLaunch = false
  /// Whether the app stays blocked until it has a policy (`MAMPolicyRequired`).
  public var policyRequired = false
  /// Whether the user is warned at launch without a policy (`MAMPolicyWarnAbsent`).
  public var warnsWhenPolicyAbsent = false
  /// Whether the app uses accounts other than the managed one (`MultiIdentity`).
  public var multiIdentity = false
  /// Whether launching completes at startup so that background tasks can run (`FinishLaunchingAtStartup`).
  public var finishesLaunchingAtStartup = false

  /// The app groups of the entitlements (`AppGroupIdentifiers`).
  public var appGroups: [String] = []
  /// The bundle identifier of the app that contains an extension (`ContainingAppBundleId`).
  public var containingApp: String?
  /// Whether this is the action extension that replaces "Copy to" (`OpenInActionExtension`).
  public var isOpenInActionExtension = false

  /// The strongest file protection that the app supports (`MaxFileProtectionLevel`).
  public var maximumFileProtection = FileProtectionLevel.complete
  /// The folder for decrypted files of a document browser, below the app's home (`DocumentBrowserFileCachePath`).
  public var documentBrowserCache = "/Documents/"
  /// Whether Safari views are left unrestricted, so that they can sign in (`SafariViewControllerBlockedOverride`).
  public var leavesSafariViewsAlone = false
  /// The schemes that the app's web views handle themselves (`WebViewHandledURLSchemes`).
  public var webViewSchemes: [String] = []
  /// Whether web views count as unmanaged unless set otherwise (`TreatAllWebViewsAsUnmanaged`).
  public var webViewsAreUnmanaged = false

  /// The image of the launch screen (`SplashIconFile`).
  public var launchIcon: String?
  /// The image of the launch screen on an iPad (`SplashIconFile~ipad`).
  public var launchIconOnIPad: String?
  /// The minimum duration of the launch screen, in seconds (`SplashDuration`).
  public var launchScreenSeconds = 1.5
  /// The background of the SDK's screens (`BackgroundColor`); `nil` means the system's.
  public var backgroundColor: SettingColor?
  /// The text color of the SDK's screens (`ForegroundColor`); `nil` means the system's label color.
  public var foregroundColor: SettingColor?
  /// The color of buttons and boxes on the SDK's screens (`AccentColor`); `nil` means the system's blue.
  public var accentColor: SettingColor?
  /// The secondary background of the screens about threats (`SecondaryBackgroundColor`).
  public var secondaryBackgroundColor = SettingColor(red: 255, green: 255, blue: 255)
  /// The secondary text color of the screens about threats (`SecondaryForegroundColor`); `nil` is gray, of no published
  /// shade.
  public var secondaryForegroundColor: SettingColor?
  /// Whether the SDK's screens follow the system into dark mode (`SupportsDarkMode`).
  public var supportsDarkMode = true

  /// Whether the SDK sends no telemetry (`MAMTelemetryDisabled`).
  public var sendsNoTelemetry = false
  /// Whether telemetry goes to the test environment (`MAMTelemetryUsePPE`).
  public var sendsTestTelemetry = false
  /// Whether the SDK logs everything (`VerboseLoggingEnabled`).
  public var logsVerbosely = false
  /// Configuration values of the app that must never appear in a log (`ValuesToScrubFromLogging`).
  public var valuesToScrub: [String] = []

  /// Every setting at its default.
  public init() {}
}

extension AppSettings {
  /// The machine's settings according to an app's property list. Settings not in the property list keep their defaults.
  public init(_ settings: InfoPlistSettings) {
    self.init()
    multiIdentity = settings.multiIdentity
    autoEnrollOnLaunch = settings.autoEnrollOnLaunch
    policyRequired = settings.policyRequired
    warnsWhenPolicyAbsent = settings.warnsWhenPolicyAbsent
  }
}

extension FileProtectionClass {
  /// The class that a property list names.
  public init(_ level: FileProtectionLevel) {
    switch level {
    case .complete: self = .complete
    case .completeUnlessOpen: self = .completeUnlessOpen
    case .completeUntilFirstUserAuthentication: self = .completeUntilFirstUserAuthentication
    case .none: self = .none
    }
  }
}

extension LogScrubber {
  /// Removes the values that an app's `Info.plist` names (`ValuesToScrubFromLogging`).
  public init(_ settings: InfoPlistSettings) {
    self.init(settings.valuesToScrub)
  }
}
