extension PolicyDocument {
  /// How organization data at rest is protected.
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct Encryption: Equatable, Sendable {
    /// When files with organization data are protected.
    public var appDataEncryptionType: DataEncryptionType?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/encryption``: numbers 130 to 139.
  static let encryption: [PolicyProperty] = [
    .choice(
      130, "appDataEncryptionType", { $0.encryption.appDataEncryptionType },
      { $0.encryption.appDataEncryptionType = $1 }, .dataProtection, effect: .steersDecisions,
      "When files with organization data are protected")
  ]
}
