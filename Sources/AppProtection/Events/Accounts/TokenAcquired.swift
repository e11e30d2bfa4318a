import EventSourcing

/// `token.acquired`: the app has a token for the account; requests that waited for a sign-in continue.
public struct TokenAcquired: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .tokenAcquired, "token.acquired",
      meaning: "The app has a token for the account; what waited for a sign-in goes on.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("the app has a token")
    if headline.change(of: "awaitsSignIn") != nil { headline.add("; what waited for a sign-in goes on") }
    _ = headline.change(of: "tokensRemoved")
  }
}
