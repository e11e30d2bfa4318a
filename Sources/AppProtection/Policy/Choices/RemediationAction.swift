/// What happens when a condition is not met. `managedAppRemediationAction` in Graph.
public enum RemediationAction: String, PolicyChoice {
  /// Access is blocked until the condition is met.
  case block
  /// The account's data is removed.
  case wipe
  /// The user is told and may go on.
  case warn
  /// Access is blocked where the device supports the setting.
  case blockWhenSettingIsSupported
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .block: 0
    case .wipe: 1
    case .warn: 2
    case .blockWhenSettingIsSupported: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "RemediationAction"
}
