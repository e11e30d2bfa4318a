import AppProtection

/// A user of a service folder.
public struct ServiceUser: Equatable, Sendable {
  /// The object id, the user principal name, or both.
  public var reference: AccountReference
  /// The groups, by name.
  public var groups: [String] = []
  /// Whether the account is enabled in the directory.
  public var isEnabled = true
  /// Whether the user has a license; without one, requests are refused with 200.
  public var isLicensed = true
  /// Whether the user is at work.
  public var clockStatus = ClockStatus.notConfigured

  /// An enabled, licensed user in no group.
  public init(_ reference: AccountReference) {
    self.reference = reference
  }
}

/// A document and those whom it targets.
public struct ServiceAssignment: Equatable, Sendable {
  /// The document's path below the folder, such as `policies/level-2.json`.
  public var document: String
  /// Whether it targets every user.
  public var targetsEveryone = false
  /// The groups it targets.
  public var groups: [String] = []
  /// The groups that it leaves out, whatever else says otherwise.
  public var excludedGroups: [String] = []
  /// The users that it targets by name.
  public var users: [AccountReference] = []

  /// Targets no one.
  public init(document: String) {
    self.document = document
  }

  func targets(_ user: ServiceUser) -> Bool {
    guard !user.groups.contains(where: excludedGroups.contains) else { return false }
    return targetsEveryone || user.groups.contains(where: groups.contains)
      || users.contains { $0.isSame(as: user.reference) }
  }
}
