import EventSourcing

/// What a slice of the state keeps about one account.
public protocol AccountRecord: Message {
  /// The account.
  var account: AccountNumber { get }
}
