import EventSourcing

/// The payload of an event with data about the person of an account, which the account's key can seal.
public protocol PersonalEventPayload: EventPayload {
  /// The account.
  var account: AccountNumber { get }
}

extension PersonalEventPayload {
  /// The account's number.
  public var sealingAccount: UInt64 { account.key }
}
