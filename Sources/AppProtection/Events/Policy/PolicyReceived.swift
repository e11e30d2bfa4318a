import EventSourcing

/// `policy.received`: the service delivered a policy for the account.
public struct PolicyReceived: EventPayload {
  public var account: AccountNumber
  /// The policy.
  public var document: PolicyDocument
  /// Whether it is enforced only from the next launch on.
  public var waitsForRestart = false
  /// When the service is to be asked again.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.policyReceived, "policy.received", meaning: "The service delivered a policy for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, document: PolicyDocument()) }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "document", &event.document, required: true, "the policy")
    try field(3, "waitsForRestart", &event.waitsForRestart, "whether it is enforced only from the next launch on")
    try field(4, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again")
  }
}
