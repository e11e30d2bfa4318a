import EventSourcing

/// `launch.warned`: the user was warned that the account has no policy, and continued without one.
public struct LaunchWarned: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .launchWarned, "launch.warned",
      meaning: "The user was warned that the account has no policy, and goes on without one.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add("the account has no policy; the user goes on without one")
    _ = headline.change(of: "wasWarned")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
