import EventSourcing

/// `configuration.received`: the service delivered the configuration of an account.
public struct ConfigurationReceived: PersonalEventPayload {
  public var account: AccountNumber
  /// The delivered entries, in order.
  public var entries: [ConfigurationEntry] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .configurationReceived, "configuration.received",
      meaning: "The service delivered the configuration of an account; it applies at once.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(entries.reduce(0) { $0 + $1.values.count }, "value")
    headline.tell(below: "/configuration/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "entries", &event.entries, "what was delivered, in its order")
  }
}
