import EventSourcing

/// An account's enrollment: its progress, the unanswered requests to the service, and when they are repeated.
///
/// Times are nanoseconds since 1970 by the device's clock. Sequences are positions of events; zero means none.
public struct Enrollment: FieldTree {
  /// The account's progress.
  public package(set) var status = EnrollmentStatus.unknown
  /// The last status code of an enrollment, a check-in or an unenrollment.
  public internal(set) var lastCode: EnrollmentStatusCode?
  /// The error text that came with it; it may name a person.
  @Personal public internal(set) var lastError = ""
  /// Why the service was last asked to enroll the account.
  public internal(set) var trigger = EnrollmentTrigger.registration
  /// When the service was last asked for policy, by an enrollment or a check-in.
  public internal(set) var lastAttemptedCheckIn: Int64?
  /// When the service last answered with a policy or its confirmation.
  public internal(set) var lastCompletedCheckIn: Int64?
  /// When the next check-in is due, by both clocks.
  public internal(set) var checkInDue: DueTime?
  /// When the failed request is repeated, by both clocks.
  public internal(set) var retryDue: DueTime?
  /// How many consecutive pauses network failures have caused.
  public internal(set) var backoffStep: UInt32 = 0
  /// Whether a sign-in must come before the next attempt.
  public internal(set) var awaitsSignIn = false
  /// The event that asked the service to enroll, until it is answered.
  public internal(set) var enrollmentRequest: UInt64 = 0
  /// The event that asked for a check-in, until it is answered.
  public internal(set) var checkInRequest: UInt64 = 0
  /// The event that asked the service to unenroll, until it is answered.
  public internal(set) var unenrollmentRequest: UInt64 = 0
  /// Whether that unenrollment ends in a wipe.
  public internal(set) var unenrollmentWipes = false
  /// The event that asked the user which account to keep, until it is answered.
  public internal(set) var switchQuestion: UInt64 = 0
  /// The managed account that blocks this one, from the question until it is removed.
  public internal(set) var switchesFrom: AccountNumber?
  /// Whether the service lost its record of the account (220), and no enrollment has succeeded or been refused since.
  public internal(set) var recordLost = false

  /// When the next check-in is due.
  public var nextCheckIn: Int64? { checkInDue?.wall }
  /// When the failed request is repeated.
  public var nextRetry: Int64? { retryDue?.wall }

  /// Whether the service must now be notified that the account leaves: any wipe is done, and no pause or sign-in comes
  /// first.
  package var awaitsUnenrollment: Bool {
    status == .unenrolling && unenrollmentRequest != 0 && retryDue == nil && !awaitsSignIn
  }

  /// When a check-in or a repetition is due by this record alone; `nil` when none is scheduled or one is under way.
  package var due: DueTime? {
    guard enrollmentRequest == 0 && checkInRequest == 0 && !awaitsSignIn else { return nil }
    return switch status {
    case .registered, .unenrolling: retryDue
    case .enrolledWithPolicy, .enrolledWithoutPolicy: retryDue ?? checkInDue
    case .unknown, .enrolling, .wiping, .removed: nil
    }
  }

  /// Creates the enrollment of an account that was only mentioned.
  init() {}

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ enrollment: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "status", &enrollment.status)
    try field(2, "lastCode", &enrollment.lastCode)
    try field(3, "lastError", &enrollment.$lastError, privacy: .account)
    try field(4, "trigger", &enrollment.trigger)
    try field(5, "lastAttemptedCheckIn", &enrollment.lastAttemptedCheckIn, as: .time)
    try field(6, "lastCompletedCheckIn", &enrollment.lastCompletedCheckIn, as: .time)
    try field(7, "nextCheckIn", &enrollment.checkInDue)
    try field(8, "nextRetry", &enrollment.retryDue)
    field.shown("dueElapsed", DueTime.elapsed(of: enrollment.retryDue ?? enrollment.checkInDue))
    try field(9, "backoffStep", &enrollment.backoffStep)
    try field(10, "awaitsSignIn", &enrollment.awaitsSignIn)
    try field(11, "enrollmentRequest", &enrollment.enrollmentRequest, as: .sequence)
    try field(12, "checkInRequest", &enrollment.checkInRequest, as: .sequence)
    try field(13, "unenrollmentRequest", &enrollment.unenrollmentRequest, as: .sequence)
    try field(14, "unenrollmentWipes", &enrollment.unenrollmentWipes)
    try field(15, "switchQuestion", &enrollment.switchQuestion, as: .sequence)
    try field(16, "switchesFrom", &enrollment.switchesFrom)
    try field(17, "recordLost", &enrollment.recordLost)
  }
}
