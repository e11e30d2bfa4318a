import EventSourcing

/// `account.identified`: an account's object id or name became known, or its name changed.
public struct AccountIdentified: PersonalEventPayload {
  public var account: AccountNumber
  /// The object id, if it became known.
  @Personal public var objectID: GUID?
  /// The user principal name, if it became known or changed.
  @Personal public var userPrincipalName: String?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountIdentified, "account.identified",
      meaning: "More is known about an account: its object id, its name, or that its name changed.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    switch ($objectID.isAbsent, $userPrincipalName.isAbsent) {
    case (false, false): headline.add("object id and name are known")
    case (false, true): headline.add("the object id is known")
    case (true, false): headline.add("the name is known")
    case (true, true): headline.add("nothing new is known")
    }
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "objectID", &event.$objectID, privacy: .account, "the object id, where it became known")
    try field(
      3, "userPrincipalName", &event.$userPrincipalName, privacy: .account,
      "the user principal name, where it became known or changed")
  }
}
