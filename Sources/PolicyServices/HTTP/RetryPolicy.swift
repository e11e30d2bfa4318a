/// How often a service is asked again within one request of the engine, and how long it waits in between.
///
/// Before attempt n + 1 it waits between none and all of `firstPause` × 2ⁿ⁻¹, at most `longestPause`, drawn by the
/// service's random source ("full jitter"), so that devices do not come back in step. A pause that the service itself
/// names (`Retry-After`) is kept instead. One that is longer than `longestRetryAfter` ends the request: the engine then
/// comes back by its own schedule.
public struct RetryPolicy: Equatable, Sendable {
  /// How often it is asked in all.
  public var attempts: Int
  /// The longest pause after the first attempt, in milliseconds.
  public var firstPauseMilliseconds: Int64
  /// The longest pause after any attempt, in milliseconds.
  public var longestPauseMilliseconds: Int64
  /// The longest pause that is kept where the service names one, in milliseconds.
  public var longestRetryAfterMilliseconds: Int64

  /// Four attempts, half a second, eight seconds and 30 seconds by default. At least one attempt, at most ten.
  public init(
    attempts: Int = 4, firstPauseMilliseconds: Int64 = 500, longestPauseMilliseconds: Int64 = 8_000,
    longestRetryAfterMilliseconds: Int64 = 30_000
  ) {
    self.attempts = min(max(attempts, 1), 10)
    self.firstPauseMilliseconds = max(firstPauseMilliseconds, 0)
    self.longestPauseMilliseconds = max(longestPauseMilliseconds, 0)
    self.longestRetryAfterMilliseconds = max(longestRetryAfterMilliseconds, 0)
  }

  /// Asks once.
  public static let none = RetryPolicy(attempts: 1)

  /// The pause after an attempt, from 1; `nil` if the request ends here.
  func pauseMilliseconds(after attempt: Int, retryAfterSeconds: Int64?, random: UInt64) -> Int64? {
    guard attempt < attempts else { return nil }
    if let seconds = retryAfterSeconds {
      let pause = max(seconds, 0).multipliedReportingOverflow(by: 1_000)
      return pause.overflow || pause.partialValue > longestRetryAfterMilliseconds ? nil : pause.partialValue
    }
    let doubled = firstPauseMilliseconds.multipliedReportingOverflow(by: 1 << Int64(attempt - 1))
    let longest = min(doubled.overflow ? .max : doubled.partialValue, longestPauseMilliseconds)
    return Int64(random.multipliedFullWidth(by: UInt64(longest) + 1).high)
  }
}
