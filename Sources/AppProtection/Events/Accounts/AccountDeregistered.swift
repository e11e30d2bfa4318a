import EventSourcing

/// `account.deregistered`: an account is no longer registered, and its retries end.
public struct AccountDeregistered: EventPayload {
  public var account: AccountNumber
  /// Whether the service could not be notified and still counts the account as enrolled.
  public var lingersAtService = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountDeregistered, "account.deregistered",
      meaning: "An account is no longer registered, and nothing is retried for it.",
      remedy: """
        Where the record lingers at the service, deregister before removing the tokens next time; the next sign-in \
        clears it.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    if !headline.addChange(of: "status") { headline.add("deregistered") }
    if lingersAtService { headline.add(", but the service still counts it as enrolled") }
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(
      2, "lingersAtService", &event.lingersAtService,
      "whether the service could not be told and still counts the account as enrolled")
  }
}
