import EventSourcing

/// `account.additionRequested`: the engine enrolled an account on its own, and the app is asked to add it.
public struct AccountAdditionRequested: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    27, "account.additionRequested",
    body: MessageDescriptor(
      "AccountAdditionRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The engine enrolled an account that the app did not name: the app is asked to add it.")
}
