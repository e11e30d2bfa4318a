import EventSourcing

/// `restart.required`: the app must restart before a change takes effect.
public struct RestartRequired: EventPayload {
  /// Why the app must be restarted.
  public var reason = RestartReason.firstPolicy
  /// The account that requires it, if any.
  public var account: AccountNumber?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .restartRequired, "restart.required",
      meaning: "The app must be restarted before something takes effect.",
      remedy: "Restart the app. Until then the new policy is not enforced.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add(reason)
    headline.tell(below: "/process/restart/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "reason", &event.reason, "why the app must be restarted")
    try field(2, "account", &event.account, cardinality: .single, "the account because of which, where there is one")
  }
}
