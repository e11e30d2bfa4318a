import Expectations
import AppProtection
import EventSourcing
import Testing

@Suite("What differs between two devices by nature")
struct ClockDifferenceTests {
  @Test("Two times, two readings of a clock and two boot sessions are left out, a value against none is not")
  func isOfClock() {
    let (time, later) = (StateValue.time(1), StateValue.time(2))
    let (span, longer) = (StateValue.duration(1), StateValue.duration(2))
    let rows: [(path: String, before: StateValue, after: StateValue, isOfClock: Bool)] = [
      ("/accounts/a1/enrollment/nextRetry", time, later, true),
      ("/accounts/a1/enrollment/nextRetry", .unset, later, false),
      ("/wipes/a1/nextRetry", time, .unset, false),
      ("/accounts/a1/enrollment/dueElapsed", span, longer, true),
      ("/accounts/a1/enrollment/dueElapsed", .unset, longer, false),
      ("/wipes/a1/dueElapsed", span, longer, true),
      ("/process/restart/dueElapsed", span, longer, true),
      ("/launch/clock/elapsed", span, longer, true), ("/launch/clock/uptime", span, longer, true),
      ("/launch/clock/wall", time, later, true), ("/launch/accounts/a1/checkedInAt", span, longer, true),
      ("/launch/accounts/a1/checkedInAt", span, .unset, false),
      ("/policies/a1/periodBeforePinReset", span, longer, false),
      ("/process/bootSession", .text("a"), .text("b"), true), ("/process/bootSession", .text("a"), .unset, false),
      ("/process/appVersion", .text("a"), .text("b"), false),
    ]
    for row in rows {
      let change = StateChange(path: row.path, before: row.before, after: row.after)
      expectEqual(change.isOfClock, row.isOfClock, "\(row.path): \(row.before) and \(row.after)")
    }
  }
}
