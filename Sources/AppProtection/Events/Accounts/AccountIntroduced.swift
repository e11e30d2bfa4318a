import EventSourcing

/// `account.introduced`: an account was mentioned for the first time and got its number.
public struct AccountIntroduced: PersonalEventPayload {
  /// The number by which everything else in the journal refers to it.
  public var account: AccountNumber
  /// The Entra object id, where it is known.
  @Personal public var objectID: GUID?
  /// The user principal name as first given, where it is known.
  @Personal public var userPrincipalName: String?

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .accountIntroduced, "account.introduced",
      meaning: "An account was mentioned for the first time and got its number.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    switch ($objectID.isAbsent, $userPrincipalName.isAbsent) {
    case (false, false): headline.add("known by object id and name")
    case (false, true): headline.add("known by object id")
    case (true, false): headline.add("known by name")
    case (true, true): headline.add("known by number only")
    }
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "account", &event.account, required: true, "the number by which everything else in the journal refers to it")
    try field(2, "objectID", &event.$objectID, privacy: .account, "the Entra object id, where it is known")
    try field(
      3, "userPrincipalName", &event.$userPrincipalName, privacy: .account,
      "the user principal name as first given, where it is known")
  }
}
