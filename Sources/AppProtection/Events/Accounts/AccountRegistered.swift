import EventSourcing

/// `account.registered`: the app registered an account, which is enrolled as soon as the service allows.
public struct AccountRegistered: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountRegistered, "account.registered",
      meaning: "The app registered an account; it is enrolled as soon as the service allows.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    if !headline.addChange(of: "status") { headline.add("registered") }
  }
}
