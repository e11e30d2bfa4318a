/// The group of apps to which a policy applies. `targetedManagedAppGroupType` in Graph.
public enum AppGroupType: String, PolicyChoice {
  /// The apps on its list.
  case selectedPublicApps
  /// All core Microsoft apps.
  case allCoreMicrosoftApps
  /// All Microsoft apps.
  case allMicrosoftApps
  /// All apps.
  case allApps
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .selectedPublicApps: 0
    case .allCoreMicrosoftApps: 1
    case .allMicrosoftApps: 2
    case .allApps: 4
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "AppGroupType"
}
