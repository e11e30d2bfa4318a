import EventSourcing
import Synchronization

/// A clock that only the test moves.
///
/// ```swift
/// let clock = TestClock()
/// try store.append(.deposited(cents: 5_000), at: clock.now)
/// clock.advance(by: .seconds(3_600))
/// ```
///
/// May be used from any thread.
public final class TestClock: Sendable {
  private let moment: Mutex<Moment>

  /// A clock that stands still, at 2026-01-01T00:00:00Z on a device that has just started unless said otherwise.
  public init(_ start: Moment = Moment(wallNanoseconds: 1_767_225_600_000_000_000)) {
    moment = Mutex(start)
  }

  /// The time that it shows.
  public var now: Moment { moment.withLock { $0 } }

  /// Lets time pass, on the wall and for the device. A negative duration lets none pass.
  public func advance(by duration: Duration) {
    let nanoseconds = max(0, duration.nanoseconds)
    moment.withLock { moment in
      moment.wallNanoseconds = moment.wallNanoseconds.addingBounded(nanoseconds)
      moment.uptimeNanoseconds = moment.uptimeNanoseconds.addingBounded(nanoseconds)
    }
  }

  /// Sets the wall clock forward or, by a negative duration, back, as a person does. No time passes for the device.
  public func setWall(by duration: Duration) {
    moment.withLock { $0.wallNanoseconds = $0.wallNanoseconds.addingBounded(duration.nanoseconds) }
  }

  /// The device starts again: its uptime begins at zero.
  public func restartDevice() {
    moment.withLock { $0.uptimeNanoseconds = 0 }
  }
}

extension Duration {
  /// In nanoseconds, as far as these fit into 64 bits.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    return whole.addingBounded(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// The sum, or the number next to it that fits.
  fileprivate func addingBounded(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
