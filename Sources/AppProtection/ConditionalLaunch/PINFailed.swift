import EventSourcing

/// `pin.failed`: the user entered a wrong PIN.
public struct PINFailed: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .pinFailed, "pin.failed",
      meaning: "The user entered a wrong PIN.",
      remedy: """
        After as many wrong PINs as the policy accepts the PIN is reset, which needs a sign-in, or the data is \
        removed.
        """)
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
