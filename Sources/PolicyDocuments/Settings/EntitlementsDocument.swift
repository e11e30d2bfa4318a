import PropertyList

/// What an app or an extension is entitled to: the groups that it shares data with, from its entitlements file.
public struct EntitlementsDocument: Sendable {
  /// The key under which the keychain groups stand.
  public static let keychainGroupsKey = "keychain-access-groups"
  /// The key under which the app groups stand.
  public static let appGroupsKey = "com.apple.security.application-groups"

  /// The file as the caller named it; `nil` when there is none.
  public let file: String?
  /// The keychain groups without the prefix of the team, in their order; `nil` where there is no list.
  public let keychainGroups: [String]?
  /// The app groups in their order; `nil` where there is no list.
  public let appGroups: [String]?
  private let root: PropertyListValue

  /// Reads the entitlements in a property list; `nil` when it is something else.
  public init?(_ list: PropertyList, file: String? = nil) {
    guard let root = list.root.dictionary, root.entry(SettingsDocument.dictionaryKey) == nil,
      [Self.keychainGroupsKey, Self.appGroupsKey, "application-identifier", "aps-environment"].contains(where: {
        root.entry($0) != nil
      })
    else { return nil }
    self.file = file
    self.root = list.root
    keychainGroups = root[Self.keychainGroupsKey]?.array?.compactMap { $0.string.map(Self.withoutPrefix) }
    appGroups = root[Self.appGroupsKey]?.array?.compactMap(\.string)
  }

  /// Where a key begins, or the file where the key is missing.
  func position(of key: String) -> PropertyListPosition { root.dictionary?.entry(key)?.position ?? root.position }

  /// A keychain group without the prefix of the team: a variable of the build, or ten letters and digits, and a period.
  private static func withoutPrefix(_ group: String) -> String {
    for prefix in ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"] where group.hasPrefix(prefix) {
      return String(group.dropFirst(prefix.count))
    }
    let team = group.prefix { $0 != "." }
    let isTeam =
      team.utf8.count == 10 && team.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    return isTeam && team.count < group.count ? String(group.dropFirst(team.count + 1)) : group
  }
}
