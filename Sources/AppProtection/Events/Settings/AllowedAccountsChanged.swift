import EventSourcing

/// `allowedAccounts.changed`: device management restricts which accounts may sign in, or lifts the restriction.
public struct AllowedAccountsChanged: EventPayload {
  /// Whether only the listed accounts may sign in; false allows all accounts.
  public var isRestricted = false
  /// The accounts that may sign in.
  public var accounts: [AccountNumber] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .allowedAccountsChanged, "allowedAccounts.changed",
      meaning: "Device management restricts which accounts may sign in, or lifts the restriction.",
      remedy: "Sign out every account that is not in the list.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add(isRestricted ? "only these may sign in: " : "every account may sign in")
    if isRestricted { headline.add(accounts) }
    headline.tell(below: "/settings/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "isRestricted", &event.isRestricted, "whether only the listed accounts may sign in; false lets everybody in")
    try field(2, "accounts", &event.accounts, "the accounts that may sign in")
  }
}
