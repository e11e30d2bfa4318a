import EventSourcing

/// `login.requested`: the engine must ask the user who signs in.
public struct LoginRequested: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.loginRequested, "login.requested", meaning: "The user is to be asked who signs in.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add("the user is asked who signs in")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
