import EventSourcing

/// `pin.set`: the user chose an app PIN; only the facts that rules need are kept.
public struct PINSet: EventPayload {
  /// The form of the PIN.
  public var facts: PINFacts

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.pinSet, "pin.set", meaning: "The user chose an app PIN, of which only what rules ask is kept.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(facts: PINFacts()) }

  public func tell(in headline: Headline) {
    headline.add(Int(facts.length), "character")
    if facts.hasDigit { headline.add(", digits") }
    if facts.hasLetter { headline.add(", letters") }
    if facts.hasSymbol { headline.add(", symbols") }
    if facts.hasSimpleRun { headline.add(", simple") }
    headline.tell(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "facts", &event.facts, required: true, "what the PIN is like")
  }
}
