import EventSourcing

/// `device.reported`: the app found new facts about the device.
public struct DeviceReported: EventPayload {
  /// Everything that is known about the device after this event.
  public var facts: DeviceFacts

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .deviceReported, "device.reported", meaning: "What the app found out about the device is not what was last known."
    )
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(facts: DeviceFacts()) }

  public func tell(in headline: Headline) {
    headline.addChanges(below: "/launch/device/")
    if headline.text.isEmpty { headline.add("the device's facts") }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "facts", &event.facts, required: true, "everything that is known about the device from here on")
  }
}
