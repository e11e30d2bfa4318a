import EventSourcing

/// `launch.signedIn`: the user signed in with the account because a launch condition asked for it.
public struct LaunchSignedIn: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .launchSignedIn, "launch.signedIn",
      meaning: "The user signed in with the account because a launch condition asked for it.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
