import EventSourcing

/// `configuration.withdrawn`: no configuration is meant for an account any more.
public struct ConfigurationWithdrawn: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .configurationWithdrawn, "configuration.withdrawn", meaning: "No configuration is meant for an account any more.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
