import AppProtection
import EventSourcing

/// The progress of an account's wipe, as far as the app can know. It answers why a wipe is pending for days (I#369):
/// the service orders it in the answer to a check-in, and only an opened app checks in.
public enum WipeDelivery: Equatable, Sendable, CustomStringConvertible {
  /// No order has arrived; the next check-in would bring it.
  case notDelivered(CheckInForecast)
  /// It was ordered by this event, and the app's delegate has not answered.
  case awaitsDelegate(since: UInt64)
  /// Files remain; removing them is tried again at this time, at a sign-in, or at the next launch. `nil` while they are
  /// removed.
  case removingFiles(nextRetry: Int64?)
  /// The data that this event ordered to be wiped is gone; the service is to be notified that the account leaves.
  case awaitsService(orderedBy: UInt64)
  /// It was ordered by this event and is done.
  case done(orderedBy: UInt64)

  /// Its progress, and what it waits for, in one sentence.
  public var description: String {
    switch self {
    case .notDelivered(let forecast): "no wipe has arrived, and only a check-in brings one: \(forecast)"
    case .awaitsDelegate(let event): "the wipe of event \(event) waits for the app's delegate: open the app"
    case .removingFiles: "files are left, which are removed at the next launch, or when the user signs in"
    case .awaitsService(let event):
      "the data of event \(event)'s wipe is gone; the service is notified that the account leaves when it is reached"
    case .done(let event): "the wipe of event \(event) is done; the service hears of it and keeps the order four days"
    }
  }

  /// For how many days the service keeps the order of a wipe that no app has carried out: the days before an offline wipe,
  /// and four (D: delivery timing). 94 for the usual 90.
  ///
  /// - Parameter offlineWipe: the policy's `periodOfflineBeforeWipeIsEnforced`; a fraction of a day counts as a day,
  ///   and a negative length as none.
  public static func daysKept(offlineWipe: PolicyDuration) -> Int64 {
    let length = max(offlineWipe.nanoseconds, 0)
    return length / RetrySchedule.day + (length % RetrySchedule.day == 0 ? 0 : 1) + daysKeptWhenDone
  }

  /// For how many days the service keeps the order of a wipe that is done (D: delivery timing).
  public static let daysKeptWhenDone: Int64 = 4
}

extension AppProtectionState {
  /// The current progress of an account's wipe.
  public func wipeDelivery(for account: AccountNumber) -> WipeDelivery {
    guard let wipe = wipes[account] else { return .notDelivered(checkInForecast(for: account)) }
    switch wipe.phase {
    case .requested: return .awaitsDelegate(since: wipe.requestedBy)
    case .removingFiles: return .removingFiles(nextRetry: wipe.nextRetry)
    case .unenrolling: return .awaitsService(orderedBy: wipe.requestedBy)
    case .completed:
      // An account that has come back since may be wiped again.
      let isBack = accounts[account]?.enrollment.status.isRegistered == true
      return isBack ? .notDelivered(checkInForecast(for: account)) : .done(orderedBy: wipe.requestedBy)
    }
  }
}
