/// The highest threat level at which the app may be used. `managedAppDeviceThreatLevel` in Graph.
public enum DeviceThreatLevel: String, PolicyChoice {
  /// The level is ignored.
  case notConfigured
  /// No threat at all.
  case secured
  /// Low.
  case low
  /// Medium.
  case medium
  /// High.
  case high
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .notConfigured: 0
    case .secured: 1
    case .low: 2
    case .medium: 3
    case .high: 4
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The lower the accepted level, the stricter; ``notConfigured`` accepts all.
  public var strictness: UInt64 {
    switch self {
    case .notConfigured: 0
    case .high: 1
    case .medium: 2
    case .low: 3
    case .secured: 4
    case .unrecognized: .max
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DeviceThreatLevel"
}
