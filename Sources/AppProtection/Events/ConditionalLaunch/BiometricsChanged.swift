import EventSourcing

/// `biometrics.changed`: the fingers or faces enrolled on the device changed.
public struct BiometricsChanged: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .biometricsChanged, "biometrics.changed",
      meaning: "The set of fingers or faces that the device knows is another one: the next time the PIN is asked.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add("the PIN is asked for next time")
    headline.tell(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
