import AppProtectionKit
import EventSourcing
import Synchronization

/// A clock that only the script moves.
final class ScriptClock: TimeSource {
  private let moment: Mutex<Moment>
  private let offset = Mutex<Int64?>(nil)

  /// Uptime starts at one second, so that it never reads as unknown.
  init(wallNanoseconds: Int64) {
    moment = Mutex(Moment(wallNanoseconds: wallNanoseconds, uptimeNanoseconds: ScriptClock.bootTime))
  }

  private static let bootTime: Int64 = 1_000_000_000

  func now() -> Moment {
    moment.withLock { $0 }
  }

  func utcOffset(at moment: Moment) -> Int64? {
    offset.withLock { $0 }
  }

  /// Changes the offset of the local time from UTC.
  func setOffset(_ nanoseconds: Int64?) {
    offset.withLock { $0 = nanoseconds }
  }

  /// Lets time pass; `false` if the clock would leave its range.
  func advance(by nanoseconds: Int64) -> Bool {
    moment.withLock { moment in
      let (wall, wallOverflow) = moment.wallNanoseconds.addingReportingOverflow(nanoseconds)
      let (uptime, uptimeOverflow) = moment.uptimeNanoseconds.addingReportingOverflow(nanoseconds)
      guard !wallOverflow, !uptimeOverflow, ScenarioTime.range.contains(wall) else { return false }
      moment = Moment(wallNanoseconds: wall, uptimeNanoseconds: uptime)
      return true
    }
  }

  /// Sets the wall clock ahead, or back for a negative length, without changing uptime; `false` if it would leave its
  /// range.
  func setWall(by nanoseconds: Int64) -> Bool {
    moment.withLock { moment in
      let (wall, overflow) = moment.wallNanoseconds.addingReportingOverflow(nanoseconds)
      guard !overflow, ScenarioTime.range.contains(wall) else { return false }
      moment.wallNanoseconds = wall
      return true
    }
  }

  /// Restarts the device.
  func reboot() {
    moment.withLock { $0.uptimeNanoseconds = ScriptClock.bootTime }
  }
}
