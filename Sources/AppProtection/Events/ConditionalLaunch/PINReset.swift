import EventSourcing

/// `pin.reset`: the PIN no longer counts; another one must be chosen.
public struct PINReset: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.pinReset, "pin.reset", meaning: "The PIN does not count any more, and another one must be chosen.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("another PIN must be chosen")
    headline.tell(below: "/launch/")
  }
}
