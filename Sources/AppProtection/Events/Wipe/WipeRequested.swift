import EventSourcing

/// `wipe.requested`: the account's data must be wiped; the app's delegate is asked first.
public struct WipeRequested: EventPayload {
  public var account: AccountNumber
  /// The reason, as the number shown in wipe notices.
  public var reason = WipeReason.unspecified
  /// The wipe's origin.
  public var origin = WipeOrigin.service
  /// Whether the service is notified that the account leaves once the data is gone. In journals before revision 4, the
  /// service was notified first.
  public var precedesUnenrollment = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .wipeRequested, "wipe.requested", meaning: "The account's data is to be wiped; the app's delegate is asked first."
    )
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("by ")
    headline.add(origin)
    headline.add(": ")
    headline.add(reason.rawValue)
    headline.add(" ")
    headline.add(name: reason.name)
    headline.addChange(of: "enrollment/status", before: ", ")
    headline.tell(below: "/wipes/")
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "reason", &event.reason, "why, as the number that wipe notices carry")
    try field(3, "origin", &event.origin, "who ordered it")
    try field(
      4, "precedesUnenrollment", &event.precedesUnenrollment,
      "whether the service is told that the account leaves once the data is gone")
  }
}
