import EventSourcing

/// `launch.canceled`: the user did not answer what a launch condition asked.
public struct LaunchCanceled: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .launchCanceled, "launch.canceled",
      meaning: "The user did not answer what a launch condition asked; the app stays closed for the account.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
