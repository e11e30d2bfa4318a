import AppProtection

/// When files are protected: `FileEncryptionLevel`. Graph's numbers in reverse.
public enum DeviceFileEncryptionLevel: Int64, DeviceChoice {
  /// While the device is locked.
  case whenLocked = 0
  /// While the device is locked, except open files.
  case whenLockedExceptOpenFiles = 1
  /// Until the device is first unlocked.
  case afterRestart = 2
  /// As the device's settings specify.
  case deviceSettings = 3

  /// The corresponding member in Graph.
  public var graph: DataEncryptionType {
    switch self {
    case .whenLocked: .whenDeviceLocked
    case .whenLockedExceptOpenFiles: .whenDeviceLockedExceptOpenFiles
    case .afterRestart: .afterDeviceRestart
    case .deviceSettings: .useDeviceSettings
    }
  }
}
