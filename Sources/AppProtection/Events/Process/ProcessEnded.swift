import EventSourcing

/// `process.ended`: the process ended normally; a crashed process leaves no such event.
public struct ProcessEnded: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .processEnded, "process.ended",
      meaning: "The process ended in an orderly way; a process that crashed leaves no such event.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add("ended in an orderly way")
    _ = headline.change(of: "isRunning")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
