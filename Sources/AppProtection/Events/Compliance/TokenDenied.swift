import EventSourcing

/// `token.denied`: a token for the account was refused because conditional access requires protection first.
public struct TokenDenied: EventPayload {
  public var account: AccountNumber
  /// The error of the token library; -50004 requires remediation.
  public var error: Int64 = 0
  /// Whether this is at least the third refusal after a compliant remediation without a check-in between.
  public var isLoop = false
  /// Whether the app asked for the token before the account's remediation ended.
  public var isPremature = false

  /// −50004: the token library's error for "server protection policies required".
  public static let protectionRequired: Int64 = -50004

  /// −50002: the token library's error where the user must sign in.
  static let signInRequired: Int64 = -50002

  /// What it means and what to do, where the error says something else than the event type.
  var advice: EventAdvice? {
    if error == Self.protectionRequired { return nil }
    let isSignIn = error == Self.signInRequired
    return EventAdvice(
      meaning: "A token for the account was refused with an error that does not ask for app protection (-50004).",
      remedy: isSignIn
        ? "Let the user sign in. If that does not help, conditional access refuses: see whether the app gives the token "
          + "library the client capability protapp, without which -50004 never comes."
        : "Look up the error in the token library. Remediation is demanded by -50004 alone.")
  }

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .tokenDenied, "token.denied",
      meaning: "A token for the account was refused because conditional access demands protection first.",
      remedy: "Call remediateCompliance and ask for a token again only when its callback says compliant.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(error)
    if error == Self.protectionRequired { headline.add(" protectionRequired") }
    if error == Self.signInRequired { headline.add(" interactionRequired") }
    if isLoop { headline.add(", again after compliance") }
    if isPremature { headline.add(", before the remediation ended") }
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/compliance/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "error", &event.error, "the error of the token library; -50004 demands remediation")
    try field(
      3, "isLoop", &event.isLoop,
      "whether this is at least the third refusal after a compliant remediation without a check-in between")
    try field(
      4, "isPremature", &event.isPremature,
      "whether the token was asked for while a remediation of the account had not ended")
  }
}
