import EventSourcing

/// A restart that was requested and has not happened.
public struct PendingRestart: FieldList {
  /// Why the app must restart.
  public internal(set) var reason: RestartReason
  /// The account that requires it, if any.
  public internal(set) var account: AccountNumber?
  /// The event that asked for it.
  public internal(set) var requestedBy: UInt64
  /// The answer of the delegate or the user.
  public internal(set) var answer = RestartAnswer.none
  /// When a postponed restart is due, by both clocks.
  public internal(set) var dueTime: DueTime?

  /// When a postponed restart is due, in nanoseconds since 1970.
  public var due: Int64? { dueTime?.wall }

  init(reason: RestartReason, account: AccountNumber?, requestedBy: UInt64) {
    self.reason = reason
    self.account = account
    self.requestedBy = requestedBy
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(reason: .firstPolicy, account: nil, requestedBy: 0) }

  public static func visit<V: FieldVisitor>(_ restart: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "reason", &restart.reason)
    try field(2, "account", &restart.account)
    try field(3, "requestedBy", &restart.requestedBy, as: .sequence)
    try field(4, "answer", &restart.answer)
    try field(5, "due", &restart.dueTime)
    field.shown("dueElapsed", DueTime.elapsed(of: restart.dueTime))
  }
}

/// Why the app must be restarted.
public enum RestartReason: Int, WireEnumeration {
  /// An account received its first policy, which applies from the next launch.
  case firstPolicy = 0
  /// A managed account was removed to make room for another.
  case accountRemoved = 1
  /// A launch condition wiped an account.
  case conditionalLaunchWipe = 2
}

/// The answer of the app or the user to a restart request.
public enum RestartAnswer: Int, WireEnumeration {
  /// Not answered yet.
  case none = 0
  /// The delegate promised that the app restarts itself; no dialog is shown.
  case appRestartsItself = 1
  /// The delegate left the restart to the engine, which shows its dialog.
  case dialogShown = 2
  /// The user postponed the restart by some minutes.
  case postponed = 3
}
