import PropertyList

/// Compares the property lists of an app and its extensions with one another and with their entitlements.
///
/// ```swift
/// AppComparison(documents: [app, share], entitlements: [entitlements]).findings
/// ```
///
/// Pass all files that belong together at once. Missing files are not reported.
public struct AppComparison: Sendable {
  /// The findings, in the order of the rules.
  public private(set) var findings: [SettingsFinding] = []

  private let app: SettingsDocument?
  private let extensions: [SettingsDocument]

  /// Compares files.
  ///
  /// - Parameters:
  ///   - documents: The settings of one app and its extensions.
  ///   - entitlements: The entitlements of any of them, matched by the folders of the files.
  public init(documents: [SettingsDocument], entitlements: [EntitlementsDocument] = []) {
    self.init(documents: documents, owned: entitlements.map { ($0, Self.owner(of: $0, among: documents)) })
  }

  /// Compares files.
  ///
  /// - Parameter owned: Entitlements, each with the index of the document to which they belong.
  init(documents: [SettingsDocument], owned: [(entitlements: EntitlementsDocument, owner: Int?)]) {
    let apps = documents.filter { $0.scope == .infoPlist(isExtension: false) }
    app = apps.count == 1 ? apps.first : nil
    extensions = documents.filter { $0.scope == .infoPlist(isExtension: true) }
    if let app {
      for other in extensions where Self.belongs(other, to: app) { compare(app, other) }
    }
    for (entitlements, owner) in owned { check(entitlements, of: owner.map { documents[$0] }) }
  }

  /// Whether an extension names the app, or names no known app.
  private static func belongs(_ other: SettingsDocument, to app: SettingsDocument) -> Bool {
    guard let named = other.settings.containingApp, let own = app.info?["CFBundleIdentifier"]?.string,
      !named.contains("$"), !own.contains("$")
    else { return true }
    return named.lowercased() == own.lowercased()
  }

  // MARK: App and extension

  /// noCommonAppGroup, openInWithoutURLScheme, openInName, activationRuleWithoutTypes
  private mutating func compare(_ app: SettingsDocument, _ other: SettingsDocument) {
    let (own, shared) = (Set(app.settings.appGroups), other.settings.appGroups)
    let isOpenIn = other.settings.isOpenInActionExtension
    if own.isDisjoint(with: shared), !shared.isEmpty, !own.isEmpty || isOpenIn {
      addFinding(
        .noCommonAppGroup, other, "AppGroupIdentifiers", "the app lists none of these groups",
        remedy: "list a common group in AppGroupIdentifiers, here and in the app")
    }
    guard isOpenIn else { return }
    let schemes = Set(app.urlSchemes.map { $0.lowercased() })
    if !schemes.contains(where: { schemes.contains($0 + "-intunemam") }) {
      addFinding(
        .openInWithoutURLScheme, app, around: "CFBundleURLTypes",
        "the app has an extension that opens files in it, and no URL scheme with a twin that ends in -intunemam",
        remedy:
          "add a scheme and its twin to CFBundleURLSchemes, such as launch-com.contoso.app and launch-com.contoso.app-intunemam"
      )
    }
    if let name = app.displayName?.value.string, let entry = other.displayName, let found = entry.value.string,
      ![name, found].contains(where: { $0.hasBuildVariable }), found.lowercased().hasPrefix("open in "),
      !found.lowercased().hasSuffix(name.lowercased())
    {
      addFinding(
        .openInName, other, around: entry.key,
        "\(PropertyListExcerpt.quoted(found)) does not end in the name of the app, \(PropertyListExcerpt.quoted(name))",
        remedy: "write \(PropertyListExcerpt.quoted("Open in \(name)"))")
    }
    guard let types = other.activationTypes.map(Set.init) else { return }
    let opened = (app.info?["CFBundleDocumentTypes"]?.array ?? []).flatMap { type in
      type.dictionary?["LSItemContentTypes"]?.array?.compactMap(\.string) ?? []
    }
    let missing = opened.map { SettingsDocument.managedTypePrefix + $0 }.filter { !types.contains($0) }
    if !missing.isEmpty {
      addFinding(
        .activationRuleWithoutTypes, other, around: "NSExtension",
        "NSExtensionActivationRule does not name every type that the app opens",
        remedy: "add \(missing.prefix(8).map(PropertyListExcerpt.quoted).joined(separator: ", "))")
    }
  }

  // MARK: Entitlements

  /// The index of the owner of these entitlements: of the files in the nearest folder, or else the app's.
  static func owner(of entitlements: EntitlementsDocument, among documents: [SettingsDocument]) -> Int? {
    func folders(_ file: String?) -> [Substring] { (file ?? "").split(separator: "/").dropLast() }
    let own = folders(entitlements.file)
    let distances = documents.map { document in zip(own, folders(document.file)).prefix { $0 == $1 }.count }
    guard let nearest = distances.max() else { return nil }
    let candidates = documents.indices.filter { distances[$0] == nearest }
    guard candidates.count > 1 else { return candidates.first }
    let apps = documents.indices.filter { documents[$0].scope == .infoPlist(isExtension: false) }
    return apps.count == 1 ? apps.first : candidates.first
  }

  /// missingKeychainGroup, keychainGroupOrder, appGroupNotEntitled, appGroupNotListed
  private mutating func check(_ entitlements: EntitlementsDocument, of document: SettingsDocument?) {
    let groups = entitlements.keychainGroups ?? []
    let needed = EntitlementsDocument.neededKeychainGroups(of: document)
    let missing = groups.contains("*") ? [] : needed.filter { !groups.contains($0) }
    if !missing.isEmpty {
      addFinding(
        .missingKeychainGroup, entitlements, EntitlementsDocument.keychainGroupsKey,
        "the list has no \(missing.map(PropertyListExcerpt.quoted).joined(separator: " and no "))",
        remedy:
          "add \(missing.map { PropertyListExcerpt.quoted("$(AppIdentifierPrefix)" + $0) }.joined(separator: " and "))")
    }
    let identifier = document?.info?["CFBundleIdentifier"]?.string.flatMap { $0.hasBuildVariable ? nil : $0 }
    if let first = groups.first, !first.hasBuildVariable, first != "*",
      needed.contains(first) || identifier.map({ $0 != first }) ?? false
    {
      addFinding(
        .keychainGroupOrder, entitlements, EntitlementsDocument.keychainGroupsKey,
        "the first group is \(PropertyListExcerpt.quoted(first)) and not the bundle identifier",
        remedy: "put $(AppIdentifierPrefix)$(CFBundleIdentifier) before the others")
    }
    guard let document, document.dictionary != nil else { return }
    let entitled = entitlements.appGroups ?? []
    let listed = document.settings.appGroups
    let foreign = Self.literals(listed, without: entitled)
    if !foreign.isEmpty, !entitled.contains(where: { $0.hasBuildVariable }) {
      addFinding(
        .appGroupNotEntitled, document, "AppGroupIdentifiers",
        "the entitlements have no \(foreign.prefix(8).map(PropertyListExcerpt.quoted).joined(separator: " and no "))",
        remedy: "add the group to \(EntitlementsDocument.appGroupsKey), or remove it here")
    }
    let unlisted = Self.literals(entitled, without: listed)
    if !unlisted.isEmpty, !listed.contains(where: { $0.hasBuildVariable }) {
      addFinding(
        .appGroupNotListed, entitlements, EntitlementsDocument.appGroupsKey,
        "AppGroupIdentifiers does not list \(unlisted.prefix(8).map(PropertyListExcerpt.quoted).joined(separator: " and "))",
        remedy: "list every group in AppGroupIdentifiers of IntuneMAMSettings")
    }
  }

  /// The groups that are not in another list and contain no build variable.
  private static func literals(_ groups: [String], without others: [String]) -> [String] {
    let others = Set(others)
    return groups.filter { !$0.hasBuildVariable && !others.contains($0) }
  }

  // MARK: Notes

  private mutating func addFinding(
    _ rule: SettingsRule, _ document: SettingsDocument, _ key: String, _ message: String, remedy: String
  ) {
    var document = document
    document.findings = []
    document.addFinding(rule, key: key, message, remedy: remedy)
    findings += document.findings
  }

  private mutating func addFinding(
    _ rule: SettingsRule, _ document: SettingsDocument, around key: String, _ message: String, remedy: String
  ) {
    var document = document
    document.findings = []
    document.addFinding(rule, about: document.info?.entry(key), key, message, remedy: remedy)
    findings += document.findings
  }

  private mutating func addFinding(
    _ rule: SettingsRule, _ document: EntitlementsDocument, _ key: String, _ message: String, remedy: String
  ) {
    findings.append(
      SettingsFinding(
        rule: rule, file: document.file, position: document.position(of: key),
        path: PropertyListPath([.key(key)]), message: message, remedy: remedy))
  }
}
