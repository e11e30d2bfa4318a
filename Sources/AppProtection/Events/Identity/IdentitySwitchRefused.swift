import EventSourcing

/// `identity.switchRefused`: an identity switch did not happen; the identity is unchanged.
public struct IdentitySwitchRefused: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// How it ended.
  public var result = SwitchIdentityResult.success
  /// Why the switch was refused.
  public var reason = SwitchRefusalReason.conditionalLaunch

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .identitySwitchRefused, "identity.switchRefused", unknownReaders: .ignorable,
      meaning: "A switch of identity did not happen; the identity is the one before.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func tell(in headline: Headline) {
    headline.add(scope)
    headline.add(": not ")
    headline.add(identity)
    headline.add(", ")
    headline.add(result)
    headline.add(" (")
    headline.add(reason)
    headline.add(")")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it should have become")
    try field(3, "result", &event.result, "how it ended")
    try field(4, "reason", &event.reason, "what stood against the switch")
  }
}
