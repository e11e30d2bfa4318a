import EventSourcing

/// `unenrollment.succeeded`: the service unenrolled the account; it is no longer registered (104).
public struct UnenrollmentSucceeded: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .unenrollmentSucceeded, "unenrollment.succeeded",
      meaning: "The service unenrolled the account; it is no longer registered (104).")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(EnrollmentStatusCode.unenrollmentSuccess)
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/accounts/")
  }
}
