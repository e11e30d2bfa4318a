/// Where cut and copied organization data may be pasted, and from where data may be pasted into it.
/// `managedAppClipboardSharingLevel` in Graph.
public enum ClipboardSharingLevel: String, PolicyChoice {
  /// Everywhere.
  case allApps
  /// Only into managed apps; from everywhere.
  case managedAppsWithPasteIn
  /// Only into and from managed apps.
  case managedApps
  /// Only within the app.
  case blocked
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allApps: 0
    case .managedAppsWithPasteIn: 1
    case .managedApps: 2
    case .blocked: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "ClipboardSharingLevel"
}
