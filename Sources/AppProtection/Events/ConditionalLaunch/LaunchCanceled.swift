import EventSourcing

/// `launch.canceled`: the user did not answer a launch condition's question.
public struct LaunchCanceled: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .launchCanceled, "launch.canceled",
      meaning: "The user did not answer what a launch condition asked; the app stays closed for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("the user did not answer; the app stays closed")
    headline.tell(below: "/launch/")
  }
}
