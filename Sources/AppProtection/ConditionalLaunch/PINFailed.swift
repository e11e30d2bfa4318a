import EventSourcing

/// `pin.failed`: the user entered a wrong PIN.
public struct PINFailed: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    167, "pin.failed",
    body: MessageDescriptor(
      "PINFailed",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The user entered a wrong PIN.",
    remedy:
      "After as many wrong PINs as the policy accepts the PIN is reset, which needs a sign-in, or the data is removed.")
}
