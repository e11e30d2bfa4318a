import PropertyList

/// Checks what the `Info.plist` around the settings says about links, scenes and sharing. Each function lists its
/// rules; their sources are in ``SettingsRule``.
extension SettingsDocument {
  /// The bundle identifier of the app or extension; `nil` if the file does not tell it, or with a build variable.
  public var bundleIdentifier: String? {
    info?["CFBundleIdentifier"]?.string.flatMap { $0.isEmpty || $0.hasBuildVariable ? nil : $0 }
  }

  /// The schemes of links that open the app.
  var urlSchemes: [String] {
    (info?["CFBundleURLTypes"]?.array ?? []).flatMap { type in
      type.dictionary?["CFBundleURLSchemes"]?.array?.compactMap(\.string) ?? []
    }
  }

  /// redirectWithoutURLType
  mutating func checkRedirectScheme() {
    guard scope == .infoPlist(isExtension: false) else { return }
    let key = settings.redirectURI == nil ? "ADALRedirectScheme" : "ADALRedirectUri"
    let redirect = settings.redirectURI.map { String($0.prefix { $0 != ":" }) } ?? settings.redirectScheme
    guard let scheme = redirect, !scheme.isEmpty, !scheme.hasBuildVariable else { return }
    let declared = urlSchemes.map { BuildVariable.resolving($0, identifier: bundleIdentifier).lowercased() }
    // Another build variable may stand for anything.
    guard !declared.contains(scheme.lowercased()), !declared.contains(where: { $0.hasBuildVariable }) else { return }
    addFinding(
      .redirectWithoutURLType, key: key,
      "CFBundleURLTypes has no scheme \(PropertyListExcerpt.quoted(scheme)), so that no sign-in comes back to the app",
      remedy: "add the scheme to CFBundleURLTypes")
  }

  /// sceneWithoutDelegate
  mutating func checkScenes() {
    let key = "UIApplicationSceneManifest"
    guard let entry = info?.entry(key) else { return }
    let roles = entry.value.dictionary?["UISceneConfigurations"]?.dictionary?.entries ?? []
    let scenes = roles.flatMap { $0.value.array ?? [] }
    guard !scenes.contains(where: { $0.dictionary?["UISceneDelegateClassName"]?.string?.isEmpty == false }) else {
      return
    }
    addFinding(
      .sceneWithoutDelegate, about: entry, key, "the app supports scenes, and no scene has a delegate",
      remedy: "name a class in UISceneDelegateClassName, or remove the manifest")
  }

  /// The earliest release of iOS for which an app with the SDK is built.
  private static let minimumOS = 14

  /// Whether a release of iOS is one that the SDK does not support; `false` if it is not known.
  static func isBelowMinimumOS(_ version: String) -> Bool {
    Int(version.prefix { $0 != "." }).map { $0 < minimumOS } ?? false
  }

  /// Why a release of iOS is too early.
  static func minimumOSMessage(_ version: String) -> String {
    "the SDK needs iOS \(minimumOS).0, and this is built for \(PropertyListExcerpt.quoted(version))"
  }

  static let minimumOSRemedy = "set IPHONEOS_DEPLOYMENT_TARGET to \(minimumOS).0 or later"

  /// minimumOSTooLow
  mutating func checkMinimumOS() {
    let key = "MinimumOSVersion"
    guard let entry = info?.entry(key), let text = entry.value.string, Self.isBelowMinimumOS(text) else { return }
    addFinding(
      .minimumOSTooLow, about: entry, key, Self.minimumOSMessage(text), remedy: Self.minimumOSRemedy)
  }

  // MARK: Sharing

  /// The prefix of data types that belong to the SDK.
  static let managedTypePrefix = "com.microsoft.intune.mam."

  /// The activation rule of an extension, with its entry; `nil` if this is not an extension or has no rule.
  var activationRule: PropertyListValue? {
    info?["NSExtension"]?.dictionary?["NSExtensionAttributes"]?.dictionary?["NSExtensionActivationRule"]
  }

  /// The types of data that an extension's rule names in quotes; `nil` if the rule is not a predicate.
  var activationTypes: [String]? {
    activationRule?.string.map { ActivationPredicate($0).quotedTexts }
  }

  /// activationRuleWithoutTypes
  mutating func checkActivationRule() {
    guard scope == .infoPlist(isExtension: true), let rule = activationRule else { return }
    let key = "NSExtension"
    guard let types = activationTypes else {
      guard rule.dictionary != nil else { return }
      addFinding(
        .activationRuleWithoutTypes, about: info?.entry(key), key,
        "NSExtensionActivationRule is a dictionary, which cannot name the SDK's types",
        remedy: "write it as a predicate; pj settings fix --convert-rules does")
      return
    }
    let managed = Set(types.filter { $0.hasPrefix(Self.managedTypePrefix) })
    let alone = types.filter {
      !$0.hasPrefix(Self.managedTypePrefix) && !managed.contains(Self.managedTypePrefix + $0)
    }
    guard !alone.isEmpty || managed.isEmpty else { return }
    let missing = alone.isEmpty ? [] : alone.map { Self.managedTypePrefix + $0 }
    addFinding(
      .activationRuleWithoutTypes, about: info?.entry(key), key,
      missing.isEmpty
        ? "NSExtensionActivationRule names no type of the SDK"
        : "NSExtensionActivationRule names types without their twins of the SDK",
      remedy: missing.isEmpty
        ? "add the types that the app shares, with \(Self.managedTypePrefix) before each"
        : "add \(missing.prefix(8).map(PropertyListExcerpt.quoted).joined(separator: ", "))")
  }

  /// The name shown to the user for the app or the extension.
  var displayName: PropertyListDictionary.Entry? { info?.entry("CFBundleDisplayName") ?? info?.entry("CFBundleName") }

  /// openInName
  mutating func checkOpenInName() {
    guard settings.isOpenInActionExtension, scope == .infoPlist(isExtension: true), let entry = displayName,
      let name = entry.value.string, !name.hasBuildVariable, !name.lowercased().hasPrefix("open in ")
    else { return }
    addFinding(
      .openInName, about: entry, entry.key, "\(PropertyListExcerpt.quoted(name)) does not say what the extension does",
      remedy: "write \"Open in\" and the name of the app, and translate it with the app")
  }
}
