import EventSourcing

/// `identity.switchAnswered`: the app's delegate answered a request to switch identity.
public struct IdentitySwitchAnswered: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// The delegate's answer.
  public var result = SwitchIdentityResult.success
  /// Whether the answer was a constant of ``AddIdentityResult``, whose number reads as ``result``.
  public var isAddIdentityResult = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .identitySwitchAnswered, "identity.switchAnswered",
      meaning: "The app's delegate answered a request to switch identity.",
      remedy: """
        Answer a switch with the constants for switches: the one for an account that was not added reads as \
        canceled.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func tell(in headline: Headline) {
    headline.add(scope)
    headline.add(": to ")
    headline.add(identity)
    headline.add(", ")
    headline.add(result)
    if isAddIdentityResult { headline.add(", from a constant for added accounts") }
    headline.tell(below: "/identities/requests/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it should become")
    try field(3, "result", &event.result, "what the delegate answered")
    try field(
      4, "isAddIdentityResult", &event.isAddIdentityResult,
      "whether the answer was a constant for added accounts, whose number reads so")
  }
}
