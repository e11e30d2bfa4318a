import EventSourcing

/// The facts about the device that launch conditions need. Every starting process reports versions and the model, which
/// are in ``ProcessSlice``.
public struct DeviceFacts: FieldTree {
  /// Whether the device is jailbroken; `nil` if not checked.
  public var isJailbroken: Bool?
  /// Whether the device has a passcode; `nil` if not checked.
  public var hasPasscode: Bool?
  /// Whether the device is enrolled in device management; `nil` if not checked.
  public var isManaged: Bool?
  /// Which biometrics the device offers.
  public var biometry = Biometry.none
  /// How far threat defense is set up: that of a partner other than Microsoft Defender, where the two are
  /// distinguished.
  public var threatDefense = ThreatDefenseState.unknown
  /// The threat level that threat defense reports.
  public var threatLevel = ThreatLevel.unknown
  /// Whether the keychain, where the PIN is, cannot be read.
  public var isKeychainUnreadable = false
  /// Whether the SDK reports that it does not understand the version of the policy.
  public var isPolicyVersionUnknown = false
  /// How far Microsoft Defender is set up, where it is distinguished from another partner; `unknown` otherwise.
  public var defender = ThreatDefenseState.unknown
  /// The threat level that Microsoft Defender reports.
  public var defenderThreatLevel = ThreatLevel.unknown

  /// Nothing is known about the device.
  public init() {}

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ facts: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "isJailbroken", &facts.isJailbroken, "whether the device is jailbroken; absent: nobody looked")
    try field(2, "hasPasscode", &facts.hasPasscode, "whether the device has a passcode; absent: nobody looked")
    try field(
      3, "isManaged", &facts.isManaged, "whether the device is enrolled in device management; absent: nobody looked")
    try field(4, "biometry", &facts.biometry, "which biometrics the device offers")
    try field(5, "threatDefense", &facts.threatDefense, "how far threat defense is set up")
    try field(6, "threatLevel", &facts.threatLevel, "what threat defense says about the device")
    try field(7, "isKeychainUnreadable", &facts.isKeychainUnreadable, "whether the keychain cannot be read")
    try field(
      8, "isPolicyVersionUnknown", &facts.isPolicyVersionUnknown,
      "whether the SDK does not understand the version of the policy")
    try field(
      9, "defender", &facts.defender,
      "how far Microsoft Defender is set up, where it is told apart from another partner")
    try field(10, "defenderThreatLevel", &facts.defenderThreatLevel, "what Microsoft Defender says about the device")
  }
}

extension DeviceFacts {
  /// Whether the app PIN is skipped: on a managed device that has a passcode, if the policy allows it.
  func replacesPIN(under access: PolicyDocument.Access) -> Bool {
    access.disableAppPinIfDevicePinIsSet == true && isManaged == true && hasPasscode == true
  }
}
