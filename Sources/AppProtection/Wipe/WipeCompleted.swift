import EventSourcing

/// `wipe.completed`: the account's data, policy and registration are gone.
public struct WipeCompleted: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    123, "wipe.completed",
    body: MessageDescriptor(
      "WipeCompleted",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The account's data, policy and registration are gone.")
}
