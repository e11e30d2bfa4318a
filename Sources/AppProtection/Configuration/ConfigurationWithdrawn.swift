import EventSourcing

/// `configuration.withdrawn`: no configuration is meant for an account any more.
public struct ConfigurationWithdrawn: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    83, "configuration.withdrawn",
    body: MessageDescriptor(
      "ConfigurationWithdrawn",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "No configuration is meant for an account any more.")
}
