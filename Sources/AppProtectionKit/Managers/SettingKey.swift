import PolicySettings

/// A key of the property list, with what becomes of it here.
///
/// The page <doc:SettingsAndLogs> lists them all.
public enum SettingKey: String, CaseIterable, Sendable {
  case clientID = "ADALClientId"
  case authority = "ADALAuthority"
  case redirectURI = "ADALRedirectUri"
  case redirectScheme = "ADALRedirectScheme"
  case logOverrideDisabled = "ADALLogOverrideDisabled"
  case cacheKeychainGroupOverride = "ADALCacheKeychainGroupOverride"
  case safariViewControllerBlockedOverride = "SafariViewControllerBlockedOverride"
  case autoEnrollOnLaunch = "AutoEnrollOnLaunch"
  case policyRequired = "MAMPolicyRequired"
  case policyWarnAbsent = "MAMPolicyWarnAbsent"
  case multiIdentity = "MultiIdentity"
  case finishLaunchingAtStartup = "FinishLaunchingAtStartup"
  case appGroupIdentifiers = "AppGroupIdentifiers"
  case containingAppBundleID = "ContainingAppBundleId"
  case openInActionExtension = "OpenInActionExtension"
  case maxFileProtectionLevel = "MaxFileProtectionLevel"
  case documentBrowserFileCachePath = "DocumentBrowserFileCachePath"
  case webViewHandledURLSchemes = "WebViewHandledURLSchemes"
  case treatAllWebViewsAsUnmanaged = "TreatAllWebViewsAsUnmanaged"
  case splashIconFile = "SplashIconFile"
  case splashIconFileOnIPad = "SplashIconFile~ipad"
  case splashDuration = "SplashDuration"
  case backgroundColor = "BackgroundColor"
  case foregroundColor = "ForegroundColor"
  case accentColor = "AccentColor"
  case secondaryBackgroundColor = "SecondaryBackgroundColor"
  case secondaryForegroundColor = "SecondaryForegroundColor"
  case supportsDarkMode = "SupportsDarkMode"
  case telemetryDisabled = "MAMTelemetryDisabled"
  case telemetryUsePPE = "MAMTelemetryUsePPE"
  case verboseLoggingEnabled = "VerboseLoggingEnabled"
  case valuesToScrubFromLogging = "ValuesToScrubFromLogging"

  /// What becomes of a setting.
  public enum Use: String, CaseIterable, Sendable {
    /// The rules and the engine act on it.
    case obeyed
    /// The token library gets it with each request (``TokenRequest/signIn``).
    case tokenProvider = "token provider"
    /// The presentation delegate gets it (``PresentationDelegate/present(_:)``).
    case presentation
    /// The telemetry delegate gets it, or gets nothing (``TelemetryDelegate``).
    case telemetry
    /// The log is written by it (``Logger``).
    case log
    /// It steers Apple's systems, or how the SDK hooks into them: it is checked and shown, and nothing here acts on it.
    case apple = "Apple's alone"
  }

  /// What becomes of the setting.
  public var use: Use {
    switch self {
    case .autoEnrollOnLaunch, .policyRequired, .policyWarnAbsent, .multiIdentity, .maxFileProtectionLevel,
      .webViewHandledURLSchemes, .treatAllWebViewsAsUnmanaged:
      .obeyed
    case .clientID, .authority, .redirectURI, .redirectScheme, .cacheKeychainGroupOverride: .tokenProvider
    case .splashIconFile, .splashIconFileOnIPad, .splashDuration, .backgroundColor, .foregroundColor, .accentColor,
      .secondaryBackgroundColor, .secondaryForegroundColor, .supportsDarkMode:
      .presentation
    case .telemetryDisabled, .telemetryUsePPE: .telemetry
    case .logOverrideDisabled, .verboseLoggingEnabled, .valuesToScrubFromLogging: .log
    case .safariViewControllerBlockedOverride, .finishLaunchingAtStartup, .appGroupIdentifiers, .containingAppBundleID,
      .openInActionExtension, .documentBrowserFileCachePath:
      .apple
    }
  }

  /// What the property list may say, and what that means.
  public var descriptor: SettingDescriptor? { SettingDescriptor.named(rawValue) }
}
