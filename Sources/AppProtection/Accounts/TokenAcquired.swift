import EventSourcing

/// `token.acquired`: the app has a token for the account; what waited for a sign-in goes on.
public struct TokenAcquired: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .tokenAcquired, "token.acquired",
      meaning: "The app has a token for the account; what waited for a sign-in goes on.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
