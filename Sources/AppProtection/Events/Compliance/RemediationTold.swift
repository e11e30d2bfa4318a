import EventSourcing

/// `remediation.told`: the app was told how the account's remediation ended.
public struct RemediationTold: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.remediationTold, "remediation.told", meaning: "The app was told how the account's remediation ended.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add("the app was told")
    if let status = headline.change(of: "status", within: "/compliance/untold/") {
      headline.add(": ")
      headline.add(status.before)
    }
    headline.tell(below: "/compliance/")
  }
}
