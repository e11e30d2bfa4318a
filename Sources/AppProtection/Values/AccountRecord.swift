import EventSourcing

/// A slice's record of one account.
public protocol AccountRecord: Message {
  /// The account.
  var account: AccountNumber { get }
}
