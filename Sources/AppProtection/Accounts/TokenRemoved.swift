import EventSourcing

/// `token.removed`: the app removed the account's tokens.
public struct TokenRemoved: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .tokenRemoved, "token.removed",
      meaning: "The app removed the account's tokens.",
      remedy: "Deregister an account before its tokens are removed; otherwise the service cannot be told.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
