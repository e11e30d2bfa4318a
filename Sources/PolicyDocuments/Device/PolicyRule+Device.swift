/// Rules of a device's dump. Reading it finds what they name, so they check no policy.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let device: [PolicyRule] = [
    unknownDeviceSetting, unreadableDeviceValue, ambiguousLocation, twoModelLists,
  ]

  /// A device's setting is not known.
  public static let unknownDeviceSetting = PolicyRule(
    "unknownDeviceSetting", .note, "A device's settings are those that are documented.", "D review app protection logs")

  /// A device's value cannot be read.
  public static let unreadableDeviceValue = PolicyRule(
    "unreadableDeviceValue", .error, "A device's setting has one of the values that are documented.",
    "D review app protection logs")

  /// A device's location is ambiguous.
  public static let ambiguousLocation = PolicyRule(
    "ambiguousLocation", .warning,
    "The bits 64 and 128 of a device's save locations mean different things in the documentation and in the SDK.",
    "D review app protection logs; H IntuneMAMPolicy")

  /// A device has two lists of models.
  public static let twoModelLists = PolicyRule(
    "twoModelLists", .note, "Of two lists of device models, a policy document holds the one that removes data.",
    "DERIVED")
}
