import EventSourcing

/// `unenrollment.requested`: the service is to be notified that the account leaves.
public struct UnenrollmentRequested: EventPayload {
  public var account: AccountNumber
  /// Whether the account's data is wiped too.
  public var wipe = false
  /// The origin of the unenrollment.
  public var origin = UnenrollmentOrigin.app

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .unenrollmentRequested, "unenrollment.requested", meaning: "The service is to be told that the account leaves.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("by ")
    headline.add(origin)
    headline.add(wipe ? ", with a wipe" : ", without a wipe")
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "wipe", &event.wipe, "whether the account's data is wiped too")
    try field(3, "origin", &event.origin, "who wants it")
  }
}
