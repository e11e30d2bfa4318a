import EventSourcing

/// `pin.reset`: the PIN does not count any more; another one must be chosen.
public struct PINReset: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    168, "pin.reset",
    body: MessageDescriptor(
      "PINReset",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The PIN does not count any more, and another one must be chosen.")
}
