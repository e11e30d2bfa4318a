import PropertyList
import PlainText

/// The settings in a file: an app's `Info.plist`, or a property list that is itself the dictionary `IntuneMAMSettings`.
///
/// ```swift
/// let document = try SettingsDocument.read(bytes, file: "Info.plist")
/// for finding in document.findings { print(finding.rule.severity, finding) }
/// ```
///
/// The keys of a file determine which of the two it is. A setting that cannot be read keeps its default, and a finding
/// says why.
public struct SettingsDocument: Sendable {
  /// The key of the settings in an `Info.plist`.
  public static let dictionaryKey = "IntuneMAMSettings"

  /// What the file contains.
  public enum Scope: Equatable, Sendable {
    /// The property list of an app or an extension.
    case infoPlist(isExtension: Bool)
    /// The dictionary of the settings alone: nothing is known about the surrounding app.
    case settingsAlone
  }

  /// The file as named by the caller; `nil` if there is none.
  public let file: String?
  /// The form of the file.
  public let format: PropertyList.Format
  /// What the file contains.
  public let scope: Scope
  /// The settings, with defaults for those that are missing.
  public internal(set) var settings = InfoPlistSettings()
  /// The settings read, in the order of the file.
  public internal(set) var given: [SettingDescriptor] = []
  /// Lint's findings: first those about single settings, in the order of the file, then those about several settings or
  /// the app, in the order of ``SettingsRule``.
  public internal(set) var findings: [SettingsFinding] = []

  /// The whole property list.
  let root: PropertyListValue
  /// The outermost dictionary if it is that of an `Info.plist`.
  let info: PropertyListDictionary?
  /// The dictionary of the settings with its path; `nil` if there is none.
  let dictionary: (value: PropertyListValue, path: PropertyListPath)?

  /// Reads and checks the settings in a file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - file: The file's name in findings.
  /// - Throws: ``/PropertyList/PropertyListError`` if the file is not a property list, or if a key of the settings occurs twice,
  ///   which makes its value ambiguous. Anything else that is wrong becomes a finding.
  public static func read(_ bytes: [UInt8], file: String? = nil) throws(PropertyListError) -> SettingsDocument {
    SettingsDocument(try propertyList(bytes), file: file)
  }

  /// Reads the property list that contains settings. A key may occur twice outside the settings, but not inside them.
  public static func propertyList(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    let list = try PropertyList.read(bytes) { path in path.components.first != .key(dictionaryKey) }
    // If the file is the dictionary itself, nothing in it is outside the settings.
    let isAlone = !list.repeatedKeys.isEmpty && SettingsDocument(list).scope == .settingsAlone
    return isAlone ? try PropertyList.read(bytes) : list
  }

  /// Reads and checks the settings in a property list.
  public init(_ list: PropertyList, file: String? = nil) {
    self.init(list, file: file, as: list.root)
  }

  /// Reads and checks what Xcode makes of a property list.
  init(_ list: PropertyList, file: String?, as made: PropertyListValue) {
    self.file = file
    format = list.format
    self.root = made
    let root = made.dictionary
    if let root, root.entry(Self.dictionaryKey) == nil, Self.isSettings(root) {
      info = nil
      dictionary = (made, PropertyListPath())
      scope = .settingsAlone
    } else {
      info = root
      dictionary = root?[Self.dictionaryKey].map { ($0, PropertyListPath([.key(Self.dictionaryKey)])) }
      scope = .infoPlist(isExtension: root?["NSExtension"] != nil || root?["EXAppExtensionAttributes"] != nil)
    }
    guard let dictionary, let entries = dictionary.value.dictionary?.entries else {
      reportMissingDictionary(list)
      return
    }
    for entry in entries { read(entry) }
    checkPlaces()
    checkRepeatedKeys(list)
    check()
  }

  /// Whether a dictionary is that of the settings: it contains a setting and none of the keys typical of an
  /// `Info.plist`.
  private static func isSettings(_ root: PropertyListDictionary) -> Bool {
    let prefixes = ["CF", "LS", "NS", "UI"]
    return !root.entries.contains { entry in prefixes.contains { entry.key.hasPrefix($0) } }
      && root.entries.contains { SettingDescriptor.named($0.key) != nil }
  }

  /// Whether a setting is present in a readable form.
  public func isGiven(_ key: String) -> Bool {
    given.contains { $0.key == key }
  }

  /// Where the key of a setting begins, readable or not; `nil` if it is missing.
  public func position(of key: String) -> PropertyListPosition? {
    dictionary?.value.dictionary?.entry(key)?.position
  }

  /// Whether a setting is present, readable or not.
  func isPresent(_ key: String) -> Bool { position(of: key) != nil }

  /// Adds a finding about a key of the settings, or about the dictionary itself.
  mutating func addFinding(
    _ rule: SettingsRule, key: String? = nil, at position: PropertyListPosition? = nil, _ message: String,
    remedy: String
  ) {
    let path = dictionary?.path ?? PropertyListPath()
    // A look at every entry, which a caller that has one saves.
    func found() -> PropertyListPosition? { key.flatMap { dictionary?.value.dictionary?.entry($0)?.position } }
    findings.append(
      SettingsFinding(
        rule: rule, file: file, position: position ?? found() ?? dictionary?.value.position ?? .program,
        path: key.map { path.appending(.key($0)) } ?? path, message: message, remedy: remedy))
  }

  /// Adds a finding about the property list around the settings.
  mutating func addFinding(
    _ rule: SettingsRule, about entry: PropertyListDictionary.Entry?, _ key: String, _ message: String, remedy: String
  ) {
    findings.append(
      SettingsFinding(
        rule: rule, file: file, position: entry?.position ?? dictionary?.value.position ?? .program,
        path: PropertyListPath([.key(key)]), message: message, remedy: remedy))
  }
}
