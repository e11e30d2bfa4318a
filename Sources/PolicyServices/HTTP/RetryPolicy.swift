/// How often a service is asked again within one request of the engine, and how long it waits in between.
///
/// Before attempt n + 1 it waits between none and all of `firstPause` × 2ⁿ⁻¹, at most `longestPause`, drawn by the
/// service's random source ("full jitter"), so that devices do not come back in step. Where the service itself
/// names a pause (`Retry-After`), it waits for this one and a share on top, drawn in the same way: up to a quarter of the
/// named pause or the pause above, whichever is longer, and never more than `longestPause`. One that is longer than
/// `longestRetryAfter` ends the request: the engine then comes back by its own schedule. No pause is longer than two days.
public struct RetryPolicy: Equatable, Sendable {
  /// How often it is asked in all.
  public var attempts: Int
  /// The longest pause after the first attempt, in milliseconds.
  public var firstPauseMilliseconds: Int64
  /// The longest pause after any attempt, in milliseconds.
  public var longestPauseMilliseconds: Int64
  /// The longest pause that is kept where the service names one, in milliseconds, without the share on top.
  public var longestRetryAfterMilliseconds: Int64

  /// Four attempts, half a second, eight seconds and 30 seconds by default. At least one attempt, at most ten.
  public init(
    attempts: Int = 4, firstPauseMilliseconds: Int64 = 500, longestPauseMilliseconds: Int64 = 8_000,
    longestRetryAfterMilliseconds: Int64 = 30_000
  ) {
    self.attempts = min(max(attempts, 1), Self.mostAttempts)
    self.firstPauseMilliseconds = max(firstPauseMilliseconds, 0)
    self.longestPauseMilliseconds = max(longestPauseMilliseconds, 0)
    self.longestRetryAfterMilliseconds = max(longestRetryAfterMilliseconds, 0)
  }

  /// Asks once.
  public static let none = RetryPolicy(attempts: 1)

  /// The pause after an attempt, from 1; `nil` if the request ends here.
  func pauseMilliseconds(after attempt: Int, retryAfterSeconds: Int64?, random: UInt64) -> Int64? {
    guard attempt < min(attempts, Self.mostAttempts) else { return nil }
    let longestPause = Self.bounded(longestPauseMilliseconds)
    // At most a day times 2⁹.
    let backoff = min(Self.bounded(firstPauseMilliseconds) << Int64(max(attempt, 1) - 1), longestPause)
    guard let seconds = retryAfterSeconds else { return Self.share(of: backoff, random) }
    let named = max(seconds, 0).multipliedReportingOverflow(by: 1_000)
    guard !named.overflow, named.partialValue <= Self.bounded(longestRetryAfterMilliseconds) else { return nil }
    let spread = min(max(named.partialValue / 4, backoff), longestPause)
    return named.partialValue + Self.share(of: spread, random)
  }

  private static let mostAttempts = 10
  private static let day: Int64 = 86_400_000

  private static func bounded(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 0), day) }

  /// From none to all of a pause.
  private static func share(of milliseconds: Int64, _ random: UInt64) -> Int64 {
    Int64(random.multipliedFullWidth(by: UInt64(milliseconds) + 1).high)
  }
}
