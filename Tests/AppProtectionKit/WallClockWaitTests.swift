import Expectations
import EventSourcing
import Synchronization
import Testing

@testable import AppProtectionKit

@Suite("A wait for a time of the wall clock")
struct WallClockWaitTests {
  private static let minute: Int64 = 60_000_000_000

  /// A device whose clock is set, or which sleeps, during its n-th sleep.
  private final class Device: TimeSource {
    struct State {
      var moment = Moment(wallNanoseconds: 0, uptimeNanoseconds: 0)
      var sleeps: [Int64] = []
    }
    let state = Mutex(State())

    func now() -> Moment { state.withLock { $0.moment } }

    /// Waits, and returns how long it slept each time.
    func wait(until wall: Int64, during number: Int = 0, _ change: @escaping @Sendable (inout Moment) -> Void) async
      -> [Int64]
    {
      await WallClockWait.wait(until: wall, by: self) { nanoseconds in
        state.withLock { state in
          state.sleeps.append(nanoseconds)
          state.moment.wallNanoseconds += nanoseconds
          state.moment.uptimeNanoseconds += nanoseconds
          if state.sleeps.count == number { change(&state.moment) }
        }
      }
      return state.withLock { $0.sleeps }
    }
  }

  @Test("It lasts exactly as long as the clock is not set")
  func plain() async {
    let device = Device()
    let sleeps = await device.wait(until: 3 * Self.minute / 2) { _ in }
    #expect(sleeps == [Self.minute, Self.minute / 2] && device.now().wallNanoseconds == 3 * Self.minute / 2)
    await expectEqual(Device().wait(until: 0) { _ in }, [])
    await expectEqual(Device().wait(until: .min) { _ in }, [])
  }

  @Test("A clock that is set ahead or back ends it within a minute", arguments: [1_000, -1_000, 1, -1])
  func set(minutes: Int64) async {
    let sleeps = await Device().wait(until: 100 * Self.minute, during: 3) {
      $0.wallNanoseconds += minutes * Self.minute
    }
    expectEqual(sleeps.count, 3)
  }

  @Test("A device that slept past the time ends it, whether its uptime counts sleep or not", arguments: [true, false])
  func slept(counts: Bool) async {
    let sleeps = await Device().wait(until: 100 * Self.minute, during: 2) { moment in
      moment.wallNanoseconds += 600 * Self.minute
      if counts { moment.uptimeNanoseconds += 600 * Self.minute }
    }
    expectEqual(sleeps.count, 2)
  }

  @Test("No clock makes it overflow")
  func extremes() async {
    let device = Device()
    device.state.withLock { $0.moment = Moment(wallNanoseconds: .min + 1, uptimeNanoseconds: 0) }
    let sleeps = await device.wait(until: .max, during: 1) { $0.wallNanoseconds = .max - 1 }
    expectEqual(sleeps, [Self.minute])
  }
}
