import EventSourcing
import EventSourcingKit

/// The engine's source of time. Nothing below the engine reads a clock.
///
/// Called on any thread that drives the engine.
public protocol TimeSource: Sendable {
  /// The time by the device's two clocks.
  func now() -> Moment
  /// The device's local time minus UTC at a moment, in nanoseconds; `nil` if unknown, which is the default.
  func utcOffset(at moment: Moment) -> Int64?
}

extension TimeSource {
  /// `nil`: a clock without a time zone.
  public func utcOffset(at moment: Moment) -> Int64? { nil }
}

/// The clocks of the device: the time source of every engine outside of tests.
public struct SystemClock: TimeSource {
  /// Holds nothing: every call reads the system's clocks.
  public init() {}

  /// The time by the device's two clocks.
  public func now() -> Moment { .now() }

  /// The offset of the time zone that the device is set to.
  public func utcOffset(at moment: Moment) -> Int64? { moment.utcOffset }
}

/// Wakes an engine when its work is due. Tests replace it, as they replace the ``TimeSource``.
public protocol Alarm: Sendable {
  /// Returns when the wall clock shows a time, in nanoseconds since 1970, or when the task is canceled. Returns at once if the
  /// time is over.
  ///
  /// The wall clock may be set, and the device may sleep meanwhile: return as soon as the time is over by the clock as it is
  /// then. Returning too early is harmless.
  func sleep(until wallNanoseconds: Int64) async
}

extension SystemClock: Alarm {
  /// Waits in steps of a minute at most, so that a clock that is set, and a device that slept, are noticed
  /// that soon.
  public func sleep(until wallNanoseconds: Int64) async {
    await WallClockWait.wait(until: wallNanoseconds, by: self) { nanoseconds in
      try await Task.sleep(for: .nanoseconds(nanoseconds), clock: .continuous)
    }
  }
}

/// A wait for a time of the wall clock, by sleeps that know nothing of it.
enum WallClockWait {
  /// The longest sleep after which the clock is read again, in nanoseconds: a minute, the shortest interval of the rules.
  static let longestStep: Int64 = 60_000_000_000
  /// How far the clock may be from where a sleep should have brought it, in nanoseconds, before it counts as set.
  static let tolerance: Int64 = 1_000_000_000

  /// Returns at a time, when the clock was set, or when `sleep` throws because the task is canceled.
  ///
  /// Waiting times are measured by uptime too, so after a clock was set the due time is another: the scheduler asks for it.
  static func wait(
    until wallNanoseconds: Int64, by clock: some TimeSource, sleep: (_ nanoseconds: Int64) async throws -> Void
  ) async {
    while !Task.isCancelled {
      let start = clock.now()
      guard wallNanoseconds > start.wallNanoseconds else { return }
      // A clock that shows a time before 1970 may be further away than a number can say.
      let (remaining, overflow) = wallNanoseconds.subtractingReportingOverflow(start.wallNanoseconds)
      do {
        try await sleep(overflow ? longestStep : min(remaining, longestStep))
      } catch {
        return
      }
      let end = clock.now()
      let shown = end.wallNanoseconds.subtractingReportingOverflow(start.wallNanoseconds)
      let slept = end.uptimeNanoseconds.subtractingReportingOverflow(start.uptimeNanoseconds)
      let difference = shown.partialValue.subtractingReportingOverflow(slept.partialValue)
      if shown.overflow || slept.overflow || difference.overflow
        || difference.partialValue.magnitude > UInt64(tolerance)
      {
        return
      }
    }
  }
}
