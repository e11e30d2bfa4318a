import EventSourcing

/// `account.registered`: the app registered an account; it is enrolled as soon as the service allows.
public struct AccountRegistered: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    22, "account.registered",
    body: MessageDescriptor(
      "AccountRegistered",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The app registered an account; it is enrolled as soon as the service allows.")
}
