/// The intervals after which the engine asks the service again, by one of the published tables.
///
/// The tables disagree with each other, so each is a separate profile. All lengths are nanoseconds. Due times are
/// computed when an event is decided and written into it; a replay never asks the schedule.
public struct RetrySchedule: Equatable, Sendable {
  /// Between two check-ins of an account that has a policy, where the service names no interval.
  public let checkIn: Int64
  /// Between two check-ins of an account that is not targeted.
  public let checkInWithoutPolicy: Int64
  /// Between two check-ins of an account that receives only a configuration.
  public let checkInWithConfiguration: Int64
  /// Before repeating an enrollment whose tenant is not set up for app protection.
  public let notSetUp: Int64
  /// Before repeating an enrollment whose account lacks a license.
  public let notLicensed: Int64
  /// Before repeating an enrollment of an account that nothing targets.
  public let notTargeted: Int64
  /// Before repeating any other failed enrollment.
  public let failedEnrollment: Int64
  /// Before repeating a failed wipe or unenrollment.
  public let leaving: Int64
  /// The silence after which the service may have dropped the account, so that the next launch registers it again.
  public let lapse: Int64

  /// The schedule of a profile.
  public init(_ profile: RetryProfile) {
    switch profile {
    case .serviceTable:
      // Delivery timing page: about 30 minutes, 12 hours for accounts that are not licensed, not targeted, or failed.
      checkIn = 30 * Self.minute
      checkInWithoutPolicy = 12 * Self.hour
      notLicensed = 12 * Self.hour
      notTargeted = 12 * Self.hour
      failedEnrollment = 12 * Self.hour
    case .guide2019:
      // Guide, FAQ: policy every 8 hours; failed enrollments of all registered accounts every 24 hours.
      checkIn = 8 * Self.hour
      checkInWithoutPolicy = 24 * Self.hour
      notLicensed = 24 * Self.hour
      notTargeted = 24 * Self.hour
      failedEnrollment = 24 * Self.hour
    case .guide2023:
      checkIn = 30 * Self.minute
      checkInWithoutPolicy = 24 * Self.hour
      notLicensed = 24 * Self.hour
      notTargeted = 24 * Self.hour
      failedEnrollment = 24 * Self.hour
    }
    // The row of a tenant that is not set up, and the guides' interval for every failed enrollment: a day.
    notSetUp = 24 * Self.hour
    leaving = 30 * Self.minute
    // Delivery timing page: 720 minutes for a configuration alone, regardless of the guides' intervals for failures.
    checkInWithConfiguration = 12 * Self.hour
    lapse = 90 * Self.day
    assert(
      [checkIn, checkInWithoutPolicy, checkInWithConfiguration, notSetUp, notLicensed, notTargeted, failedEnrollment]
        .allSatisfy(Self.pauses.contains) && Self.pauses.contains(leaving), "a due time lies beyond the horizon")
    assert(lapse > Self.pauses.upperBound, "an account lapses between two check-ins")
  }

  /// The pauses after failures of the network, one after another; the last one repeats. The cap of 60 minutes is
  /// published, the steps below it are not: doubling from one minute is this project's assumption.
  public static let backoff: [Int64] = [1, 2, 4, 8, 16, 32, 60].map { $0 * minute }

  /// The pause after the given number of network failures in a row, from 1.
  public static func pause(afterFailures failures: UInt32, _ sequence: BackoffSequence = .doubling) -> Int64 {
    assert(backoff.isAscending(by: <) && backoff.allSatisfy(pauses.contains), "the pauses do not rise, or too far")
    return switch sequence {
    case .doubling: backoff[min(max(Int(clamping: failures), 1), backoff.count) - 1]
    case .capAtOnce: hour
    }
  }

  /// How long to wait after a failed enrollment with this code, where it is repeated on a schedule.
  public func interval(after code: EnrollmentStatusCode) -> Int64 {
    if code.classification == .warning { return checkIn }
    return switch code {
    case .mamServiceDisabled: notSetUp
    case .accountNotLicensed: notLicensed
    case .licensedNotTargeted, .noPolicyReceived: notTargeted
    default: failedEnrollment
    }
  }

  /// The longest time by which a restart can be postponed: the longest of ``pauses``.
  static let longestPostponementMinutes = UInt32(clamping: pauses.upperBound / minute)

  /// A number of minutes in nanoseconds, clamped to the type's range.
  static func minutes(_ count: UInt32) -> Int64 {
    let (length, overflow) = Int64(count).multipliedReportingOverflow(by: minute)
    return overflow ? .max : length
  }

  /// The shortest and the longest pause, which also limit the service's own: a minute keeps an engine from asking
  /// without pause, and a day is the longest interval of the published tables.
  public static let pauses: ClosedRange<Int64> = minute...day

  /// How far ahead a due time can lie: the longest of ``pauses``, and an hour for a clock that was corrected a little.
  /// One that is further ahead was written while the clock was wrong, which matters where no uptime shows how long ago
  /// that was.
  public static let horizon: Int64 = pauses.upperBound + hour

  /// The pause that the service names, clamped to ``pauses``; the schedule's own if it names none.
  public func checkIn(named interval: Int64?) -> Int64 {
    min(max(interval ?? checkIn, Self.pauses.lowerBound), Self.pauses.upperBound)
  }

  /// One minute in nanoseconds.
  public static let minute: Int64 = 60_000_000_000
  /// One hour in nanoseconds.
  public static let hour = 60 * minute
  /// One day in nanoseconds.
  public static let day = 24 * hour
}

extension Int64 {
  /// The sum, clamped to the type's range: due times never overflow.
  package func advancedClamping(by length: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(length)
    return overflow ? (length < 0 ? .min : .max) : sum
  }
}

extension EnrollmentStatusCode {
  /// When a request that ended in this code is repeated, given the assumption about numbers that are not in the table.
  func repetition(by rule: UnknownCodeRule) -> Repetition {
    classification == .unknown && rule == .never ? .never : repetition
  }
}
