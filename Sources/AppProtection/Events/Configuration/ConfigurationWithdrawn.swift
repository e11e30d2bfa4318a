import EventSourcing

/// `configuration.withdrawn`: no configuration targets an account any longer.
public struct ConfigurationWithdrawn: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .configurationWithdrawn, "configuration.withdrawn", meaning: "No configuration is meant for an account any more.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("no configuration any more")
    headline.tell(below: "/configuration/")
  }
}
