import EventSourcing

/// `command.refused`: the rules refused a command from the app. Written only if the engine is set to do so, and only up
/// to a limit in each process.
public struct CommandRefused: EventPayload, Hashable {
  /// The name of the refused call or command.
  public var command: String
  /// The rule that refused it.
  public var rule: String
  /// The status code sent to the app's enrollment delegate, if any.
  public var code: EnrollmentStatusCode?
  /// The account named, if the journal knows it.
  public var account: AccountNumber?

  /// Creates the event; an engine writes it only if set to do so.
  public init(command: String, rule: String, code: EnrollmentStatusCode? = nil, account: AccountNumber? = nil) {
    self.command = command
    self.rule = rule
    self.code = code
    self.account = account
  }

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .commandRefused, "command.refused", unknownReaders: .ignorable,
      meaning: "The rules refused a command of the app.",
      remedy: "Look the rule up, and let the app ask at another time, or for another account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(command: "", rule: "") }

  public func tell(in headline: Headline) {
    headline.add(.text(command))
    headline.add(" refused by ")
    headline.add(.text(rule))
    guard let code else { return }
    headline.add(", ")
    headline.add(code)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "command", &event.command, "what the app asked for, by the name of the call")
    try field(2, "rule", &event.rule, "the rule that refused it")
    try field(3, "code", &event.code, "the status code that the enrollment delegate got for it, where it got one")
    try field(4, "account", &event.account, "the account that it named, where the journal knows it")
  }
}
