/// What lint looks for in the settings of an app. Names stay as they are once they were given.
public enum SettingsRule: String, Sendable, CaseIterable {
  /// There are no settings.
  case noSettings
  /// A setting stands outside the dictionary.
  case misplacedSetting
  /// A key is no setting.
  case unknownSetting
  /// A key around the settings stands twice.
  case repeatedKey
  /// A value has another type.
  case wrongType
  /// A value has the right type and a wrong form.
  case invalidValue
  /// A number is outside its range.
  case outOfRange
  /// There is no client id.
  case missingClientID
  /// There is no redirect.
  case missingRedirect
  /// Both redirects are there and differ.
  case redirectsDisagree
  /// An extension does not name its app.
  case missingContainingApp
  /// An extension names an app that cannot be its own.
  case foreignContainingApp
  /// The mark of the action extension stands in an app.
  case openInOutsideExtension
  /// The action extension shares no app group.
  case openInWithoutAppGroup
  /// A policy is required, and nothing enrolls.
  case policyRequiredWithoutEnrollment
  /// A policy is required, which the App Store refuses.
  case policyRequiredInAppStore
  /// The warning about a missing policy never shows.
  case warningNeverShown
  /// Background tasks are not registered in time.
  case backgroundTasks
  /// Safari views are not controlled.
  case safariViews
  /// Text has the color of its background.
  case sameColors
  /// One of text and background follows the system, the other does not.
  case loneColor
  /// Dark mode is asked for and cannot show.
  case darkModeWithoutEffect
  /// Files are not protected, whatever the policy asks.
  case unprotectedFiles
  /// Files are out of reach while the app shows something on a locked screen.
  case lockedFiles
  /// Telemetry goes where tests belong.
  case testTelemetry
  /// Schemes that the SDK asks for are not declared.
  case missingQuerySchemes
  /// A scheme's managed twin is not declared.
  case missingTwinScheme
  /// There is no text for Face ID.
  case missingFaceIDText

  /// How much a finding matters.
  public enum Severity: String, Sendable, CaseIterable {
    /// A setting does not do what it says, or the SDK lacks what it needs.
    case error
    /// The guides ask for something else.
    case warning
    /// Right as it is when it is meant, and with a consequence to know.
    case note
  }

  /// How much a finding of this rule matters.
  public var severity: Severity { row.severity }
  /// What the rule says, in one sentence.
  public var meaning: String { row.meaning }
  /// Where that is published: a tag and a heading; see the article "Settings".
  public var source: String { row.source }

  private var row: (severity: Severity, meaning: String, source: String) {
    switch self {
    case .noSettings:
      (.error, "An Info.plist has a dictionary IntuneMAMSettings.", "S001 Configure settings")
    case .misplacedSetting:
      (.error, "Settings stand inside IntuneMAMSettings; elsewhere they have no effect.", "S001 Configure settings")
    case .unknownSetting: (.warning, "Keys are those that the guides name.", "S001 Configure settings")
    case .repeatedKey:
      (
        .warning, "A key stands once in its dictionary, also outside IntuneMAMSettings.",
        "A Property List Programming Guide"
      )
    case .wrongType: (.error, "A value has the type of its setting.", "S001 Configure settings")
    case .invalidValue: (.error, "A value has the form that its setting needs.", "S001 Configure settings; DERIVED")
    case .outOfRange: (.error, "A number lies in the range of its setting.", "DERIVED")
    case .missingClientID:
      (.warning, "An app has ADALClientId, or sets it while it runs.", "S001 Configure settings")
    case .missingRedirect:
      (
        .warning, "An app has ADALRedirectUri or ADALRedirectScheme, or sets one while it runs.",
        "S001 Configure settings"
      )
    case .redirectsDisagree:
      (.warning, "Where both are there, ADALRedirectUri is ADALRedirectScheme://bundle_id.", "S001 Configure settings")
    case .missingContainingApp:
      (.error, "An extension names its app in ContainingAppBundleId.", "S001 Configure settings")
    case .foreignContainingApp:
      (.warning, "An extension's bundle identifier begins with that of its app.", "A App Extension Programming Guide")
    case .openInOutsideExtension:
      (.warning, "OpenInActionExtension stands in an extension.", "S002 Share Data via UIActivityViewController")
    case .openInWithoutAppGroup:
      (
        .error, "The action extension and its app list a common group in AppGroupIdentifiers.",
        "S002 Share Data via UIActivityViewController"
      )
    case .policyRequiredWithoutEnrollment:
      (
        .warning, "With MAMPolicyRequired goes AutoEnrollOnLaunch.",
        "S001 Let Intune handle authentication and enrollment at launch"
      )
    case .policyRequiredInAppStore:
      (
        .note, "The App Store takes no app with MAMPolicyRequired.",
        "S001 Let Intune handle authentication and enrollment at launch"
      )
    case .warningNeverShown:
      (.note, "MAMPolicyWarnAbsent has no effect beside MAMPolicyRequired, which blocks the app first.", "DERIVED")
    case .backgroundTasks:
      (.warning, "An app with background tasks has FinishLaunchingAtStartup.", "S001 Configure settings")
    case .safariViews:
      (
        .note, "Safari views can leak organization data once SafariViewControllerBlockedOverride is set.",
        "S000 Special considerations when using MSAL for app-initiated authentication"
      )
    case .sameColors: (.warning, "Text has another color than its background.", "DERIVED")
    case .loneColor:
      (.note, "BackgroundColor and ForegroundColor are set together, or the other one changes in dark mode.", "DERIVED")
    case .darkModeWithoutEffect:
      (.note, "SupportsDarkMode shows only where none of the three main colors is set.", "S001 Configure settings")
    case .unprotectedFiles:
      (.warning, "MaxFileProtectionLevel is no reason to leave files unprotected.", "S001 Configure settings; DERIVED")
    case .lockedFiles:
      (
        .note, "An app that shows something on a locked screen limits MaxFileProtectionLevel.",
        "S001 Configure settings; DERIVED"
      )
    case .testTelemetry: (.note, "MAMTelemetryUsePPE is for tests.", "S001 Configure settings")
    case .missingQuerySchemes:
      (
        .warning, "LSApplicationQueriesSchemes has the schemes that the SDK asks for.",
        "S001 Build the SDK into your mobile app, step 5"
      )
    case .missingTwinScheme:
      (
        .note, "LSApplicationQueriesSchemes has a twin with -intunemam of each scheme, as far as there is room.",
        "S001 Build the SDK into your mobile app, step 5"
      )
    case .missingFaceIDText:
      (.warning, "An app has NSFaceIDUsageDescription.", "S001 Build the SDK into your mobile app, step 6")
    }
  }
}
