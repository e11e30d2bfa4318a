import EventSourcing

/// The payload of an event that names only an account.
public protocol AccountEventPayload: EventPayload {
  /// The account.
  var account: AccountNumber { get set }
}

extension AccountEventPayload {
  /// The account is field 1.
  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
  }
}
