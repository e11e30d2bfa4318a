import PropertyList

/// The groups with which an app or an extension shares data, from its entitlements file.
public struct EntitlementsDocument: Sendable {
  /// The key of the keychain groups.
  public static let keychainGroupsKey = "keychain-access-groups"
  /// The key of the bundle identifier with the team prefix, which signing adds.
  static let identifierKey = "application-identifier"
  /// The key of the app groups.
  public static let appGroupsKey = "com.apple.security.application-groups"

  /// The file as named by the caller; `nil` if there is none.
  public let file: String?
  /// The keychain groups without the team prefix, in order; `nil` if the list is missing.
  public let keychainGroups: [String]?
  /// The app groups, in order; `nil` if the list is missing.
  public let appGroups: [String]?
  let root: PropertyListValue

  /// Reads the entitlements in a property list; `nil` if it contains something else. A file's name may tell that it holds
  /// entitlements.
  public init?(_ list: PropertyList, file: String? = nil) {
    guard let root = list.root.dictionary, root.entry(SettingsDocument.dictionaryKey) == nil,
      file?.hasSuffix(".entitlements") ?? false
        || [Self.keychainGroupsKey, Self.appGroupsKey, Self.identifierKey, "aps-environment"].contains(where: {
          root.entry($0) != nil
        })
    else { return nil }
    self.init(list.root, root, file)
  }

  /// Reads the entitlements in a property list that holds nothing else, such as that of a signature; `nil` if it is no
  /// dictionary.
  public init?(entitlements list: PropertyList, file: String? = nil) {
    guard let root = list.root.dictionary else { return nil }
    self.init(list.root, root, file)
  }

  private init(_ value: PropertyListValue, _ root: PropertyListDictionary, _ file: String?) {
    self.file = file
    self.root = value
    keychainGroups = root[Self.keychainGroupsKey]?.array?.compactMap { $0.string.map(Self.withoutPrefix) }
    appGroups = root[Self.appGroupsKey]?.array?.compactMap(\.string)
  }

  /// Where a key begins, or the beginning of the file if the key is missing.
  func position(of key: String) -> PropertyListPosition { root.dictionary?.entry(key)?.position ?? root.position }

  /// The keychain groups that the SDK needs, without the team prefix: for an extension, not that of the token cache.
  static func neededKeychainGroups(of document: SettingsDocument?) -> [String] {
    let cache = document?.settings.cacheKeychainGroup.map(withoutPrefix) ?? "com.microsoft.adalcache"
    return ["com.microsoft.intune.mam"] + (document?.scope == .infoPlist(isExtension: true) ? [] : [cache])
  }

  /// A keychain group without the team prefix: a build variable, or ten letters and digits followed by a period.
  static func withoutPrefix(_ group: String) -> String {
    let names = ["AppIdentifierPrefix", "TeamIdentifierPrefix"]
    for prefix in names.flatMap({ ["$(\($0))", "${\($0)}"] }) where group.hasPrefix(prefix) {
      return String(group.dropFirst(prefix.count))
    }
    let team = group.prefix { $0 != "." }
    let isTeam =
      team.utf8.count == 10 && team.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    return isTeam && team.count < group.count ? String(group.dropFirst(team.count + 1)) : group
  }
}
