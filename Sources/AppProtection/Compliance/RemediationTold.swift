import EventSourcing

/// `remediation.told`: the app was told how the account's remediation ended.
public struct RemediationTold: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    145, "remediation.told",
    body: MessageDescriptor(
      "RemediationTold",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The app was told how the account's remediation ended.")
}
