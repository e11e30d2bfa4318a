import EventSourcing

/// `unenrollment.succeeded`: the service unenrolled the account; it is no longer registered (104).
public struct UnenrollmentSucceeded: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    61, "unenrollment.succeeded",
    body: MessageDescriptor(
      "UnenrollmentSucceeded",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The service unenrolled the account; it is no longer registered (104).")
}
