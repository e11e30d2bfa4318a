import EventSourcing

/// `token.acquired`: the app has a token for the account; what waited for a sign-in goes on.
public struct TokenAcquired: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    25, "token.acquired",
    body: MessageDescriptor(
      "TokenAcquired",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The app has a token for the account; what waited for a sign-in goes on.")
}
