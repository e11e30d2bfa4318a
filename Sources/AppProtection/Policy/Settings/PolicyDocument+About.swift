extension PolicyDocument {
  /// What a policy is called, and which revision it is (Graph: `managedAppPolicy`).
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
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
    .text(
      10, "id", { $0.about.id }, { $0.about.id = $1 }, .basics,
      "The policy's identifier in the service: opaque, often `T_` and a GUID"),
    .text(
      11, "displayName", { $0.about.displayName }, { $0.about.displayName = $1 }, .basics,
      "The administrator's name for the policy"),
    .text(
      12, "description", { $0.about.description }, { $0.about.description = $1 }, .basics,
      "The administrator's description"),
    .date(
      13, "createdDateTime", { $0.about.createdDateTime }, { $0.about.createdDateTime = $1 }, .basics,
      "When the policy was created"),
    .date(
      14, "lastModifiedDateTime", { $0.about.lastModifiedDateTime }, { $0.about.lastModifiedDateTime = $1 }, .basics,
      "When the policy was last changed"),
    .text(
      15, "version", { $0.about.version }, { $0.about.version = $1 }, .basics,
      "The revision as an entity tag, usually with its double quotes"),
    .texts(
      16, "roleScopeTagIds", { $0.about.roleScopeTagIds }, { $0.about.roleScopeTagIds = $1 }, .basics,
      "The scope tags; `0` is the default one"),
  ]
}
