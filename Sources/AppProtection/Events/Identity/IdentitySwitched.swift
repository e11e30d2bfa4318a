import EventSourcing

/// `identity.switched`: the identity of the process, a window or a thread changed.
public struct IdentitySwitched: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The new identity.
  public var identity: Identity
  /// The origin of the change.
  public var origin = IdentityChangeOrigin.app

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .identitySwitched, "identity.switched",
      meaning: "The identity of the process, a window or a thread is another one.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func tell(in headline: Headline) {
    headline.add(scope)
    headline.add(": ")
    if let change = headline.change(within: "/identities/") {
      headline.add(change.before)
      headline.add(" → ")
    }
    headline.add(identity)
    headline.add(", by ")
    headline.add(origin)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it is from here on")
    try field(3, "origin", &event.origin, "who wanted it")
  }
}
