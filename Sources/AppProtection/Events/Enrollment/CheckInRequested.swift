import EventSourcing

/// `checkIn.requested`: the engine must ask the service for the account's policy.
public struct CheckInRequested: EventPayload {
  public var account: AccountNumber
  /// What triggered the check-in.
  public var trigger = CheckInTrigger.schedule

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.checkInRequested, "checkIn.requested", meaning: "The service is to be asked for the account's policy.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(trigger)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "trigger", &event.trigger, "what the check-in comes from")
  }
}
