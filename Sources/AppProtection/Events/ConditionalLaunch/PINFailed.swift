import EventSourcing

/// `pin.failed`: the user entered a wrong PIN.
public struct PINFailed: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .pinFailed, "pin.failed",
      meaning: "The user entered a wrong PIN.",
      remedy: """
        After as many wrong PINs as the policy accepts the PIN is reset, which needs a sign-in, or the data is \
        removed.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("wrong PIN")
    if let failures = headline.change(of: "failures") {
      headline.add(", failure ")
      headline.add(failures.after)
    }
    headline.tell(below: "/launch/")
  }
}
