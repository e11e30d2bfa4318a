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

/// Which of two threat defense partners counts. `mobileThreatDefensePartnerPriority` in Graph.
public enum ThreatDefensePartnerPriority: String, PolicyChoice {
  /// Microsoft Defender.
  case defenderOverThirdPartyPartner
  /// The other partner.
  case thirdPartyPartnerOverDefender
  /// Graph's own placeholder for a later member. A decision must treat it as ``unrecognized``.
  case unknownFutureValue
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .defenderOverThirdPartyPartner: 0
    case .thirdPartyPartnerOverDefender: 1
    case .unknownFutureValue: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "ThreatDefensePartnerPriority"
}
