import EventSourcing

/// `account.exclusivityChanged`: whether the account must be the only managed one changed.
public struct AccountExclusivityChanged: EventPayload {
  public var account: AccountNumber
  /// Whether it must be the only one.
  public var isExclusive = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountExclusivityChanged, "account.exclusivityChanged",
      meaning: "Whether the account must be the only managed one changed.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(isExclusive ? "must be the only managed account" : "need not be the only managed account")
    _ = headline.change(of: "isExclusive")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "isExclusive", &event.isExclusive, "whether it must be the only one")
  }
}
