import EventSourcing

/// `deviceAccount.changed`: device management names a different user of the device, or no longer names one.
public struct ManagedDeviceAccountChanged: EventPayload {
  /// The user for whom the device is managed; none when it is not managed.
  public var account: AccountNumber?
  /// The source of this information.
  public var source = DeviceAccountSource.mdm

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .managedDeviceAccountChanged, "deviceAccount.changed",
      meaning: "Device management names another user of the device, or none any more.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    if let account {
      headline.add("the device is managed for ")
      headline.add([account])
    } else {
      headline.add("the device is not managed")
    }
    headline.add(", says ")
    headline.add(source)
    headline.tell(below: "/settings/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "account", &event.account, cardinality: .single,
      "the user for whom the device is managed; none when it is not managed")
    try field(2, "source", &event.source, "who says so")
  }
}
