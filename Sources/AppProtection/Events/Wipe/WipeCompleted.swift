import EventSourcing

/// `wipe.completed`: the account's data, policy and registration are gone.
public struct WipeCompleted: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.wipeCompleted, "wipe.completed", meaning: "The account's data, policy and registration are gone.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("data, policy and registration are gone")
    headline.addChange(of: "enrollment/status", before: ", ")
    headline.tell(below: "/wipes/")
    headline.tell(below: "/policies/")
    headline.tell(below: "/accounts/")
  }
}
