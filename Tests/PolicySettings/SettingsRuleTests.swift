import Expectations
import PropertyList
import Testing

@testable import PolicySettings

@Suite("Lint of the settings")
struct SettingsRuleTests {
  typealias Samples = SettingSamples

  struct Case: Sendable, CustomTestStringConvertible {
    var rule: SettingsRule
    var settings: String
    var around = Samples.around
    /// The finding, without file and position.
    var expected: String
    var testDescription: String { "\(rule): \(expected)" }
  }

  private static func found(_ rule: SettingsRule, _ key: String, _ value: String, _ expected: String) -> Case {
    Case(rule: rule, settings: Samples.needed + Samples.entry(key, value), expected: expected)
  }

  private static func app(_ rule: SettingsRule, _ around: String, settings: String = "", _ expected: String) -> Case {
    Case(rule: rule, settings: Samples.needed + settings, around: around, expected: expected)
  }

  private static let faceID = "<key>NSFaceIDUsageDescription</key><string>x</string>"

  static let cases: [Case] = settings + apps

  private static let settings: [Case] = [
    found(
      .unknownSetting, "MultiIdentitty", "<string>x</string>",
      "IntuneMAMSettings.MultiIdentitty: the guides name no such setting; remove it, or see which there are: pj settings keys"
    ),
    found(
      .unknownSetting, "ADALClientID", "<string>x</string>",
      "IntuneMAMSettings.ADALClientID: the guides name no such setting; remove it, or see which there are: pj settings keys"
    ),
    found(
      .invalidValue, "ADALRedirectScheme", "<string>https</string>",
      "IntuneMAMSettings.ADALRedirectScheme: \"https\" opens a web browser or an app of the system, and never this app; write the app's own, such as msauth.com.contoso.app://auth, or for a scheme msauth.com.contoso.app"
    ),
    found(
      .invalidValue, "ADALAuthority", "<string>https://login.microsoftonline.com/YOUR_TENANT_ID</string>",
      "IntuneMAMSettings.ADALAuthority: \"https://login.microsoftonline.com/YOUR_TENANT_ID\" was left in from a template; write a value, or remove the key"
    ),
    found(
      .unknownSetting, "MultiIdentitty", "<true/>",
      "IntuneMAMSettings.MultiIdentitty: the guides name no such setting; write MultiIdentity"),
    found(
      .unknownSetting, "Zebra", "<true/>",
      "IntuneMAMSettings.Zebra: the guides name no such setting; remove it, or see which there are: pj settings keys"),
    found(
      .unknownSetting, "Flera identiteter", "<true/>",
      "IntuneMAMSettings[\"Flera identiteter\"]: the guides name no such setting; write MultiIdentity"),
    found(
      .unknownSetting, "MAMTelemetryAnvändPPE", "<true/>",
      "IntuneMAMSettings[\"MAMTelemetryAnvändPPE\"]: the guides name no such setting; write MAMTelemetryUsePPE"),
    found(
      .wrongType, "MultiIdentity", "<string>YES</string>",
      "IntuneMAMSettings.MultiIdentity: true or false is needed, and the text \"YES\" was found; write <true/> or <false/>"
    ),
    found(
      .wrongType, "SplashIconFile", "<true/>",
      "IntuneMAMSettings.SplashIconFile: text is needed, and true was found; write <string>…</string>"),
    found(
      .wrongType, "SplashDuration", "<string>2</string>",
      "IntuneMAMSettings.SplashDuration: a number is needed, and the text \"2\" was found; write <real>1.5</real>"),
    found(
      .wrongType, "AppGroupIdentifiers", "<string>group.a</string>",
      "IntuneMAMSettings.AppGroupIdentifiers: a list of texts is needed, and the text \"group.a\" was found; write <array><string>…</string></array>"
    ),
    found(
      .wrongType, "AppGroupIdentifiers", "<array><integer>1</integer></array>",
      "IntuneMAMSettings.AppGroupIdentifiers: element 0: text is needed, and the number 1 was found; write <string>…</string>"
    ),
    found(
      .wrongType, "ValuesToScrubFromLogging", "<string>hunter2</string>",
      "IntuneMAMSettings.ValuesToScrubFromLogging: a list of texts is needed, and something else was found; write <array><string>…</string></array>"
    ),
    found(
      .invalidValue, "ValuesToScrubFromLogging", "<array><string/></array>",
      "IntuneMAMSettings.ValuesToScrubFromLogging: element 0 \"\" is empty; write a value, or remove the key"),
    found(
      .invalidValue, "AccentColor", "<string>blue</string>",
      "IntuneMAMSettings.AccentColor: \"blue\" is not a color; write six hexadecimal digits, such as #1A2B3C"),
    found(
      .invalidValue, "MaxFileProtectionLevel", "<string>NSFileProtectionComplet</string>",
      "IntuneMAMSettings.MaxFileProtectionLevel: \"NSFileProtectionComplet\" is not a level of file protection; write NSFileProtectionComplete"
    ),
    found(
      .invalidValue, "ADALAuthority", "<string>contoso.com</string>",
      "IntuneMAMSettings.ADALAuthority: \"contoso.com\" is not an https address; write one like https://login.microsoftonline.com/TENANT"
    ),
    found(
      .invalidValue, "WebViewHandledURLSchemes", "<array><string>my://</string></array>",
      "IntuneMAMSettings.WebViewHandledURLSchemes: element 0 \"my://\" is not a URL scheme; write only the part before the colon, such as myapp"
    ),
    found(
      .invalidValue, "WebViewHandledURLSchemes", "<array><string>1my://</string></array>",
      "IntuneMAMSettings.WebViewHandledURLSchemes: element 0 \"1my://\" is not a URL scheme; write a letter, then letters, digits, +, - and ., such as myapp"
    ),
    found(
      .unknownSetting, "MaxFileProtectionLevell", "<string>strong</string>",
      "IntuneMAMSettings.MaxFileProtectionLevell: the guides name no such setting; remove it, or see which there are: pj settings keys"
    ),
    found(
      .outOfRange, "SplashDuration", "<real>-1</real>",
      "IntuneMAMSettings.SplashDuration: the number -1.0 is not a length of time; write a number of seconds, 0 or more"),
    found(
      .outOfRange, "SplashDuration", "<real>inf</real>",
      "IntuneMAMSettings.SplashDuration: the number inf is not a length of time; write a number of seconds, 0 or more"),
    found(
      .redirectsDisagree, "ADALRedirectScheme", "<string>contoso</string>",
      "IntuneMAMSettings.ADALRedirectUri: it is not \"contoso://com.contoso.app\", which ADALRedirectScheme makes; keep one of the two"
    ),
    found(
      .openInOutsideExtension, "OpenInActionExtension", "<true/>",
      "IntuneMAMSettings.OpenInActionExtension: this is not an extension; move it into the Info.plist of the action extension"
    ),
    found(
      .openInWithoutAppGroup, "OpenInActionExtension", "<true/>",
      "IntuneMAMSettings.OpenInActionExtension: the extension shares no app group with its app; list the group in AppGroupIdentifiers, here and in the app"
    ),
    found(
      .policyRequiredWithoutEnrollment, "MAMPolicyRequired", "<true/>",
      "IntuneMAMSettings.MAMPolicyRequired: the app is blocked until it has a policy, and AutoEnrollOnLaunch is not set to get one; set AutoEnrollOnLaunch to true"
    ),
    found(
      .policyRequiredInAppStore, "MAMPolicyRequired", "<true/>",
      "IntuneMAMSettings.MAMPolicyRequired: the App Store takes no app with this set; leave it to apps that an organization distributes itself"
    ),
    found(
      .warningNeverShown, "MAMPolicyRequired", "<true/><key>MAMPolicyWarnAbsent</key><true/>",
      "IntuneMAMSettings.MAMPolicyWarnAbsent: the warning never shows, because MAMPolicyRequired blocks the app; remove one of the two"
    ),
    found(
      .safariViews, "SafariViewControllerBlockedOverride", "<true/>",
      "IntuneMAMSettings.SafariViewControllerBlockedOverride: Safari views are not controlled, so organization data shown in one can leak; sign in with WKWebView and remove it, or show no organization data there"
    ),
    found(
      .sameColors, "ForegroundColor", "<string>#aabbcc</string><key>BackgroundColor</key><string>AABBCC</string>",
      "IntuneMAMSettings.ForegroundColor: it is #AABBCC, as is BackgroundColor, so that nothing can be read; choose another color"
    ),
    found(
      .sameColors, "SecondaryForegroundColor", "<string>#FFFFFF</string>",
      "IntuneMAMSettings.SecondaryForegroundColor: it is #FFFFFF, as is SecondaryBackgroundColor, so that nothing can be read; choose another color"
    ),
    found(
      .loneColor, "BackgroundColor", "<string>#FFFFFF</string>",
      "IntuneMAMSettings.BackgroundColor: ForegroundColor is not set and follows the system, so that dark mode may leave nothing to be read; set both or none"
    ),
    found(
      .darkModeWithoutEffect, "SupportsDarkMode", "<true/><key>AccentColor</key><string>#102030</string>",
      "IntuneMAMSettings.SupportsDarkMode: it has no effect where a main color is set; remove it, or remove BackgroundColor, ForegroundColor and AccentColor"
    ),
    found(
      .unprotectedFiles, "MaxFileProtectionLevel", "<string>NSFileProtectionNone</string>",
      "IntuneMAMSettings.MaxFileProtectionLevel: files are not protected, whatever the policy asks for; write NSFileProtectionCompleteUntilFirstUserAuthentication"
    ),
    found(
      .testTelemetry, "MAMTelemetryUsePPE", "<true/>",
      "IntuneMAMSettings.MAMTelemetryUsePPE: telemetry goes where tests belong; remove it before the app is released"),
  ]

  private static let apps: [Case] = [
    app(
      .minimumOSTooLow, Samples.around + "<key>MinimumOSVersion</key><string>13.4</string>",
      "MinimumOSVersion: the SDK needs iOS 14.0, and this is built for \"13.4\"; set IPHONEOS_DEPLOYMENT_TARGET to 14.0 or later"
    ),
    app(
      .repeatedKey, Samples.around + "<key>CFBundleIdentifier</key><string>com.contoso.b</string>",
      "CFBundleIdentifier: the key occurs twice in one dictionary, and only one of its values counts; remove one of them"
    ),
    app(
      .repeatedKey, Samples.around + "<key>a</key><array><dict><key>b</key><true/><key>b</key><false/></dict></array>",
      "a[0].b: the key occurs twice in one dictionary, and only one of its values counts; remove one of them"),
    Case(
      rule: .missingClientID, settings: Samples.entry("ADALRedirectScheme", "<string>a</string>"),
      expected:
        "IntuneMAMSettings: ADALClientId is missing; add the client id of the app's registration, or set aadClientIdOverride while the app runs"
    ),
    Case(
      rule: .missingRedirect, settings: "",
      expected:
        "IntuneMAMSettings: ADALRedirectUri and ADALRedirectScheme are missing; add one of them, or set aadRedirectUriOverride while the app runs"
    ),
    app(
      .misplacedSetting, Samples.around + "<key>MultiIdentity</key><true/>",
      "MultiIdentity: a setting outside IntuneMAMSettings has no effect; move it into IntuneMAMSettings"),
    app(
      .missingContainingApp, Samples.aroundExtension,
      "IntuneMAMSettings: this is an extension, and ContainingAppBundleId is missing; add the bundle identifier of the app"
    ),
    app(
      .foreignContainingApp, Samples.aroundExtension,
      settings: Samples.entry("ContainingAppBundleId", "<string>com.contoso.other</string>"),
      "IntuneMAMSettings.ContainingAppBundleId: the extension \"com.contoso.app.share\" cannot belong to \"com.contoso.other\"; write the identifier of the app, with which that of the extension begins"
    ),
    app(
      .backgroundTasks,
      Samples.around + "<key>BGTaskSchedulerPermittedIdentifiers</key><array><string>a</string></array>",
      "IntuneMAMSettings: the app declares background tasks, and FinishLaunchingAtStartup is not set; set FinishLaunchingAtStartup to true"
    ),
    app(
      .lockedFiles, Samples.around + "<key>UIBackgroundModes</key><array><string>audio</string></array>",
      "IntuneMAMSettings: the app has the background mode audio, and cannot read protected files ten seconds after the device is locked; set MaxFileProtectionLevel to NSFileProtectionCompleteUntilFirstUserAuthentication where it shows something on the locked screen"
    ),
    app(
      .missingQuerySchemes, faceID + Samples.querySchemes.replacing("<string>zips</string>", with: "") + "</array>",
      "LSApplicationQueriesSchemes: the SDK asks for schemes that are not declared; add zips"),
    app(
      .missingQuerySchemes,
      faceID + Samples.querySchemes + "<string>mailto</string><string>mailto-intunemam</string></array>",
      "LSApplicationQueriesSchemes: the SDK asks for schemes that are not declared; add ms-outlook-intunemam"),
    app(
      .missingTwinScheme,
      faceID + Samples.querySchemes + "<string>a</string><string>b</string><string>B-intunemam</string></array>",
      "LSApplicationQueriesSchemes: canOpenURL may be wrong about \"a\": no twin with -intunemam is listed; add the twins, or ask isURLAllowed with isKnownManagedAppScheme where the list is full"
    ),
    app(
      .missingFaceIDText, Samples.querySchemes + "</array>",
      "NSFaceIDUsageDescription: a policy may require Face ID, but no text states the purpose; add a text, here or in the build settings"
    ),
    app(
      .redirectWithoutURLType, Samples.around.replacing(Samples.urlTypes, with: ""),
      "IntuneMAMSettings.ADALRedirectUri: CFBundleURLTypes has no scheme \"msauth.com.contoso.app\", so that no sign-in comes back to the app; add the scheme to CFBundleURLTypes"
    ),
    Case(
      rule: .redirectWithoutURLType, settings: Samples.entry("ADALRedirectScheme", "<string>contoso</string>"),
      expected:
        "IntuneMAMSettings.ADALRedirectScheme: CFBundleURLTypes has no scheme \"contoso\", so that no sign-in comes back to the app; add the scheme to CFBundleURLTypes"
    ),
    app(
      .missingBrokerSchemes, Samples.around.replacing("<string>msauthv3</string>", with: ""),
      "LSApplicationQueriesSchemes: the sign-in library asks for schemes that are not declared, so that it finds no app to sign in with; add msauthv3"
    ),
    app(
      .sceneWithoutDelegate, Samples.around + Samples.scenes("<key>UISceneConfigurationName</key><string>x</string>"),
      "UIApplicationSceneManifest: the app supports scenes, and no scene has a delegate; name a class in UISceneDelegateClassName, or remove the manifest"
    ),
    app(
      .activationRuleWithoutTypes, Samples.sharing(rule: "<string>ANY t UTI-CONFORMS-TO \"public.url\"</string>"),
      "NSExtension: NSExtensionActivationRule names types without their twins of the SDK; add \"com.microsoft.intune.mam.public.url\""
    ),
    app(
      .activationRuleWithoutTypes, Samples.sharing(rule: "<string>TRUEPREDICATE</string>"),
      "NSExtension: NSExtensionActivationRule names no type of the SDK; add the types that the app shares, with com.microsoft.intune.mam. before each"
    ),
    app(
      .activationRuleWithoutTypes,
      Samples.sharing(rule: "<dict><key>NSExtensionActivationSupportsText</key><true/></dict>"),
      "NSExtension: NSExtensionActivationRule is a dictionary, which cannot name the SDK's types; write it as a predicate; pj settings fix --convert-rules does"
    ),
    app(
      .openInName, Samples.aroundExtension + "<key>CFBundleDisplayName</key><string>Copy to Contoso</string>",
      settings: Samples.openIn,
      "CFBundleDisplayName: \"Copy to Contoso\" does not say what the extension does; write \"Open in\" and the name of the app, and translate it with the app"
    ),
  ]

  @Test("Each rule finds what it is about, and says where, why and what to do", arguments: cases)
  func finds(example: Case) throws {
    let findings = try Samples.document(example.settings, around: example.around).findings
    let texts = findings.filter { $0.rule == example.rule }.map { "\($0.path): \($0.message); \($0.remedy)" }
    expectEqual(texts, [example.expected])
    for finding in findings {
      #expect(finding.description.hasPrefix("Info.plist: line "))
      #expect(!finding.description.contains("hunter2"))
    }
  }

  @Test("Every rule has an example")
  func everyRule() {
    let shown = Set(Self.cases.map(\.rule)).union(AppComparisonTests.cases.map(\.rule)).union(
      AppPartsTests.cases.map(\.rule))
    expectEqual(Set(SettingsRule.allCases).subtracting(shown), [.noSettings])
  }

  @Test(
    "A file without settings says so",
    arguments: [
      (
        "<dict/>",
        "line 1, column 1: IntuneMAMSettings: the dictionary of the settings is missing; add IntuneMAMSettings with a <dict>"
      ),
      ("<array/>", "line 1, column 1: a dictionary is needed, and an array was found; give an Info.plist"),
      (
        "<dict>\n<key>IntuneMamSettings</key><dict/></dict>",
        "line 1, column 1: IntuneMAMSettings: the dictionary of the settings is missing; add IntuneMAMSettings with a <dict>|line 2, column 1: IntuneMamSettings: this may be meant for IntuneMAMSettings; rename it IntuneMAMSettings"
      ),
      (
        "<dict><key>IntuneMAMSettings</key>\n<true/></dict>",
        "line 2, column 1: IntuneMAMSettings: a dictionary is needed, and true was found; write <dict>…</dict>"
      ),
    ])
  func noSettings(text: String, expected: String) throws {
    let findings = try SettingsDocument.read(Array(text.utf8)).findings
    expectEqual(findings.map(\.description).joined(separator: "|"), expected)
  }

  @Test("Files that follow the guides have no findings")
  func silence() throws {
    let quiet = [
      Samples.entry("MAMPolicyRequired", "<false/>"), Samples.entry("ADALRedirectScheme", "<string>$(SCHEME)</string>"),
      Samples.entry("BackgroundColor", "<string>$(COLOR)</string>"),
    ]
    try expectEqual(Samples.document(Samples.needed + quiet[0]).findings, [])
    try expectEqual(Samples.document(Samples.needed + quiet[1]).findings, [])
    let enrolling = Samples.entry("MAMPolicyRequired", "<true/>") + Samples.entry("AutoEnrollOnLaunch", "<true/>")
    try expectEqual(Samples.document(Samples.needed + enrolling).findings.map(\.rule), [.policyRequiredInAppStore])
    let modes = "<key>UIBackgroundModes</key><array><string>audio</string></array>"
    let level = Samples.entry(
      "MaxFileProtectionLevel", "<string>NSFileProtectionCompleteUntilFirstUserAuthentication</string>")
    try expectEqual(Samples.document(Samples.needed + level, around: Samples.around + modes).findings, [])
    let tasks = "<key>BGTaskSchedulerPermittedIdentifiers</key><array><string>a</string></array>"
    let delegate = "<key>UISceneDelegateClassName</key><string>Scene</string>"
    try expectEqual(Samples.document(Samples.needed, around: Samples.around + Samples.scenes(delegate)).findings, [])
    let own = Samples.entry("ADALClientId", "<string>0c5a1d1e-1111-2222-3333-444455556666</string>")
    let redirect = Samples.entry("ADALRedirectUri", "<string>$(SCHEME)://auth</string>")
    try expectEqual(
      Samples.document(own + redirect, around: Samples.around.replacing(Samples.urlTypes, with: "")).findings, [])
    let share = Samples.entry("ContainingAppBundleId", "<string>com.contoso.app</string>")
    try expectEqual(
      Samples.document(
        share,
        around: Samples.sharing(
          rule:
            "<string>ANY t CONFORMS \"public.url\" || ANY t CONFORMS \"com.microsoft.intune.mam.public.url\"</string>")
      ).findings, [])
    let name = "<key>CFBundleDisplayName</key><string>Open in Contoso</string>"
    try expectEqual(Samples.document(Samples.openIn, around: Samples.aroundExtension + name).findings, [])
    let finish = Samples.entry("FinishLaunchingAtStartup", "<true/>")
    try expectEqual(Samples.document(Samples.needed + finish, around: Samples.around + tasks).findings, [])
  }
}
