import EventSourcing

/// `launch.signedIn`: the user signed in with the account because a launch condition asked for it.
public struct LaunchSignedIn: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .launchSignedIn, "launch.signedIn",
      meaning: "The user signed in with the account because a launch condition asked for it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("the user signed in as asked")
    headline.tell(below: "/launch/")
  }
}
