import PropertyList
import Spelling

/// The settings in a file: an app's `Info.plist`, or a property list that is the dictionary `IntuneMAMSettings` itself.
///
/// ```swift
/// let document = try SettingsDocument.read(bytes, file: "Info.plist")
/// for finding in document.findings { print(finding.rule.severity, finding) }
/// ```
///
/// Which of the two a file is follows from its keys. A setting that cannot be read keeps its default, and a finding says why.
public struct SettingsDocument: Sendable {
  /// The key under which an `Info.plist` has the settings.
  public static let dictionaryKey = "IntuneMAMSettings"

  /// What a file is.
  public enum Scope: Equatable, Sendable {
    /// The property list of an app, or of an extension of one.
    case infoPlist(isExtension: Bool)
    /// The dictionary of the settings alone: nothing is known of the app around it.
    case settingsAlone
  }

  /// The file as the caller named it; `nil` when there is none.
  public let file: String?
  /// The form of the file.
  public let format: PropertyList.Format
  /// What the file is.
  public let scope: Scope
  /// What the settings say, with defaults where they do not.
  public internal(set) var settings = InfoPlistSettings()
  /// The settings that were read, in the order of the file.
  public internal(set) var given: [SettingDescriptor] = []
  /// What lint found: first the settings in the order of the file, then what concerns several of them or the app, in the
  /// order of ``SettingsRule``.
  public internal(set) var findings: [SettingsFinding] = []

  /// The outermost dictionary, when it is that of an `Info.plist`.
  let info: PropertyListDictionary?
  /// The dictionary of the settings, and the way to it; `nil` when there is none.
  let dictionary: (value: PropertyListValue, path: PropertyListPath)?

  /// Reads and checks the settings in a file.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - file: How the file is called in findings.
  /// - Throws: ``/PropertyList/PropertyListError`` when the file is no property list, or a key of the settings stands there twice, so
  ///   that it is open what they say. Whatever else is wrong is a finding.
  public static func read(_ bytes: [UInt8], file: String? = nil) throws(PropertyListError) -> SettingsDocument {
    SettingsDocument(try propertyList(bytes), file: file)
  }

  /// Reads the property list in which settings are. A key may stand twice outside of the settings, and not in them.
  public static func propertyList(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    let list = try PropertyList.read(bytes) { path in path.components.first != .key(dictionaryKey) }
    // Nothing in a file that is the dictionary itself is outside of it.
    let isAlone = !list.repeatedKeys.isEmpty && SettingsDocument(list).scope == .settingsAlone
    return isAlone ? try PropertyList.read(bytes) : list
  }

  /// Reads and checks the settings in a property list.
  public init(_ list: PropertyList, file: String? = nil) {
    self.file = file
    format = list.format
    let root = list.root.dictionary
    if let root, root.entry(Self.dictionaryKey) == nil, Self.isSettings(root) {
      info = nil
      dictionary = (list.root, PropertyListPath())
      scope = .settingsAlone
    } else {
      info = root
      dictionary = root?[Self.dictionaryKey].map { ($0, PropertyListPath([.key(Self.dictionaryKey)])) }
      scope = .infoPlist(isExtension: root?["NSExtension"] != nil || root?["EXAppExtensionAttributes"] != nil)
    }
    guard let dictionary, let entries = dictionary.value.dictionary?.entries else {
      noteMissingDictionary(list)
      return
    }
    for entry in entries { read(entry) }
    checkPlaces()
    checkRepeatedKeys(list)
    check()
  }

  /// Whether a dictionary is that of the settings: it has one, and no key that every `Info.plist` has some of.
  private static func isSettings(_ root: PropertyListDictionary) -> Bool {
    let prefixes = ["CF", "LS", "NS", "UI"]
    return !root.entries.contains { entry in prefixes.contains { entry.key.hasPrefix($0) } }
      && root.entries.contains { SettingDescriptor.named($0.key) != nil }
  }

  /// Whether a setting was given in a form that could be read.
  public func isGiven(_ key: String) -> Bool {
    given.contains { $0.key == key }
  }

  /// Where the key of a setting begins, whether it could be read or not; `nil` when it is not there.
  public func position(of key: String) -> PropertyListPosition? {
    dictionary?.value.dictionary?.entry(key)?.position
  }

  /// Whether a setting is there at all, readable or not.
  func isPresent(_ key: String) -> Bool { position(of: key) != nil }

  /// Adds a finding about a key of the settings, or about the dictionary itself.
  mutating func note(
    _ rule: SettingsRule, key: String? = nil, at position: PropertyListPosition? = nil, _ message: String,
    remedy: String
  ) {
    let path = dictionary?.path ?? PropertyListPath()
    let entry = key.flatMap { dictionary?.value.dictionary?.entry($0) }
    findings.append(
      SettingsFinding(
        rule: rule, file: file, position: position ?? entry?.position ?? dictionary?.value.position ?? .program,
        path: key.map { path.appending(.key($0)) } ?? path, message: message, remedy: remedy))
  }

  /// Adds a finding about the property list around the settings.
  mutating func note(
    _ rule: SettingsRule, about entry: PropertyListDictionary.Entry?, _ key: String, _ message: String, remedy: String
  ) {
    findings.append(
      SettingsFinding(
        rule: rule, file: file, position: entry?.position ?? dictionary?.value.position ?? .program,
        path: PropertyListPath([.key(key)]), message: message, remedy: remedy))
  }
}
