/// What happens when a condition is not met. `managedAppRemediationAction` in Graph.
public enum RemediationAction: String, PolicyChoice {
  /// Access is blocked until the condition is met.
  case block
  /// The account's data is removed.
  case wipe
  /// The user is warned and may continue.
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

  /// From "warn" over "block where the device supports it" and "block" to "wipe".
  public var strictness: UInt64 {
    switch self {
    case .warn: 0
    case .blockWhenSettingIsSupported: 1
    case .block: 2
    case .wipe: 3
    case .unrecognized: .max
    }
  }

  /// The name in the published schema.
  public static let schemaName = "RemediationAction"
}
