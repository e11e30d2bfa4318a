import EventSourcing

/// `process.ended`: the process ended in an orderly way; a process that crashed leaves no such event.
public struct ProcessEnded: EventPayload {
  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .processEnded, "process.ended",
      meaning: "The process ended in an orderly way; a process that crashed leaves no such event.")
  }

  /// What reading begins with.
  public static var blank: Self { Self() }

  /// The fields.
  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
