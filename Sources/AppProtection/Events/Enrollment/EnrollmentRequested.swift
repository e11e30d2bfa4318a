import EventSourcing

/// `enrollment.requested`: the engine must ask the service to enroll the account.
public struct EnrollmentRequested: EventPayload {
  public var account: AccountNumber
  /// What triggered the enrollment.
  public var trigger = EnrollmentTrigger.registration

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .enrollmentRequested, "enrollment.requested", meaning: "The service is to be asked to enroll the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(trigger)
    headline.addChange(of: "status", before: ": ")
    _ = headline.change(of: "trigger")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "trigger", &event.trigger, "what the enrollment comes from")
  }
}
