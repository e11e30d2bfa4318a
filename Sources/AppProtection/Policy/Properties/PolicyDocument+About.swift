extension PolicyDocument {
  /// A policy's name and revision (Graph: `managedAppPolicy`).
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct About: Equatable, Sendable {
    /// The policy's identifier in the service: opaque, often `T_` and a GUID.
    public var id: String?
    /// The administrator's name for the policy.
    public var displayName: String?
    /// The administrator's description.
    public var description: String?
    /// When the policy was created.
    public var createdDateTime: PolicyDate?
    /// When the policy was last changed.
    public var lastModifiedDateTime: PolicyDate?
    /// The revision as an entity tag, usually with its double quotes.
    public var version: String?
    /// The scope tags; `0` is the default one.
    public var roleScopeTagIds: [String]?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/about``: numbers 10 to 29.
  static let about: [PolicyProperty] = [
    id, displayName, description, createdDateTime, lastModifiedDateTime, version, roleScopeTagIds,
  ]

  package static let id: PolicyProperty = row(
    10, "id", .text,
    "The policy's identifier in the service: opaque, often `T_` and a GUID", { $0.about.id }, { $0.about.id = $1 },
    of: .all, combines: .notCombined,
    portal: .entry(.basics, 30, "Identifier", .text))

  package static let displayName: PolicyProperty = row(
    11, "displayName", .text,
    "The administrator's name for the policy", { $0.about.displayName }, { $0.about.displayName = $1 }, of: .all,
    combines: .notCombined,
    portal: .entry(.basics, 10, "Name", .text))

  package static let description: PolicyProperty = row(
    12, "description", .text,
    "The administrator's description", { $0.about.description }, { $0.about.description = $1 }, of: .all,
    combines: .notCombined,
    portal: .entry(.basics, 20, "Description", .text))

  package static let createdDateTime: PolicyProperty = row(
    13, "createdDateTime", .date,
    "When the policy was created", { $0.about.createdDateTime }, { $0.about.createdDateTime = $1 }, of: .all,
    combines: .notCombined,
    portal: .entry(.basics, 50, "Created", .date))

  package static let lastModifiedDateTime: PolicyProperty = row(
    14, "lastModifiedDateTime", .date,
    "When the policy was last changed", { $0.about.lastModifiedDateTime }, { $0.about.lastModifiedDateTime = $1 },
    of: .all, combines: .notCombined,
    portal: .entry(.basics, 60, "Last modified", .date))

  package static let version: PolicyProperty = row(
    15, "version", .text,
    "The revision as an entity tag, usually with its double quotes", { $0.about.version }, { $0.about.version = $1 },
    of: .all, combines: .notCombined,
    portal: .entry(.basics, 40, "Version", .text))

  package static let roleScopeTagIds: PolicyProperty = row(
    16, "roleScopeTagIds", .texts,
    "The scope tags; `0` is the default one", { $0.about.roleScopeTagIds }, { $0.about.roleScopeTagIds = $1 }, of: .all,
    combines: .notCombined,
    portal: .entry(.basics, 70, "Scope tags", .value { PortalWords.scopeTags($0) }))
}
