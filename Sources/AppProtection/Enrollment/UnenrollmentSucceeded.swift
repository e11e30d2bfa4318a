import EventSourcing

/// `unenrollment.succeeded`: the service unenrolled the account; it is no longer registered (104).
public struct UnenrollmentSucceeded: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .unenrollmentSucceeded, "unenrollment.succeeded",
      meaning: "The service unenrolled the account; it is no longer registered (104).")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
