import EventSourcing

/// `login.requested`: the user is to be asked who signs in.
public struct LoginRequested: EventPayload {
  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(.loginRequested, "login.requested", meaning: "The user is to be asked who signs in.")
  }

  /// What reading begins with.
  public static var blank: Self { Self() }

  /// The fields.
  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
