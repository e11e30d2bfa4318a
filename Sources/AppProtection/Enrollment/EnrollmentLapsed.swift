import EventSourcing

/// `enrollment.lapsed`: the account was silent for so long that the service may have dropped it; it is registered anew.
public struct EnrollmentLapsed: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .enrollmentLapsed, "enrollment.lapsed",
      meaning: "The account was silent for so long that the service may have dropped it; it is registered anew.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
