import EventSourcing

/// `launch.signedIn`: the user signed in with the account because a launch condition asked for it.
public struct LaunchSignedIn: AccountEventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    164, "launch.signedIn",
    body: MessageDescriptor(
      "LaunchSignedIn",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The user signed in with the account because a launch condition asked for it.")
}
