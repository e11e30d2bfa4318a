import EventSourcing

/// `wipe.completed`: the account's data, policy and registration are gone.
public struct WipeCompleted: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(.wipeCompleted, "wipe.completed", meaning: "The account's data, policy and registration are gone.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
