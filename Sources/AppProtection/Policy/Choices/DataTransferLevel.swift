/// Which apps may exchange organization data with the app. `managedAppDataTransferLevel` in Graph.
public enum DataTransferLevel: String, PolicyChoice {
  /// Every app.
  case allApps
  /// Only apps that have a policy for the same account.
  case managedApps
  /// No app; `none` in Graph.
  case noApps = "none"
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allApps: 0
    case .managedApps: 1
    case .noApps: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataTransferLevel"
}
