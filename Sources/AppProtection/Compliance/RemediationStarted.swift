import EventSourcing

/// `remediation.started`: the remediation of the account is under way.
public struct RemediationStarted: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    143, "remediation.started",
    body: MessageDescriptor(
      "RemediationStarted",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The remediation of the account is under way.")
}
