/// The source of the device's account.
public enum DeviceAccountSource: Int, WireEnumeration {
  /// The device is enrolled with the service's own device management: another account is refused with 210 (T14).
  case mdm = 0
  /// Another management solution provides the account: another one is refused with 209 (T15).
  case emm = 1
}
