import EventSourcing

/// `enrollment.switchAnswered`: the user chose which managed account to keep.
public struct AccountSwitchAnswered: EventPayload {
  /// The account that asked to be managed.
  public var account: AccountNumber
  /// The account that is managed.
  public var existing: AccountNumber
  /// The user's choice.
  public var choice = AccountChoice.keepExisting

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountSwitchAnswered, "enrollment.switchAnswered", meaning: "The user chose which managed account to keep.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, existing: .first) }

  public func tell(in headline: Headline) {
    headline.add(choice)
    switch choice {
    case .keepExisting:
      headline.add(": ")
      headline.add([existing])
      headline.add(" stays")
    case .switchAccounts:
      headline.add(": ")
      headline.add([account])
      headline.add(" in place of ")
      headline.add([existing])
    case .canceled: break
    }
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account that wanted in")
    try field(2, "existing", &event.existing, required: true, "the account that is managed")
    try field(3, "choice", &event.choice, "what the user chose")
  }
}
