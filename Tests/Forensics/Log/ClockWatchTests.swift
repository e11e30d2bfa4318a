import Expectations
import EventSourcing
import Forensics
import Testing

@Suite("Jumps of the clock")
struct ClockWatchTests {
  /// The jump that a watch sees between two moments, given in seconds: wall and uptime of both.
  private func jump(_ wall: Int64, _ uptime: Int64, _ laterWall: Int64, _ laterUptime: Int64) -> ClockJump? {
    func moment(_ wall: Int64, _ uptime: Int64) -> Moment {
      Moment(wallNanoseconds: wall * 1_000_000_000, uptimeNanoseconds: uptime * 1_000_000_000)
    }
    var watch = ClockWatch()
    #expect(watch.examine(1, moment(wall, uptime)) == nil)
    return watch.examine(2, moment(laterWall, laterUptime))
  }

  @Test("Passing time is not a jump")
  func noJump() {
    #expect(jump(100, 10, 200, 110) == nil)
    #expect(jump(100, 10, 100, 10) == nil)
    #expect(jump(100, 10, 210, 110) == nil, "ten seconds of drift")
    #expect(jump(100, 50, 5000, 10) == nil, "the device was off")
    #expect(jump(100, 0, 5000, 0) == nil, "uptime is unknown")
  }

  @Test("A clock change is reported with its size and whether the device kept running")
  func jumps() {
    expectEqual(jump(4000, 10, 421, 11), ClockJump(sequence: 2, nanoseconds: -3_580_000_000_000, isSameBoot: true))
    expectEqual(jump(100, 10, 8000, 20), ClockJump(sequence: 2, nanoseconds: 7_890_000_000_000, isSameBoot: true))
    expectEqual(jump(4000, 50, 400, 10), ClockJump(sequence: 2, nanoseconds: -3_600_000_000_000, isSameBoot: false))
    expectEqual(jump(4000, 0, 400, 0), ClockJump(sequence: 2, nanoseconds: -3_600_000_000_000, isSameBoot: nil))
    expectEqual(jump(Int64.max / 1_000_000_000, 0, Int64.min / 1_000_000_000, 0)?.nanoseconds, .min)
  }

  @Test("The line says what happened and that the order is still right")
  func text() {
    expectEqual(
      ClockJump(sequence: 2, nanoseconds: -3_578_000_000_000, isSameBoot: true).text,
      "the clock went back 00:59:38 here (same boot); the order below is still right")
    expectEqual(
      ClockJump(sequence: 2, nanoseconds: 90_000_000_000_000, isSameBoot: nil).text,
      "the clock went forward 1d 01:00:00 here; the order below is still right")
    expectEqual(
      ClockJump(sequence: 2, nanoseconds: -1_000_000_000, isSameBoot: false).text,
      "the clock went back 00:00:01 here (after a restart of the device); the order below is still right")
    #expect(!ClockJump(sequence: 2, nanoseconds: .min, isSameBoot: nil).text.isEmpty)
  }
}
