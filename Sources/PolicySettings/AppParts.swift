import PropertyList

/// An app as it is built: the app and its extensions, each with its entitlements and the frameworks that it embeds.
///
/// Its findings are those of each `Info.plist` and of ``AppComparison``, and what only the whole shows.
public struct AppParts: Sendable {
  /// A framework of the SDK that a part embeds.
  public struct Framework: Equatable, Sendable {
    /// Its name, such as `IntuneMAMSwift`.
    public var name: String
    /// What its `Info.plist` says; `nil` if that is unknown.
    public var version: String?

    /// A framework as it was found.
    public init(name: String, version: String?) { (self.name, self.version) = (name, version) }
  }

  /// The app or an extension.
  public struct Part: Sendable {
    /// Its `Info.plist`.
    public var document: SettingsDocument
    /// Its entitlements; `nil` if they are unknown.
    public var entitlements: EntitlementsDocument?
    /// The frameworks of the SDK that it embeds.
    public var frameworks: [Framework]

    /// A part as it was found.
    public init(
      document: SettingsDocument, entitlements: EntitlementsDocument? = nil, frameworks: [Framework] = []
    ) {
      (self.document, self.entitlements, self.frameworks) = (document, entitlements, frameworks)
    }
  }

  /// The findings: those of each part, then of their comparison, then of the whole.
  public private(set) var findings: [SettingsFinding]

  /// Checks an app.
  public init(app: Part, extensions: [Part] = []) {
    let parts = [app] + extensions
    let documents = parts.map(\.document)
    findings = documents.flatMap(\.findings)
    let owned = parts.enumerated().compactMap { index, part in part.entitlements.map { ($0, index) } }
    findings += AppComparison(documents: documents, owned: owned).findings
    checkFrameworks(of: app)
    for other in extensions { compare(app, other) }
  }

  /// missingFramework, frameworkVersionsDiffer
  private mutating func checkFrameworks(of app: Part) {
    let names = app.frameworks.map(\.name)
    if names.contains("IntuneMAMSwift"), !names.contains("IntuneMAMSwiftStub") {
      addFinding(
        .missingFramework, app.document, "the app embeds IntuneMAMSwift without IntuneMAMSwiftStub, which it needs",
        remedy: "embed and sign IntuneMAMSwiftStub.xcframework as well")
    }
    let known = app.frameworks.filter { $0.version != nil }
    guard let first = known.first, let other = known.first(where: { $0.version != first.version }) else { return }
    addFinding(
      .frameworkVersionsDiffer, app.document,
      "\(Self.named(first)) and \(Self.named(other)) are of different releases of the SDK",
      remedy: "take all of its frameworks from one release")
  }

  /// frameworkInExtension, otherContainingApp, extensionSettingsDiffer, extensionWithoutAppGroup
  private mutating func compare(_ app: Part, _ other: Part) {
    if let framework = other.frameworks.first {
      addFinding(
        .frameworkInExtension, other.document,
        "the extension embeds \(Self.named(framework)) of its own, beside that of the app",
        remedy: "choose \"Do Not Embed\" for the extension, which loads that of the app")
    }
    if let named = other.document.settings.containingApp, let own = app.document.bundleIdentifier,
      !named.hasBuildVariable, named != own
    {
      addFinding(
        .otherContainingApp, other.document, key: "ContainingAppBundleId",
        "the extension belongs to \(PropertyListExcerpt.quoted(own)), and names \(PropertyListExcerpt.quoted(named))",
        remedy: "write \(PropertyListExcerpt.quoted(own))")
    }
    for key in ["ADALClientId", "ADALAuthority", "ADALCacheKeychainGroupOverride"] {
      guard let descriptor = SettingDescriptor.named(key), app.document.isGiven(key), other.document.isGiven(key),
        let (own, found) = Self.values(descriptor, app.document, other.document), own != found
      else { continue }
      addFinding(
        .extensionSettingsDiffer, other.document, key: key, "the extension signs in otherwise than its app",
        remedy: "write the value of the app, or remove it where the extension does not sign in")
    }
    let groups = app.entitlements?.appGroups ?? []
    guard let entitlements = other.entitlements, other.document.dictionary != nil, !groups.isEmpty,
      !(groups + (entitlements.appGroups ?? [])).contains(where: \.hasBuildVariable),
      Set(groups).isDisjoint(with: entitlements.appGroups ?? [])
    else { return }
    findings.append(
      SettingsFinding(
        rule: .extensionWithoutAppGroup, file: entitlements.file,
        position: entitlements.position(of: EntitlementsDocument.appGroupsKey),
        path: PropertyListPath([.key(EntitlementsDocument.appGroupsKey)]),
        message: "the extension has no app group of its app",
        remedy: "add \(PropertyListExcerpt.quoted(groups[0])), if it shares data with the app"))
  }

  /// The values of a setting in both, where both are known.
  private static func values(
    _ descriptor: SettingDescriptor, _ app: SettingsDocument, _ other: SettingsDocument
  ) -> (String, String)? {
    guard let own = descriptor.value(in: app.settings), let found = descriptor.value(in: other.settings) else {
      return nil
    }
    let texts = ("\(own)", "\(found)")
    return texts.0.hasBuildVariable || texts.1.hasBuildVariable ? nil : texts
  }

  private static func named(_ framework: Framework) -> String {
    framework.name + (framework.version.map { " \(PropertyListExcerpt.quoted($0))" } ?? "")
  }

  private mutating func addFinding(
    _ rule: SettingsRule, _ document: SettingsDocument, key: String? = nil, _ message: String, remedy: String
  ) {
    var document = document
    document.findings = []
    let position = document.dictionary == nil ? document.root.position : nil
    document.addFinding(rule, key: key, at: position, message, remedy: remedy)
    findings += document.findings
  }
}
