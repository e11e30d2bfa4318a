import EventSourcing

/// `enrollment.recordGone`: the service no longer has a record of the account, so the account is unenrolled; after 220
/// it is enrolled again, after 221 it is not.
public struct EnrollmentRecordGone: EventPayload {
  public var account: AccountNumber
  /// 220 if the account is enrolled again, 221 if the service would refuse it.
  public var code = EnrollmentStatusCode.policyRecordGone

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .enrollmentRecordGone, "enrollment.recordGone",
      meaning: "The service has no record of the account any more; it is unenrolled, and after 220 enrolled again.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(code)
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    // Written even when 0, because a missing field does not mean 0.
    try field(
      2, "code", &event.code, always: true,
      "220 where the account is enrolled again, 221 where the service would refuse that")
  }
}
