import EventSourcing

/// `token.removed`: the app removed the account's tokens.
public struct TokenRemoved: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .tokenRemoved, "token.removed",
      meaning: "The app removed the account's tokens.",
      remedy: "Deregister an account before its tokens are removed; otherwise the service cannot be told.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("the app removed its tokens")
    _ = headline.change(of: "tokensRemoved")
  }
}
