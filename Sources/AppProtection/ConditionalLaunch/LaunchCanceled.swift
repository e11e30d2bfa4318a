import EventSourcing

/// `launch.canceled`: the user did not answer what a launch condition asked.
public struct LaunchCanceled: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    163, "launch.canceled",
    body: MessageDescriptor(
      "LaunchCanceled",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The user did not answer what a launch condition asked; the app stays closed for the account.")
}
