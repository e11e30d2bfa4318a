import EventSourcing

/// The facts that launch conditions depend on, besides the policies themselves.
public struct LaunchSlice: FieldTree {
  /// The clock by which deadlines are judged.
  public internal(set) var clock = LaunchClock()
  /// What the app found out about the device.
  public internal(set) var device = DeviceFacts()
  /// The app PIN.
  public internal(set) var pin = PINRecord()
  /// What is known about the accounts.
  public internal(set) var accounts = AccountTable<LaunchRecord>()

  init() {}

  /// Changes the record of an account, creating it if necessary.
  mutating func update(_ account: AccountNumber, _ change: (inout LaunchRecord) -> Void) {
    if accounts.index(of: account) == nil { accounts.set(LaunchRecord(account: account)) }
    accounts.update(account, change)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ launch: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "clock", &launch.clock, unless: LaunchClock())
    try field(2, "device", &launch.device, unless: DeviceFacts())
    try field(3, "pin", &launch.pin, unless: PINRecord())
    try launch.accounts.visit(4, "accounts", &field)
  }
}

/// What launch conditions know about one account. Points in time are those of ``LaunchClock/elapsed``.
public struct LaunchRecord: AccountRecord, FieldTree {
  /// The account.
  public internal(set) var account: AccountNumber
  /// When its last check-in completed.
  public internal(set) var checkedInAt: Int64?
  /// Whether the service confirmed that it is disabled or deleted.
  public internal(set) var isDisabled = false
  /// Whether its user is at work.
  public internal(set) var clockStatus = ClockStatus.notConfigured
  /// The time since which its user is not known to be at work; `nil` while the user is, or if working times are not
  /// tracked.
  public internal(set) var offWorkSince: Int64?
  /// The outcome of its last evaluation.
  public internal(set) var outcome = LaunchOutcome.allowed
  /// The rule that settled its last evaluation.
  public internal(set) var rule = LaunchRule.met
  /// The event of its last recorded evaluation.
  public internal(set) var evaluatedBy: UInt64 = 0
  /// When the app was last opened for it.
  public internal(set) var passedAt: Int64?
  /// When its user last signed in because a launch condition asked for it.
  public internal(set) var signedInAt: Int64?
  /// Whether its user signed in to prevent an offline wipe, and the check-in has yet to complete.
  public internal(set) var awaitsConfirmation = false
  /// The rules whose warning its user has seen in this process, in the order of their numbers.
  public internal(set) var warned: [LaunchRule] = []
  /// When biometrics last replaced the PIN for this account.
  public internal(set) var biometricsAt: Int64?
  /// Why its launch conditions were last evaluated.
  public internal(set) var trigger = LaunchTrigger.launch
  /// Whether a silent check-in settles its last evaluation.
  public internal(set) var awaitsCheckIn = false
  /// Where its identity is to be set once that check-in has completed.
  public internal(set) var waitingScopes: [IdentityScope] = []
  /// Whether the user, according to the app, has answered all other questions before that.
  public internal(set) var isAnswered = false
  /// The questions that the user had answered at its last evaluation, by the app's word alone.
  public internal(set) var claimed: [LaunchRule] = []

  init(account: AccountNumber) {
    self.account = account
  }

  /// Whether the app is closed for the account until a check-in completes.
  var isOutOfTouch: Bool { !outcome.isPassing && (rule == .offlineAccess || rule == .offlineWipe) }

  /// Whether scopes wait: every change of an identity asks for such accounts.
  public var outline: Bool { !waitingScopes.isEmpty }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public static func visit<V: FieldVisitor>(_ record: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &record.account, required: true, shown: false)
    try field(2, "checkedInAt", &record.checkedInAt, as: .duration)
    try field(3, "isDisabled", &record.isDisabled)
    try field(4, "clockStatus", &record.clockStatus)
    try field(5, "offWorkSince", &record.offWorkSince, as: .duration)
    try field(6, "outcome", &record.outcome)
    try field(7, "rule", &record.rule)
    try field(8, "evaluatedBy", &record.evaluatedBy, as: .sequence)
    try field(9, "passedAt", &record.passedAt, as: .duration)
    try field(10, "signedInAt", &record.signedInAt, as: .duration)
    try field(11, "awaitsConfirmation", &record.awaitsConfirmation)
    try field(12, "warned", &record.warned)
    try field(13, "biometricsAt", &record.biometricsAt, as: .duration)
    try field(14, "trigger", &record.trigger)
    try field(15, "awaitsCheckIn", &record.awaitsCheckIn)
    try field(16, "waitingScopes", &record.waitingScopes)
    try field(17, "isAnswered", &record.isAnswered)
    try field(18, "claimed", &record.claimed)
  }
}

/// Why an account's launch conditions were evaluated.
public enum LaunchTrigger: Int, WireEnumeration {
  /// The app was launched.
  case launch = 0
  /// The app returned to the foreground, after the recheck period.
  case resume = 1
  /// The user interface is to become the account's.
  case identitySwitch = 2
  /// Too many wrong PINs.
  case pinAttempt = 3
  /// Another policy arrived for an account whose data is on the screen, and changes the outcome of its launch
  /// conditions.
  case policyChange = 4
}

/// Whether an account's user is at work (`IntuneMAMClockStatus`; the numbers are the SDK's).
public enum ClockStatus: Int, WireEnumeration {
  /// Working times are not tracked.
  case notConfigured = 0
  /// Working times are tracked, but the status is unknown.
  case unknown = 1
  /// At work.
  case clockedIn = 2
  /// Not at work.
  case clockedOut = 3
  /// At work by the last report, which is too old.
  case clockedInStale = 4
  /// Not at work by the last report, which is too old.
  case clockedOutStale = 5
}
