import EventSourcing

/// `signIns.reported`: the app reported which accounts are signed in.
public struct SignInsReported: EventPayload {
  /// All signed-in accounts.
  public var accounts: [AccountNumber] = []
  /// The signed-in accounts that the app uses for work or school.
  public var workOrSchool: [AccountNumber] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .signInsReported, "signIns.reported",
      meaning: "The app said which accounts are signed in.",
      remedy: "Register those used for work or school, and sign out those that are not allowed.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add("signed in: ")
    headline.add(accounts)
    if !workOrSchool.isEmpty {
      headline.add("; for work or school: ")
      headline.add(workOrSchool)
    }
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "accounts", &event.accounts, "the accounts that are signed in, all of them")
    try field(2, "workOrSchool", &event.workOrSchool, "those of them that the app uses for work or school")
  }
}
