import EventSourcing

/// An ended remediation that the app has not been notified of.
///
/// It outlives the process and even the account's registration: every remediation the app requested ends with a
/// callback.
public struct UntoldRemediation: FieldList {
  /// The account.
  public private(set) var account: AccountNumber
  /// How it ended.
  public private(set) var status: ComplianceStatus
  /// The text from the service to show; may be empty.
  @Personal public private(set) var message: String
  /// The title of that text; may be empty.
  @Personal public private(set) var title: String
  /// The event that ended it.
  public private(set) var finishedBy: UInt64

  init(
    _ account: AccountNumber, _ status: ComplianceStatus, message: Personal<String> = Personal(wrappedValue: ""),
    title: Personal<String> = Personal(wrappedValue: ""), finishedBy: UInt64
  ) {
    self.account = account
    self.status = status
    _message = message
    _title = title
    self.finishedBy = finishedBy
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(.first, .compliant, finishedBy: 0) }

  public static func visit<V: FieldVisitor>(_ outcome: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &outcome.account, required: true, shown: false)
    try field(2, "status", &outcome.status)
    try field(3, "message", &outcome.$message, privacy: .account)
    try field(4, "title", &outcome.$title, privacy: .account)
    try field(5, "finishedBy", &outcome.finishedBy, as: .sequence)
  }
}
