import EventSourcing

/// `identity.switchRequested`: the app's delegate is asked to switch identity.
public struct IdentitySwitchRequested: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// Why the switch is needed.
  public var reason = IdentitySwitchReason.openURL

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .identitySwitchRequested, "identity.switchRequested", meaning: "The app's delegate is asked to switch identity.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func tell(in headline: Headline) {
    headline.add(scope)
    headline.add(": to ")
    headline.add(identity)
    headline.add(", for ")
    headline.add(reason)
    headline.tell(below: "/identities/requests/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it should become")
    try field(3, "reason", &event.reason, "what the switch is needed for")
  }
}
