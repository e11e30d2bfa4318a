import EventSourcing

/// `policy.withdrawn`: the account no longer has a policy; its data stays.
public struct PolicyWithdrawn: EventPayload {
  public var account: AccountNumber
  /// Why the account lost its policy.
  public var reason = PolicyWithdrawalReason.untargeted
  /// When the service is to be asked again; absent when it is not.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.policyWithdrawn, "policy.withdrawn", meaning: "The account has no policy any more; its data stays.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(reason)
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/policies/")
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "reason", &event.reason, "why the account lost its policy")
    try field(
      3, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again; absent when it is not")
  }
}
