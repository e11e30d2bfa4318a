import EventSourcing

/// `enrollment.lapsed`: the account was silent for so long that the service may have dropped it; it is registered
/// again.
public struct EnrollmentLapsed: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .enrollmentLapsed, "enrollment.lapsed",
      meaning: "The account was silent for so long that the service may have dropped it; it is registered anew.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("silent for too long")
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/accounts/")
  }
}
