import EventSourcing

/// `remediation.finished`: the remediation of the account ended.
public struct RemediationFinished: PersonalEventPayload {
  public var account: AccountNumber
  /// How it ended.
  public var status = ComplianceStatus.compliant
  /// The text from the service to show.
  @Personal public var message = ""
  /// The title of that text.
  @Personal public var title = ""
  /// Whether a remediation with interaction ended in another demand for interaction.
  public var isLoop = false
  /// Whether the app must still be notified. In journals before revision 4, which lack this field, the event itself
  /// notified it.
  public var awaitsNotice = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .remediationFinished, "remediation.finished",
      meaning: "The remediation of the account ended.",
      remedy: "Compliant: request the token again. Not compliant with organization data present: wipe the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(status)
    if isLoop { headline.add(", again after interaction") }
    headline.add(said: $message)
    headline.tell(below: "/compliance/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "status", &event.status, "how it ended")
    try field(3, "message", &event.$message, privacy: .account, "the text that the service wants shown")
    try field(4, "title", &event.$title, privacy: .account, "the title of that text")
    try field(
      5, "isLoop", &event.isLoop, "whether a remediation with interaction again ended in the demand for interaction")
    try field(
      6, "awaitsNotice", &event.awaitsNotice,
      "whether the app is still to be told; absent before revision 4, when it was told with the event itself")
  }
}
