import EventSourcing

/// `remediation.started`: the remediation of the account is under way.
public struct RemediationStarted: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.remediationStarted, "remediation.started", meaning: "The remediation of the account is under way.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    if !headline.addChange(of: "status") { headline.add("started") }
  }
}
