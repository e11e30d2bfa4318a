import EventSourcing

/// `wipe.delegateAnswered`: the app's delegate was asked to wipe the account's data and answered.
public struct WipeDelegateAnswered: EventPayload {
  public var account: AccountNumber
  /// Whether the delegate removed everything; otherwise the engine removes the account's files.
  public var removedEverything = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .wipeDelegateAnswered, "wipe.delegateAnswered",
      meaning: "The app's delegate was asked to wipe the account's data and answered.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(removedEverything ? "the app removed everything" : "the app leaves its files to the engine")
    headline.tell(below: "/wipes/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(
      2, "removedEverything", &event.removedEverything,
      "whether the delegate removed everything; otherwise the engine removes the account's files")
  }
}
