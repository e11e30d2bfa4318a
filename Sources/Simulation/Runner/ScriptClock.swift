import AppProtectionKit
import EventSourcing
import Synchronization

/// A clock that nothing but the script moves.
final class ScriptClock: Clock {
  private let moment: Mutex<Moment>

  /// Creates a clock; the device has been running for a second, so that no uptime reads as unknown.
  init(wallNanoseconds: Int64) {
    moment = Mutex(Moment(wallNanoseconds: wallNanoseconds, uptimeNanoseconds: ScriptClock.bootTime))
  }

  private static let bootTime: Int64 = 1_000_000_000
  /// The years 1678 to 2261: beyond them a time and the length of any interval do not fit into a number.
  private static let range: Range<Int64> = -9_214_560_000_000_000_000..<9_214_646_400_000_000_000

  func now() -> Moment {
    moment.withLock { $0 }
  }

  /// Lets time pass; `false` when the clock would leave its range.
  func advance(by nanoseconds: Int64) -> Bool {
    moment.withLock { moment in
      let (wall, wallOverflow) = moment.wallNanoseconds.addingReportingOverflow(nanoseconds)
      let (uptime, uptimeOverflow) = moment.uptimeNanoseconds.addingReportingOverflow(nanoseconds)
      guard !wallOverflow, !uptimeOverflow, ScriptClock.range.contains(wall) else { return false }
      moment = Moment(wallNanoseconds: wall, uptimeNanoseconds: uptime)
      return true
    }
  }

  /// Sets the wall clock ahead, or back with a negative length, while uptime stays; `false` when it would leave its range.
  func setWall(by nanoseconds: Int64) -> Bool {
    moment.withLock { moment in
      let (wall, overflow) = moment.wallNanoseconds.addingReportingOverflow(nanoseconds)
      guard !overflow, ScriptClock.range.contains(wall) else { return false }
      moment.wallNanoseconds = wall
      return true
    }
  }

  /// The device restarts.
  func reboot() {
    moment.withLock { $0.uptimeNanoseconds = ScriptClock.bootTime }
  }
}
