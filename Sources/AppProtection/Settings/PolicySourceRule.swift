/// How an app's policy source follows the account of the device.
public enum PolicySourceRule: Int, WireEnumeration {
  /// It is device management while the device has an account, and the service without it.
  case followsDevice = 0
  /// It is the service, regardless of device management.
  case service = 1
}
