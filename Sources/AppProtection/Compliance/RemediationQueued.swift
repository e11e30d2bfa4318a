import EventSourcing

/// `remediation.queued`: the remediation waits until that of another account has ended.
public struct RemediationQueued: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    142, "remediation.queued",
    body: MessageDescriptor(
      "RemediationQueued",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The remediation waits until that of another account has ended.")
}
