/// What kind of policy a document is.
public enum PolicyKind: String, PolicyChoice {
  /// A policy for the groups it is assigned to.
  case targetedPolicy = "iosManagedAppProtection"
  /// The policy for users whom no targeted policy covers. A targeted policy replaces it; the two are not merged.
  case defaultPolicy = "defaultManagedAppProtection"
  /// A policy for Android. Files hold it, journals do not.
  case androidPolicy = "androidManagedAppProtection"
  /// A policy for Windows. Files hold it, journals do not.
  case windowsPolicy = "windowsManagedAppProtection"
  /// A kind that this program does not know.
  case unrecognized

  /// The kinds that journals hold: an app enforces no policy for another platform.
  public static let allCases: [PolicyKind] = [.targetedPolicy, .defaultPolicy, .unrecognized]

  /// The number on the wire. Journals read those of other platforms as ``unrecognized``.
  public var number: UInt64 {
    switch self {
    case .targetedPolicy: 0
    case .defaultPolicy: 1
    case .androidPolicy: 2
    case .windowsPolicy: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "PolicyKind"
}
