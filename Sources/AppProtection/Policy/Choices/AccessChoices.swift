/// The characters of an app PIN. `managedAppPinCharacterSet` in Graph.
public enum PINCharacterSet: String, PolicyChoice {
  /// Digits.
  case numeric
  /// At least a digit, a letter and a symbol.
  case alphanumericAndSymbol
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .numeric: 0
    case .alphanumericAndSymbol: 1
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "PINCharacterSet"
}

/// When organization data in files is protected: the file protection class. `managedAppDataEncryptionType` in
/// Graph.
public enum DataEncryptionType: String, PolicyChoice {
  /// As the device's own settings say.
  case useDeviceSettings
  /// From the start of the device until it is first unlocked.
  case afterDeviceRestart
  /// While the device is locked, except for open files.
  case whenDeviceLockedExceptOpenFiles
  /// While the device is locked.
  case whenDeviceLocked
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .useDeviceSettings: 0
    case .afterDeviceRestart: 1
    case .whenDeviceLockedExceptOpenFiles: 2
    case .whenDeviceLocked: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataEncryptionType"
}
