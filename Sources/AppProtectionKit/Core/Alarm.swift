import EventSourcing

/// Wakes an engine when its work is due. Tests replace it, as they replace the ``TimeSource``.
public protocol Alarm: Sendable {
  /// Returns when the wall clock shows a time, in nanoseconds since 1970, or when the task is canceled. Returns at once if the
  /// time is over.
  ///
  /// A device may sleep meanwhile: return as soon as it wakes after that time. Returning too early is harmless.
  func sleep(until wallNanoseconds: Int64) async
}

extension SystemClock: Alarm {
  /// Waits by the system's continuous clock, which counts the time that the device sleeps.
  public func sleep(until wallNanoseconds: Int64) async {
    let now = now().wallNanoseconds
    guard wallNanoseconds > now else { return }
    // A clock that shows a time before 1970 may be further away than a number can say.
    let (remaining, overflow) = wallNanoseconds.subtractingReportingOverflow(now)
    do {
      try await Task.sleep(for: .nanoseconds(overflow ? Int64.max : remaining), clock: .continuous)
    } catch {
      // The task was canceled, which ends the wait.
    }
  }
}
