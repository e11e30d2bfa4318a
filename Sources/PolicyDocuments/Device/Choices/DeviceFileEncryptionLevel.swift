import AppProtection

/// When files are protected: `FileEncryptionLevel`. The reverse of Graph's numbers.
public enum DeviceFileEncryptionLevel: Int64, DeviceChoice {
  /// While the device is locked.
  case whenLocked = 0
  /// While the device is locked, but for open files.
  case whenLockedExceptOpenFiles = 1
  /// Until the device is first unlocked.
  case afterRestart = 2
  /// As the device's settings say.
  case deviceSettings = 3

  /// The member in Graph that means the same.
  public var graph: DataEncryptionType {
    switch self {
    case .whenLocked: .whenDeviceLocked
    case .whenLockedExceptOpenFiles: .whenDeviceLockedExceptOpenFiles
    case .afterRestart: .afterDeviceRestart
    case .deviceSettings: .useDeviceSettings
    }
  }
}
