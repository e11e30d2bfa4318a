import EventSourcing

/// `pin.reset`: the PIN does not count any more; another one must be chosen.
public struct PINReset: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(.pinReset, "pin.reset", meaning: "The PIN does not count any more, and another one must be chosen.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
