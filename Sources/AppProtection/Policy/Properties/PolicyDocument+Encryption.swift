extension PolicyDocument {
  /// How organization data at rest is protected.
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
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
    appDataEncryptionType
  ]

  package static let appDataEncryptionType: PolicyProperty = row(
    130, "appDataEncryptionType", .choice,
    "When files with organization data are protected", { $0.encryption.appDataEncryptionType },
    { $0.encryption.appDataEncryptionType = $1 }, of: [.ios, .standard], effect: .steersDecisions,
    combines: .strictestChoice, launch: 15,
    portal: .entry(
      .encryption, 10, "Encrypt Org data",
      .choice([
        .useDeviceSettings: "Not required (use device settings)",
        .afterDeviceRestart: "Require (after device restart)",
        .whenDeviceLockedExceptOpenFiles: "Require (when device is locked, except open files)",
        .whenDeviceLocked: "Require (when device is locked)",
      ]), standard: "Require (when device is locked)"),
    device: .choice(
      "FileEncryptionLevel",
      [0: .whenDeviceLocked, 1: .whenDeviceLockedExceptOpenFiles, 2: .afterDeviceRestart, 3: .useDeviceSettings]))
}
