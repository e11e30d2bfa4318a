import PropertyList

/// Checks that involve several settings, or the settings and the surrounding app. Each function lists its rules; their
/// sources are in ``SettingsRule``.
extension SettingsDocument {
  mutating func check() {
    checkSignIn()
    checkExtension()
    checkPolicyAtLaunch()
    checkBackgroundTasks()
    checkSafariViews()
    checkColors()
    checkFileProtection()
    checkTelemetry()
    checkQuerySchemes()
    checkFaceID()
    checkRedirectScheme()
    checkScenes()
    checkActivationRule()
    checkOpenInName()
    checkMinimumOS()
  }

  /// Whether the settings belong to an extension. For settings alone, settings that only extensions have decide.
  private var isExtension: Bool {
    if case .infoPlist(let isExtension) = scope { return isExtension }
    return isPresent("ContainingAppBundleId") || isPresent("OpenInActionExtension")
  }

  /// missingClientID, missingRedirect, redirectsDisagree
  private mutating func checkSignIn() {
    if !isExtension, !isPresent("ADALClientId") {
      addFinding(
        .missingClientID, "ADALClientId is missing",
        remedy: "add the client id of the app's registration, or set aadClientIdOverride while the app runs")
    }
    if !isExtension, !isPresent("ADALRedirectUri"), !isPresent("ADALRedirectScheme") {
      addFinding(
        .missingRedirect, "ADALRedirectUri and ADALRedirectScheme are missing",
        remedy: "add one of them, or set aadRedirectUriOverride while the app runs")
    }
    if let uri = settings.redirectURI, let scheme = settings.redirectScheme, !uri.hasBuildVariable,
      !scheme.hasBuildVariable
    {
      let identifier = info?["CFBundleIdentifier"]?.string.flatMap { $0.contains("$") ? nil : $0 }
      let expected = scheme + "://" + (identifier ?? "")
      let agrees = identifier == nil ? uri.lowercased().hasPrefix(expected.lowercased()) : uri == expected
      if !agrees {
        addFinding(
          .redirectsDisagree, key: "ADALRedirectUri",
          "it is not \(PropertyListExcerpt.quoted(expected + (identifier == nil ? "bundle_id" : ""))), which ADALRedirectScheme makes",
          remedy: "keep one of the two")
      }
    }
  }

  /// missingContainingApp, foreignContainingApp, openInOutsideExtension, openInWithoutAppGroup
  private mutating func checkExtension() {
    if isExtension, !isPresent("ContainingAppBundleId") {
      addFinding(
        .missingContainingApp, "this is an extension, and ContainingAppBundleId is missing",
        remedy: "add the bundle identifier of the app")
    }
    if let app = settings.containingApp, let own = info?["CFBundleIdentifier"]?.string, !app.contains("$"),
      !own.contains("$"), !own.lowercased().hasPrefix(app.lowercased() + ".")
    {
      addFinding(
        .foreignContainingApp, key: "ContainingAppBundleId",
        "the extension \(PropertyListExcerpt.quoted(own)) cannot belong to \(PropertyListExcerpt.quoted(app))",
        remedy: "write the identifier of the app, with which that of the extension begins")
    }
    guard settings.isOpenInActionExtension else { return }
    if scope == .infoPlist(isExtension: false) {
      addFinding(
        .openInOutsideExtension, key: "OpenInActionExtension", "this is not an extension",
        remedy: "move it into the Info.plist of the action extension")
    }
    if !isPresent("AppGroupIdentifiers") {
      addFinding(
        .openInWithoutAppGroup, key: "OpenInActionExtension", "the extension shares no app group with its app",
        remedy: "list the group in AppGroupIdentifiers, here and in the app")
    }
  }

  /// policyRequiredWithoutEnrollment, policyRequiredInAppStore, warningNeverShown
  private mutating func checkPolicyAtLaunch() {
    guard settings.policyRequired else { return }
    if !settings.autoEnrollOnLaunch {
      addFinding(
        .policyRequiredWithoutEnrollment, key: "MAMPolicyRequired",
        "the app is blocked until it has a policy, and AutoEnrollOnLaunch is not set to get one",
        remedy: "set AutoEnrollOnLaunch to true")
    }
    addFinding(
      .policyRequiredInAppStore, key: "MAMPolicyRequired", "the App Store takes no app with this set",
      remedy: "leave it to apps that an organization distributes itself")
    if settings.warnsWhenPolicyAbsent {
      addFinding(
        .warningNeverShown, key: "MAMPolicyWarnAbsent",
        "the warning never shows, because MAMPolicyRequired blocks the app",
        remedy: "remove one of the two")
    }
  }

  /// backgroundTasks: an app that registers background tasks declares them (Apple,
  /// `BGTaskSchedulerPermittedIdentifiers`).
  private mutating func checkBackgroundTasks() {
    guard let tasks = info?["BGTaskSchedulerPermittedIdentifiers"]?.array, !tasks.isEmpty,
      !settings.finishesLaunchingAtStartup
    else { return }
    addFinding(
      .backgroundTasks, "the app declares background tasks, and FinishLaunchingAtStartup is not set",
      remedy: "set FinishLaunchingAtStartup to true")
  }

  /// safariViews
  private mutating func checkSafariViews() {
    guard settings.leavesSafariViewsAlone else { return }
    addFinding(
      .safariViews, key: "SafariViewControllerBlockedOverride",
      "Safari views are not controlled, so organization data shown in one can leak",
      remedy: "sign in with WKWebView and remove it, or show no organization data there")
  }

  /// sameColors, loneColor, darkModeWithoutEffect
  private mutating func checkColors() {
    let pairs = [
      (settings.foregroundColor, settings.backgroundColor, "ForegroundColor", "BackgroundColor"),
      (settings.accentColor, settings.backgroundColor, "AccentColor", "BackgroundColor"),
      (
        settings.secondaryForegroundColor, settings.secondaryBackgroundColor, "SecondaryForegroundColor",
        "SecondaryBackgroundColor"
      ),
    ]
    for case (let front?, let back?, let frontKey, let backKey) in pairs where front == back {
      addFinding(
        .sameColors, key: frontKey, "it is \(front), as is \(backKey), so that nothing can be read",
        remedy: "choose another color")
    }
    if (settings.foregroundColor == nil) != (settings.backgroundColor == nil) {
      let (set, other) =
        settings.foregroundColor == nil
        ? ("BackgroundColor", "ForegroundColor") : ("ForegroundColor", "BackgroundColor")
      addFinding(
        .loneColor, key: set,
        "\(other) is not set and follows the system, so that dark mode may leave nothing to be read",
        remedy: "set both or none")
    }
    let colors = [settings.backgroundColor, settings.foregroundColor, settings.accentColor]
    if isGiven("SupportsDarkMode"), settings.supportsDarkMode, colors.contains(where: { $0 != nil }) {
      addFinding(
        .darkModeWithoutEffect, key: "SupportsDarkMode", "it has no effect where a main color is set",
        remedy: "remove it, or remove BackgroundColor, ForegroundColor and AccentColor")
    }
  }

  /// unprotectedFiles, lockedFiles
  private mutating func checkFileProtection() {
    if settings.maximumFileProtection == .none {
      addFinding(
        .unprotectedFiles, key: "MaxFileProtectionLevel", "files are not protected, whatever the policy asks for",
        remedy: "write \(FileProtectionLevel.completeUntilFirstUserAuthentication.rawValue)")
    }
    // Audio and calls continue, with controls, while the screen is locked.
    let modes = info?["UIBackgroundModes"]?.array?.compactMap(\.string) ?? []
    if settings.maximumFileProtection == .complete, let mode = modes.first(where: { $0 == "audio" || $0 == "voip" }) {
      addFinding(
        .lockedFiles, key: isPresent("MaxFileProtectionLevel") ? "MaxFileProtectionLevel" : nil,
        "the app has the background mode \(mode), and cannot read protected files ten seconds after the device is locked",
        remedy:
          "set MaxFileProtectionLevel to \(FileProtectionLevel.completeUntilFirstUserAuthentication.rawValue) where it shows something on the locked screen"
      )
    }
  }

  /// testTelemetry
  private mutating func checkTelemetry() {
    guard settings.sendsTestTelemetry else { return }
    addFinding(
      .testTelemetry, key: "MAMTelemetryUsePPE", "telemetry goes where tests belong",
      remedy: "remove it before the app is released")
  }

  // MARK: Around the settings

  /// The schemes by which the SDK finds browsers and apps that assess the device (S001, "Build the SDK into your mobile
  /// app", step 5).
  static let querySchemes = [
    "http-intunemam", "https-intunemam", "microsoft-edge-http-intunemam", "microsoft-edge-https-intunemam", "smart-ns",
    "zips", "lacoonsecurity", "wandera", "lookoutwork-ase", "skycure", "betteractiveshield", "smsec", "mvisionmobile",
    "scmx", "intunemam-mtd",
  ]

  /// The schemes by which the sign-in library finds an authentication broker.
  static let brokerSchemes = ["msauthv2", "msauthv3"]

  /// missingQuerySchemes, missingBrokerSchemes, missingTwinScheme
  private mutating func checkQuerySchemes() {
    guard scope == .infoPlist(isExtension: false), let info else { return }
    let key = "LSApplicationQueriesSchemes"
    let entry = info.entry(key)
    let schemes = entry?.value.array?.compactMap(\.string) ?? []
    let declared = Set(schemes.map { $0.lowercased() })
    var needed = Self.querySchemes
    if declared.contains("mailto") { needed.append("ms-outlook-intunemam") }
    let missing = needed.filter { !declared.contains($0) }
    if !missing.isEmpty {
      addFinding(
        .missingQuerySchemes, about: entry, key, "the SDK asks for schemes that are not declared",
        remedy: "add \(missing.joined(separator: ", "))")
    }
    let brokers = Self.brokerSchemes.filter { !declared.contains($0) }
    if !brokers.isEmpty {
      addFinding(
        .missingBrokerSchemes, about: entry, key,
        "the sign-in library asks for schemes that are not declared, so that it finds no app to sign in with",
        remedy: "add \(brokers.joined(separator: " and "))")
    }
    let own = schemes.filter {
      !(Self.querySchemes + Self.brokerSchemes).contains($0.lowercased()) && !$0.lowercased().hasSuffix("-intunemam")
    }
    let alone = own.filter { !declared.contains($0.lowercased() + "-intunemam") }
    if !alone.isEmpty {
      addFinding(
        .missingTwinScheme, about: entry, key,
        "canOpenURL may be wrong about \(alone.prefix(8).map(PropertyListExcerpt.quoted).joined(separator: ", "))\(alone.count > 8 ? ", …" : ""): no twin with -intunemam is listed",
        remedy: "add the twins, or ask isURLAllowed with isKnownManagedAppScheme where the list is full")
    }
  }

  /// missingFaceIDText
  private mutating func checkFaceID() {
    guard scope == .infoPlist(isExtension: false), let info else { return }
    let key = "NSFaceIDUsageDescription"
    let entry = info.entry(key)
    guard entry?.value.string?.isEmpty ?? true else { return }
    addFinding(
      .missingFaceIDText, about: entry, key, "a policy may require Face ID, but no text states the purpose",
      remedy: "add a text, here or in the build settings")
  }
}
