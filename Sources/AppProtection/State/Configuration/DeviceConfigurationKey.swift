/// The keys of a device's configuration that steer the machine; their case does not matter.
public enum DeviceConfigurationKey: String, CaseIterable, Sendable {
  /// The user principal name of the device's account.
  case userPrincipalName = "IntuneMAMUPN"
  /// The object id of the device's account.
  case objectID = "IntuneMAMOID"
  /// The device's id in device management.
  case deviceID = "IntuneMAMDeviceID"
  /// `Enabled` lets only the device's account sign in.
  case allowedAccountsOnly = "IntuneMAMAllowedAccountsOnly"

  /// The key that a text means.
  public init?(ignoringCase text: String) {
    guard let key = Self.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else { return nil }
    self = key
  }
}
