import EventSourcing

/// `remediation.told`: the app was told how the account's remediation ended.
public struct RemediationTold: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(.remediationTold, "remediation.told", meaning: "The app was told how the account's remediation ended.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }
}
