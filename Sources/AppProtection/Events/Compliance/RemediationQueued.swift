import EventSourcing

/// `remediation.queued`: the remediation waits for another account's to end.
public struct RemediationQueued: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .remediationQueued, "remediation.queued",
      meaning: "The remediation waits until that of another account has ended.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("waits for another account")
    headline.addChange(of: "status", before: ", ")
  }
}
