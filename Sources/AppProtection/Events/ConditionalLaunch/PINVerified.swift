import EventSourcing

/// `pin.verified`: the user entered the right PIN, or gave biometrics in its place.
public struct PINVerified: EventPayload {
  public var account: AccountNumber
  /// Whether biometrics replaced the PIN.
  public var byBiometrics = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .pinVerified, "pin.verified",
      meaning: "The user entered the PIN that was chosen, or gave biometrics in its place.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(byBiometrics ? "by biometrics" : "by the PIN")
    headline.tell(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "byBiometrics", &event.byBiometrics, "whether biometrics took the place of the PIN")
  }
}
