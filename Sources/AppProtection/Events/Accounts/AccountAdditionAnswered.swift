import EventSourcing

/// `account.additionAnswered`: the app said whether it added the account.
public struct AccountAdditionAnswered: EventPayload {
  public var account: AccountNumber
  /// The app's answer.
  public var result = AddIdentityResult.success

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountAdditionAnswered, "account.additionAnswered",
      meaning: "The app said whether it added the account that the engine enrolled.",
      remedy: "Where it failed, add the account or deregister it: its policy is there, and the user cannot reach it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(result)
    _ = headline.change(of: "isSignedIn")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "result", &event.result, "what the app answered")
  }
}
