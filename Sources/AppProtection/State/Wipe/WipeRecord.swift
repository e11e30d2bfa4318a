import EventSourcing

/// The last wipe of an account: under way, or done.
public struct WipeRecord: AccountRecord, FieldList {
  /// The account.
  public internal(set) var account: AccountNumber
  /// The wipe's phase.
  public internal(set) var phase = WipePhase.requested
  /// The reason as a number.
  public internal(set) var reason: WipeReason
  /// The wipe's origin.
  public internal(set) var origin: WipeOrigin
  /// Whether the service is notified that the account leaves once the data is gone.
  public internal(set) var precedesUnenrollment = false
  /// The event that ordered it.
  public internal(set) var requestedBy: UInt64
  /// The number of files the engine has removed.
  public internal(set) var filesRemoved: UInt64 = 0
  /// The file system's error text if files remain; it may name a person.
  @Personal public internal(set) var lastError = ""
  /// When removing the remaining files is tried again, by both clocks; a launch does not wait for it.
  public internal(set) var retryDue: DueTime?

  /// When removing the remaining files is tried again, in nanoseconds since 1970.
  public var nextRetry: Int64? { retryDue?.wall }

  /// Whether it is under way: only then work is pending.
  public var outline: Bool { phase != .completed }

  init(account: AccountNumber, reason: WipeReason, origin: WipeOrigin, requestedBy: UInt64) {
    self.account = account
    self.reason = reason
    self.origin = origin
    self.requestedBy = requestedBy
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, reason: .unspecified, origin: .service, requestedBy: 0) }

  public static func visit<V: FieldVisitor>(_ record: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &record.account, required: true, shown: false)
    try field(2, "status", &record.phase)
    try field(3, "reason", &record.reason)
    try field(4, "origin", &record.origin)
    field.shown("precedesUnenrollment", .value(.bool(record.precedesUnenrollment)))
    try field(5, "requestedBy", &record.requestedBy, as: .sequence)
    try field(6, "filesRemoved", &record.filesRemoved)
    try field(7, "lastError", &record.$lastError, privacy: .account)
    try field(8, "nextRetry", &record.retryDue)
    field.shown("dueElapsed", DueTime.elapsed(of: record.retryDue))
    try field(9, "precedesUnenrollment", &record.precedesUnenrollment, shown: false)
  }
}

/// How far a wipe has come.
public enum WipePhase: Int, WireEnumeration {
  /// Ordered; the delegate has not answered yet.
  case requested = 0
  /// The delegate left the files to the engine, which removes them.
  case removingFiles = 1
  /// Data, policy and registration are gone.
  case completed = 2
  /// Data and policy are gone; the registration follows once the service was notified that the account leaves.
  case unenrolling = 3
}

/// Who ordered a wipe.
public enum WipeOrigin: Int, WireEnumeration {
  /// The administrator, through the service.
  case service = 0
  /// The app itself.
  case app = 1
  /// The engine: offline interval, launch condition, or a switch of the managed account.
  case engine = 2
}
