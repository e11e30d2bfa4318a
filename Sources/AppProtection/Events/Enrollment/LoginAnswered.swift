import EventSourcing

/// `login.answered`: the user chose who signs in, or canceled.
public struct LoginAnswered: EventPayload {
  /// The account; `nil` when the user canceled.
  public var account: AccountNumber?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.loginAnswered, "login.answered", meaning: "The user said who signs in, or canceled.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    if let account {
      headline.add([account])
      headline.add(" signs in")
    } else {
      headline.add("canceled")
    }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, cardinality: .single, "the account; none when the user canceled")
  }
}
