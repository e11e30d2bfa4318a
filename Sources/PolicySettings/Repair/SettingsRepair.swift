import PropertyList

/// Gives an app, its extensions and their entitlements what the guides ask of them: URL schemes and their twins, keychain
/// groups, app groups, the text for Face ID, and activation rules of extensions.
///
/// ```swift
/// let repair = SettingsRepair(documents: [app], entitlements: [entitlements])
/// let fixed = try repair.documents[0].applied(to: bytes)
/// ```
///
/// A repair adds and removes nothing that is the owner's choice; what it cannot decide becomes a note. Repairing the result
/// again changes nothing, and lint no longer finds what was repaired.
public struct SettingsRepair: Sendable {
  /// What a repair may do beyond what the guides ask of every app.
  public struct Options: Equatable, Sendable {
    /// Whether a missing dictionary `IntuneMAMSettings` is created.
    public var createsSettings = false
    /// Whether activation rules in the form of dictionaries become predicates.
    public var convertsRules = false
    /// The text that an app without one shows when it first uses Face ID.
    public var faceIDText = "Face ID unlocks your work data in this app."

    /// The guides' changes alone.
    public init() {}
  }

  /// Why a file is not repaired.
  public enum Obstacle: Equatable, Sendable {
    /// It holds neither keys of an `Info.plist` nor settings.
    case notAnApp
    /// It belongs to a bundle of another type, such as a framework (`FMWK`).
    case otherBundle(type: String)
  }

  /// The repairs of the documents, in their order.
  public private(set) var documents: [FileRepair] = []
  /// The repairs of the entitlements, in their order.
  public private(set) var entitlements: [FileRepair] = []

  let options: Options
  /// The app among the documents; `nil` unless there is exactly one.
  let app: SettingsDocument?

  /// Plans the repair of files that belong together.
  ///
  /// - Parameters:
  ///   - documents: The settings of an app and its extensions.
  ///   - entitlements: The entitlements of any of them, matched by the folders of the files.
  ///   - options: What may be done beyond what the guides ask of every app.
  public init(
    documents: [SettingsDocument], entitlements: [EntitlementsDocument] = [], options: Options = Options()
  ) {
    self.init(documents: documents, entitlements: entitlements, options: options) { _ in nil }
  }

  /// Plans the repair of files that belong together.
  ///
  /// - Parameter owner: The index of the document to which entitlements are known to belong; where it says `nil`, the folders
  ///   of the files decide.
  package init(
    documents: [SettingsDocument], entitlements: [EntitlementsDocument], options: Options,
    owner: (EntitlementsDocument) -> Int?
  ) {
    self.options = options
    let apps = documents.filter { $0.scope == .infoPlist(isExtension: false) }
    app = apps.count == 1 ? apps.first : nil
    let owners = entitlements.map { owner($0) ?? AppComparison.owner(of: $0, among: documents) }
    self.documents = documents.enumerated().map { index, document in
      repair(document, zip(entitlements, owners).filter { $1 == index }.map(\.0))
    }
    self.entitlements = zip(entitlements, owners).map { repair($0, of: $1.map { documents[$0] }) }
  }

  /// Why a document is not one to repair; `nil` if it is.
  public static func refusal(of document: SettingsDocument) -> Obstacle? {
    guard let info = document.info else { return document.dictionary == nil ? .notAnApp : nil }
    let prefixes = ["CF", "LS", "NS", "UI"]
    guard
      document.dictionary != nil
        || info.entries.contains(where: { entry in prefixes.contains { entry.key.hasPrefix($0) } })
    else { return .notAnApp }
    let type = info["CFBundlePackageType"]?.string ?? "APPL"
    return ["APPL", "XPC!"].contains(type) || type.hasBuildVariable ? nil : .otherBundle(type: type)
  }

  private func repair(_ document: SettingsDocument, _ entitlements: [EntitlementsDocument]) -> FileRepair {
    var file = FileRepair(document.file, document.root)
    repairSettings(document, entitlements, &file)
    switch document.scope {
    case .infoPlist(isExtension: false): repairApp(document, &file)
    case .infoPlist(isExtension: true): repairActivationRule(document, &file)
    case .settingsAlone: break
    }
    if document.format == .binary, !file.changes.isEmpty {
      file.addNote(
        at: PropertyListPath(), "a built app's signature does not cover the changed file",
        remedy: "change the source of the app instead, or sign the app again")
    }
    return file
  }

  // MARK: Settings

  /// noSettings, missingContainingApp, appGroupNotListed
  private func repairSettings(
    _ document: SettingsDocument, _ entitlements: [EntitlementsDocument], _ file: inout FileRepair
  ) {
    let path = document.dictionary?.path ?? PropertyListPath([.key(SettingsDocument.dictionaryKey)])
    if let value = document.dictionary?.value, value.dictionary == nil {
      return file.addNote(
        at: path, "a dictionary is needed, and \(PropertyListExcerpt.phrase(value)) was found",
        remedy: "write <dict>…</dict>")
    }
    let exists = document.dictionary != nil
    guard exists || options.createsSettings else {
      return file.addNote(
        at: path, "the dictionary of the settings is missing, and whether the app has settings is its owner's choice",
        remedy: "add it, or let pj settings fix --create do so")
    }
    var new: [PropertyListEdit.Entry] = []
    if document.scope == .infoPlist(isExtension: true), !document.isPresent("ContainingAppBundleId") {
      if let identifier = containingApp(of: document) {
        new.append(.init("ContainingAppBundleId", .text(identifier)))
      } else {
        file.addNote(
          at: path, "the file does not tell the bundle identifier of the app that contains the extension",
          remedy: "add ContainingAppBundleId, or give the Info.plist of the app too")
      }
    }
    let groups = missingGroups(document, entitlements, path, &file)
    guard exists else {
      if !groups.isEmpty { new.append(.init("AppGroupIdentifiers", .list(groups.map { .text($0) }))) }
      let added = new.isEmpty ? "" : " with " + new.map(\.key).joined(separator: ", ")
      return file.change(
        PropertyListEdit(PropertyListPath(), .add(.init(SettingsDocument.dictionaryKey, .dictionary(new)))),
        .noSettings,
        "add a dictionary" + added)
    }
    for entry in new {
      file.change(
        PropertyListEdit(path, .add(entry)), .missingContainingApp,
        "add \(entry.value.value.string.map(PropertyListExcerpt.quoted) ?? entry.key)")
    }
    file.add(groups, to: "AppGroupIdentifiers", in: path, .appGroupNotListed)
  }

  /// The identifier of the app that contains an extension: that of the app beside it, or its own without the last part.
  private func containingApp(of document: SettingsDocument) -> String? {
    let own = document.bundleIdentifier
    if let app = app?.bundleIdentifier, own.map({ $0.lowercased().hasPrefix(app.lowercased() + ".") }) ?? true {
      return app
    }
    guard let own, let end = own.lastIndex(of: ".") else { return nil }
    let parent = own[..<end]
    return parent.contains(".") ? String(parent) : nil
  }

  /// The app groups of the entitlements that the settings do not list.
  private func missingGroups(
    _ document: SettingsDocument, _ entitlements: [EntitlementsDocument], _ path: PropertyListPath,
    _ file: inout FileRepair
  ) -> [String] {
    var entitled: [String] = []
    for group in entitlements.flatMap({ $0.appGroups ?? [] }) where !entitled.contains(group) { entitled.append(group) }
    let place = path.appending(.key("AppGroupIdentifiers"))
    let listed = file.value(at: place)?.array?.compactMap(\.string) ?? []
    let missing = entitled.filter { !listed.contains($0) }
    let isOpen = listed.contains(where: \.hasBuildVariable)
    let undecided = isOpen ? missing : missing.filter(\.hasBuildVariable)
    if !undecided.isEmpty, !listed.isEmpty || !isOpen {
      file.addNote(
        at: place,
        "whether \(undecided.prefix(8).map(PropertyListExcerpt.quoted).joined(separator: ", ")) of the entitlements is listed depends on build variables",
        remedy: "list the group here in the same words as there")
    }
    return isOpen ? [] : missing.filter { !$0.hasBuildVariable }
  }
}

/// A change of a file, with its place and its reason.
public struct SettingsChange: Equatable, Sendable {
  /// The rule that demands it; `nil` where lint does not ask for it.
  public let rule: SettingsRule?
  /// Where the value that changes begins, or the value that gets a new one.
  public let position: PropertyListPosition
  /// The value that changes or is new.
  public let path: PropertyListPath
  /// What is done: a phrase such as `add "zips"`.
  public let action: String
  /// Why: one sentence.
  public let reason: String
  /// Where the reason is published: a tag and a heading; see the article "Settings".
  public let source: String
}

/// Something that a repair leaves to the owner of a file.
public struct SettingsRepairNote: Equatable, Sendable {
  /// The place in the file.
  public let position: PropertyListPosition
  /// The value concerned.
  public let path: PropertyListPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  init(position: PropertyListPosition, path: PropertyListPath, message: String, remedy: String) {
    (self.position, self.path, self.message, self.remedy) = (position, path, message, remedy)
  }

  /// What lint finds and no repair mends.
  public init(_ finding: SettingsFinding) {
    self.init(
      position: finding.position, path: finding.path, message: finding.message, remedy: finding.remedy)
  }
}
