/// Whether a feature of the operating system may be used. `iosManagedAppConfigurationState` in Graph.
public enum FeatureConfigurationState: String, PolicyChoice {
  /// It may.
  case notBlocked
  /// It may not.
  case blocked
  /// Graph's own placeholder for a later member. A decision must treat it as ``unrecognized``.
  case unknownFutureValue
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .notBlocked: 0
    case .blocked: 1
    case .unknownFutureValue: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// A later member of Graph is as strict as an unknown one.
  public var strictness: UInt64 {
    switch self {
    case .notBlocked: 0
    case .blocked: 1
    case .unknownFutureValue, .unrecognized: .max
    }
  }

  /// The name in the published schema.
  public static let schemaName = "FeatureConfigurationState"
}
