import EventSourcing

/// `account.additionRequested`: the engine enrolled an account on its own, and the app is asked to add it.
public struct AccountAdditionRequested: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountAdditionRequested, "account.additionRequested",
      meaning: "The engine enrolled an account that the app did not name: the app is asked to add it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("the app is asked to add it")
  }
}
