/// The rules that lint checks in an app's settings. Their names never change.
public enum SettingsRule: String, Sendable, CaseIterable {
  /// The file has no settings.
  case noSettings
  /// A setting is outside the dictionary.
  case misplacedSetting
  /// A key is not a setting.
  case unknownSetting
  /// A key around the settings occurs twice.
  case repeatedKey
  /// A value has the wrong type.
  case wrongType
  /// A value has the right type but the wrong form.
  case invalidValue
  /// A number is outside its range.
  case outOfRange
  /// The client id is missing.
  case missingClientID
  /// The redirect is missing.
  case missingRedirect
  /// Both redirects are present and differ.
  case redirectsDisagree
  /// An extension does not name its app.
  case missingContainingApp
  /// An extension names an app that cannot contain it.
  case foreignContainingApp
  /// An app is marked as the action extension.
  case openInOutsideExtension
  /// The action extension shares no app group.
  case openInWithoutAppGroup
  /// A policy is required but nothing enrolls the app.
  case policyRequiredWithoutEnrollment
  /// A policy is required, which the App Store rejects.
  case policyRequiredInAppStore
  /// The warning about a missing policy is never shown.
  case warningNeverShown
  /// Background tasks are not registered in time.
  case backgroundTasks
  /// Safari views are not controlled.
  case safariViews
  /// Text has the same color as its background.
  case sameColors
  /// Only one of text and background follows the system.
  case loneColor
  /// Dark mode is requested but cannot take effect.
  case darkModeWithoutEffect
  /// Files are never protected, whatever the policy requires.
  case unprotectedFiles
  /// Files are inaccessible while the app shows something on a locked screen.
  case lockedFiles
  /// Telemetry goes to the test environment.
  case testTelemetry
  /// Schemes that the SDK queries are not declared.
  case missingQuerySchemes
  /// A scheme's managed twin is not declared.
  case missingTwinScheme
  /// The text for Face ID is missing.
  case missingFaceIDText
  /// A sign-in returns to a link that does not open the app.
  case redirectWithoutURLType
  /// Schemes that the sign-in library queries are not declared.
  case missingBrokerSchemes
  /// Scenes are declared but none has a delegate.
  case sceneWithoutDelegate
  /// An extension's activation rule lacks the SDK's types.
  case activationRuleWithoutTypes
  /// The action extension's name is not the one that the guides require.
  case openInName
  /// An app with the action extension has no link that opens it.
  case openInWithoutURLScheme
  /// An app and its extension share no app group.
  case noCommonAppGroup
  /// A keychain group is missing from the entitlements.
  case missingKeychainGroup
  /// The first keychain group is not the app's own.
  case keychainGroupOrder
  /// The app lists an app group to which it is not entitled.
  case appGroupNotEntitled
  /// The app is entitled to an app group that it does not list.
  case appGroupNotListed
  /// The app is built for a system that the SDK does not support.
  case minimumOSTooLow
  /// An app lacks a framework that the SDK needs.
  case missingFramework
  /// The frameworks of the SDK are of several releases.
  case frameworkVersionsDiffer
  /// An extension brings a framework that its app has.
  case frameworkInExtension
  /// An extension names another app than the one it is in.
  case otherContainingApp
  /// An extension signs in otherwise than its app.
  case extensionSettingsDiffer
  /// An extension is entitled to none of its app's groups.
  case extensionWithoutAppGroup

  /// How serious a finding is.
  public enum Severity: String, Sendable, CaseIterable {
    /// A setting does not do what it says, or the SDK lacks something it needs.
    case error
    /// The guides recommend something else.
    case warning
    /// Correct if intended, but with a consequence to be aware of.
    case note
  }

  /// The severity of this rule's findings.
  public var severity: Severity { row.severity }
  /// The rule in one sentence.
  public var meaning: String { row.meaning }
  /// Where the rule is published: a tag and a heading; see the article "Settings".
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
      (
        .warning, "MaxFileProtectionLevel does not justify leaving files unprotected.",
        "S001 Configure settings; DERIVED"
      )
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
    case .redirectWithoutURLType:
      (.warning, "CFBundleURLTypes has the scheme of the redirect URI.", "M Configuring MSAL, 2")
    case .missingBrokerSchemes:
      (.warning, "LSApplicationQueriesSchemes has msauthv2 and msauthv3.", "M Configuring MSAL, 3")
    case .sceneWithoutDelegate:
      (.warning, "An app that supports scenes has a scene delegate.", "S000 SwiftUI Support")
    case .activationRuleWithoutTypes:
      (
        .warning, "NSExtensionActivationRule has a twin with com.microsoft.intune.mam of each type.",
        "S002 Update existing Share and Action extensions"
      )
    case .openInName:
      (
        .note, "The action extension is named \"Open in\" and the app's name.",
        "S002 Share Data via UIActivityViewController, step 4"
      )
    case .openInWithoutURLScheme:
      (
        .error, "An app with the action extension has a URL scheme and its twin with -intunemam.",
        "S002 Share Data via UIActivityViewController, step 1"
      )
    case .noCommonAppGroup:
      (
        .error, "An app and its extension list a common group in AppGroupIdentifiers.",
        "S002 Share Data via UIActivityViewController, step 2"
      )
    case .missingKeychainGroup:
      (
        .error, "Entitlements have the keychain groups of the SDK and, for an app, of the token cache.",
        "S001 Build the SDK into your mobile app, step 4"
      )
    case .keychainGroupOrder:
      (
        .warning, "The first keychain group is the bundle identifier.",
        "S001 Build the SDK into your mobile app, step 4"
      )
    case .appGroupNotEntitled:
      (.error, "AppGroupIdentifiers lists groups of the entitlements.", "S001 Configure settings")
    case .appGroupNotListed:
      (.warning, "AppGroupIdentifiers lists every app group of the entitlements.", "S001 Configure settings")
    case .minimumOSTooLow: (.error, "An app is built for iOS 14.0 or later.", "S001 Prerequisites")
    case .missingFramework:
      (
        .error, "An app that embeds IntuneMAMSwift embeds IntuneMAMSwiftStub.",
        "S001 Build the SDK into your mobile app, step 1"
      )
    case .frameworkVersionsDiffer: (.warning, "All frameworks of the SDK are of one release.", "DERIVED")
    case .frameworkInExtension:
      (
        .warning, "An extension embeds no framework of the SDK.", "S001 Build the SDK into your mobile app, step 1"
      )
    case .otherContainingApp:
      (
        .error, "ContainingAppBundleId is the bundle identifier of the app that has the extension.",
        "S001 Configure settings"
      )
    case .extensionSettingsDiffer:
      (.warning, "An extension has the client id, the authority and the token cache of its app.", "DERIVED")
    case .extensionWithoutAppGroup:
      (.note, "An extension is entitled to an app group of its app.", "DERIVED")
    }
  }
}
