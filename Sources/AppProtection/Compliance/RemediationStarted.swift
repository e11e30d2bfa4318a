import EventSourcing

/// `remediation.started`: the remediation of the account is under way.
public struct RemediationStarted: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(.remediationStarted, "remediation.started", meaning: "The remediation of the account is under way.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
