import EventSourcing

/// `enrollment.lapsed`: the account was silent for so long that the service may have dropped it; it is registered anew.
public struct EnrollmentLapsed: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    47, "enrollment.lapsed",
    body: MessageDescriptor(
      "EnrollmentLapsed",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The account was silent for so long that the service may have dropped it; it is registered anew.")
}
