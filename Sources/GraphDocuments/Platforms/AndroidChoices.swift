import AppProtection

/// What a device's integrity must be. `androidManagedAppSafetyNetDeviceAttestationType` in Graph.
public enum AndroidDeviceAttestation: String, PolicyChoice {
  /// Nothing is asked.
  case nothing = "none"
  /// The device is one, and is not tampered with.
  case basicIntegrity
  /// It also is of a kind that the platform's maker certifies.
  case basicIntegrityAndDeviceCertification
  /// A name or number that this program does not know.
  case unrecognized

  /// The number in Graph.
  public var number: UInt64 {
    switch self {
    case .nothing: 0
    case .basicIntegrity: 1
    case .basicIntegrityAndDeviceCertification: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in messages.
  public static let schemaName = "AndroidDeviceAttestation"
}

/// How the device's integrity is evaluated. `androidManagedAppSafetyNetEvaluationType` in Graph.
public enum AndroidAttestationEvaluation: String, PolicyChoice {
  /// As the device can.
  case basic
  /// By a key that the hardware holds.
  case hardwareBacked
  /// A name or number that this program does not know.
  case unrecognized

  /// The number in Graph.
  public var number: UInt64 {
    switch self {
    case .basic: 0
    case .hardwareBacked: 1
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in messages.
  public static let schemaName = "AndroidAttestationEvaluation"
}

/// Whether the device's apps must be scanned. `androidManagedAppSafetyNetAppsVerificationType` in Graph.
public enum AndroidAppsVerification: String, PolicyChoice {
  /// They need not.
  case nothing = "none"
  /// They must.
  case enabled
  /// A name or number that this program does not know.
  case unrecognized

  /// The number in Graph.
  public var number: UInt64 {
    switch self {
    case .nothing: 0
    case .enabled: 1
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in messages.
  public static let schemaName = "AndroidAppsVerification"
}
