import EventSourcing
import SensitiveText

/// The configuration that device management gives the app, except for the device's account, which is part of the
/// settings.
public struct DeviceConfiguration: FieldList {
  /// The device that device management names. It alone does not make an account a managed device's (T38).
  public internal(set) var deviceID: GUID?
  /// Whether only the account of the device may sign in.
  public internal(set) var restrictsAccounts = false
  /// The other values, in the order of their keys' bytes, and those of ``DeviceConfigurationKey`` that cannot be used.
  public internal(set) var values: [ConfigurationValue] = []

  init() {}

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ configuration: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "deviceID", &configuration.deviceID, privacy: .account)
    try field(2, "restrictsAccounts", &configuration.restrictsAccounts)
    try field(3, "values", &configuration.values, shown: false)
    field.shown("values", ConfigurationValue.tree(configuration.values))
  }
}

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

extension ConfigurationValue {
  /// What the value steers in a device's configuration; `nil` if it is the app's own.
  package var steeringKey: DeviceConfigurationKey? { DeviceConfigurationKey(ignoringCase: key) }

  /// Whether the value says what its key is for. A placeholder that was not replaced does not.
  package func isUsable(as key: DeviceConfigurationKey?) -> Bool {
    switch key {
    case .userPrincipalName:
      !isPlaceholder && !TextPrivacy.isPseudonymOfOther(text) && AccountReference(userPrincipalName: text).isUsable
    case .objectID, .deviceID: GUID(text) != nil
    case .allowedAccountsOnly: !isPlaceholder
    case nil: true
    }
  }
}

/// Where an app's policy comes from (`IntuneMAMPolicySource`).
public enum PolicySource: Int, WireEnumeration {
  /// Device management.
  case mdm = 0
  /// The service, without device management.
  case mam = 1
  /// Somewhere else, or nowhere.
  case other = 2
}
