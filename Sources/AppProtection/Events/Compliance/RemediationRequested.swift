import EventSourcing

/// `remediation.requested`: the app asked to make the account compliant.
public struct RemediationRequested: EventPayload {
  public var account: AccountNumber
  /// Whether the remediation must not involve the user.
  public var isSilent = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.remediationRequested, "remediation.requested", meaning: "The app asked to make the account compliant.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(isSilent ? "without asking the user" : "the user may be asked")
    headline.tell(below: "/compliance/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "isSilent", &event.isSilent, "whether the user must not be asked anything")
  }
}
