/// What kind of policy a document is.
public enum PolicyKind: String, PolicyChoice {
  /// A policy for the groups it is assigned to.
  case targetedPolicy = "iosManagedAppProtection"
  /// The policy for users whom no targeted policy covers. A targeted policy replaces it; the two are not merged.
  case defaultPolicy = "defaultManagedAppProtection"
  /// A kind that this program does not know.
  case unrecognized

  /// The number on the wire.
  public var number: UInt64 {
    switch self {
    case .targetedPolicy: 0
    case .defaultPolicy: 1
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "PolicyKind"
}
