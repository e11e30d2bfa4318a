import EventSourcing

/// `clock.offsetChanged`: the device's local time has another offset from UTC than before, as after a journey or when
/// daylight saving time begins.
public struct ClockOffsetChanged: EventPayload {
  /// Local time minus UTC, in nanoseconds.
  public var utcOffset: Int64

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .clockOffsetChanged, "clock.offsetChanged",
      meaning: "The device's local time has another offset from UTC than before.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(utcOffset: 0) }

  public func tell(in headline: Headline) {
    headline.add(utcOffset: utcOffset)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "utcOffset", &event.utcOffset, as: .duration, "local time minus UTC")
  }
}
