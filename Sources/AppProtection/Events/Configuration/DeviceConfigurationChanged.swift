import EventSourcing

/// `deviceConfiguration.changed`: the configuration from device management changed.
public struct DeviceConfigurationChanged: EventPayload {
  /// Whether a configuration exists.
  public var isDelivered = false
  /// The device that device management names.
  public var deviceID: GUID?
  /// Whether only the account of the device may sign in.
  public var restrictsAccounts = false
  /// The other values, and those of ``DeviceConfigurationKey`` that cannot be used.
  public var values: [ConfigurationValue] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .deviceConfigurationChanged, "deviceConfiguration.changed",
      meaning: "What device management configures the app with is other than before.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  /// Passes nothing: the configuration belongs to the device and to no account, so no key seals it that goes with a person.
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {}

  public func tell(in headline: Headline) {
    if isDelivered {
      headline.add(values.count, "value")
      if deviceID != nil { headline.add(", the device is named") }
      if restrictsAccounts { headline.add(", only the device's account may sign in") }
    } else {
      headline.add("the configuration was taken away")
    }
    headline.tell(below: "/configuration/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "isDelivered", &event.isDelivered, "whether there is a configuration; false takes it away")
    try field(2, "deviceID", &event.deviceID, privacy: .account, "the device that device management names")
    try field(3, "restrictsAccounts", &event.restrictsAccounts, "whether only the account of the device may sign in")
    try field(4, "values", &event.values, "the other values, in the order of their keys")
  }
}
