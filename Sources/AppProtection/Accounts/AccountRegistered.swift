import EventSourcing

/// `account.registered`: the app registered an account; it is enrolled as soon as the service allows.
public struct AccountRegistered: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .accountRegistered, "account.registered",
      meaning: "The app registered an account; it is enrolled as soon as the service allows.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
