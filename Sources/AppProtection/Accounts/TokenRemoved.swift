import EventSourcing

/// `token.removed`: the app removed the account's tokens.
public struct TokenRemoved: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    26, "token.removed",
    body: MessageDescriptor(
      "TokenRemoved",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The app removed the account's tokens.",
    remedy: "Deregister an account before its tokens are removed; otherwise the service cannot be told.")
}
