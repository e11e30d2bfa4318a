import EventSourcing
import WireFormat

/// What the app found out about the device, as far as launch conditions ask for it. Versions and the model are told by
/// every process that starts, and stand in ``ProcessSlice``.
public struct DeviceFacts: Equatable, Sendable {
  /// Whether the device is jailbroken; `nil` when nobody looked.
  public var isJailbroken: Bool?
  /// Whether the device has a passcode; `nil` when nobody looked.
  public var hasPasscode: Bool?
  /// Whether the device is enrolled in device management; `nil` when nobody looked.
  public var isManaged: Bool?
  /// Which biometrics the device offers.
  public var biometry = Biometry.none
  /// How far threat defense is set up: that of another partner than Microsoft Defender where both are told apart.
  public var threatDefense = ThreatDefenseState.unknown
  /// What threat defense says about the device.
  public var threatLevel = ThreatLevel.unknown
  /// Whether the keychain, where the PIN is, cannot be read.
  public var isKeychainUnreadable = false
  /// Whether the SDK says that it does not understand the version of the policy.
  public var isPolicyVersionUnknown = false
  /// How far Microsoft Defender is set up, where it is told apart from another partner; `unknown` where it is not.
  public var defender = ThreatDefenseState.unknown
  /// What Microsoft Defender says about the device.
  public var defenderThreatLevel = ThreatLevel.unknown

  /// Creates facts that say nothing.
  public init() {}

  static let descriptor = MessageDescriptor(
    "DeviceFacts",
    [
      FieldDescriptor(1, "isJailbroken", .bool, .optional, "whether the device is jailbroken; absent: nobody looked"),
      FieldDescriptor(2, "hasPasscode", .bool, .optional, "whether the device has a passcode; absent: nobody looked"),
      FieldDescriptor(
        3, "isManaged", .bool, .optional, "whether the device is enrolled in device management; absent: nobody looked"),
      FieldDescriptor(
        4, "biometry", .enumeration(Biometry.descriptor), .single, "which biometrics the device offers"),
      FieldDescriptor(
        5, "threatDefense", .enumeration(ThreatDefenseState.descriptor), .single, "how far threat defense is set up"),
      FieldDescriptor(
        6, "threatLevel", .enumeration(ThreatLevel.descriptor), .single, "what threat defense says about the device"),
      FieldDescriptor(7, "isKeychainUnreadable", .bool, .single, "whether the keychain cannot be read"),
      FieldDescriptor(
        8, "isPolicyVersionUnknown", .bool, .single, "whether the SDK does not understand the version of the policy"),
      FieldDescriptor(
        9, "defender", .enumeration(ThreatDefenseState.descriptor), .single,
        "how far Microsoft Defender is set up, where it is told apart from another partner"),
      FieldDescriptor(
        10, "defenderThreatLevel", .enumeration(ThreatLevel.descriptor), .single,
        "what Microsoft Defender says about the device"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, optional: isJailbroken)
    writer.write(2, optional: hasPasscode)
    writer.write(3, optional: isManaged)
    writer.write(4, enumeration: biometry)
    writer.write(5, enumeration: threatDefense)
    writer.write(6, enumeration: threatLevel)
    writer.write(7, bool: isKeychainUnreadable)
    writer.write(8, bool: isPolicyVersionUnknown)
    writer.write(9, enumeration: defender)
    writer.write(10, enumeration: defenderThreatLevel)
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: isJailbroken = try reader.bool(field)
      case 2: hasPasscode = try reader.bool(field)
      case 3: isManaged = try reader.bool(field)
      case 4: biometry = try reader.enumeration(field, as: Biometry.self)
      case 5: threatDefense = try reader.enumeration(field, as: ThreatDefenseState.self)
      case 6: threatLevel = try reader.enumeration(field, as: ThreatLevel.self)
      case 7: isKeychainUnreadable = try reader.bool(field)
      case 8: isPolicyVersionUnknown = try reader.bool(field)
      case 9: defender = try reader.enumeration(field, as: ThreatDefenseState.self)
      case 10: defenderThreatLevel = try reader.enumeration(field, as: ThreatLevel.self)
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("isJailbroken", isJailbroken.map { .bool($0) } ?? .unset),
      .init("hasPasscode", hasPasscode.map { .bool($0) } ?? .unset),
      .init("isManaged", isManaged.map { .bool($0) } ?? .unset),
      .init("biometry", .name(biometry.name)),
      .init("threatDefense", .name(threatDefense.name)),
      .init("threatLevel", .name(threatLevel.name)),
      .init("isKeychainUnreadable", .bool(isKeychainUnreadable)),
      .init("isPolicyVersionUnknown", .bool(isPolicyVersionUnknown)),
      .init("defender", .name(defender.name)),
      .init("defenderThreatLevel", .name(defenderThreatLevel.name)),
    ])
  }
}
