import AppProtection
import EventSourcing

/// When the service is next asked about an account. It answers whether a refresh can be forced (I#148): the SDK has no
/// call for it, the service sets the interval, and the app must be active when it ends.
public enum CheckInForecast: Equatable, Sendable, CustomStringConvertible {
  /// At this time, in nanoseconds since 1970, or as soon as the app is active after it.
  case due(Int64)
  /// It has been asked by this event and has not answered.
  case underWay(since: UInt64)
  /// When the user has signed in.
  case afterSignIn
  /// Once the managed account has left, because only one is allowed.
  case afterManagedAccount
  /// When its wipe is done and the account is registered again.
  case afterWipe
  /// When the app registers the account: it is not registered, or its last request is not repeated.
  case afterRegistration

  /// What the next check-in waits for, and whether anything can hasten it, in one sentence.
  public var description: String {
    switch self {
    case .due: "the next check-in is due at the end of the service's interval; the SDK has no call that forces it"
    case .underWay(let event): "event \(event) asked the service, which has not answered; nothing hurries it"
    case .afterSignIn: "the service is asked when the user has signed in: ask for a token interactively"
    case .afterManagedAccount: "the service is asked when the managed account has left: only one can be managed"
    case .afterWipe: "the account is being wiped: the service is asked when it is registered again"
    case .afterRegistration: "the service is not asked: register the account"
    }
  }
}

extension AppProtectionState {
  /// When the service is next asked about an account, in the current state.
  public func checkInForecast(for account: AccountNumber) -> CheckInForecast {
    guard let record = accounts[account], record.enrollment.status.isRegistered else { return .afterRegistration }
    let enrollment = record.enrollment
    let unenrollment = enrollment.awaitsUnenrollment ? enrollment.unenrollmentRequest : 0
    for request in [enrollment.enrollmentRequest, enrollment.checkInRequest, unenrollment] where request != 0 {
      return .underWay(since: request)
    }
    if enrollment.status == .wiping { return .afterWipe }
    if enrollment.awaitsSignIn { return .afterSignIn }
    if let due = dueTime(of: record) { return .due(due.wall) }
    let waitsForRoom = enrollment.nextRetry != nil || enrollment.switchesFrom != nil
    return waitsForRoom && !hasRoom(for: account) ? .afterManagedAccount : .afterRegistration
  }
}
