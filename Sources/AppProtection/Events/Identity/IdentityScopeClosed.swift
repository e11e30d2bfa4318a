import EventSourcing

/// `identity.scopeClosed`: a window or a thread is gone, along with its identity.
public struct IdentityScopeClosed: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .identityScopeClosed, "identity.scopeClosed", meaning: "A window or a thread is gone, and its identity with it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process) }

  public func tell(in headline: Headline) {
    headline.add(scope)
    headline.add(" closed")
    if let before = headline.change(within: "/identities/")?.before {
      headline.add(", was ")
      headline.add(before)
    }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
  }
}
