import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("The clock by which deadlines are judged")
struct LaunchClockTests {
  static let hour = RetrySchedule.hour
  static let session = EventSamples.guid

  /// A device with a wall clock that anybody can set, and an uptime that nobody can.
  struct Device {
    var wall = TestApp.start
    var uptime: Int64 = 1_000_000_000
    var session = LaunchClockTests.session
    var state = AppProtectionState()
    var sequence: UInt64 = 0

    var moment: Moment { Moment(wallNanoseconds: wall, uptimeNanoseconds: uptime) }

    @discardableResult
    mutating func run(_ command: AppProtectionCommand) throws -> [AppProtectionEvent] {
      var explanation = Explanation()
      let next = EventContext(sequence: sequence + 1, moment: moment)
      let decided = try AppProtectionMachine.decide(command, in: state, at: next, explanation: &explanation)
      (state, sequence) = (decided.state, decided.last ?? sequence)
      return decided.events
    }

    mutating func start(settings: AppSettings? = nil) throws {
      var process = TestApp.process
      process.bootSession = session
      try run(.startProcess(process, settings: settings))
    }

    mutating func reboot() throws {
      session = GUID(high: session.high, low: session.low &+ 1)
      uptime = 1_000_000_000
      try start()
    }

    mutating func wait(_ length: Int64) {
      wall += length
      uptime += length
    }

    var outcome: LaunchOutcome { state.conditionalLaunch(for: .a1, at: moment).outcome }
  }

  static func device(_ configure: (inout PolicyDocument) throws -> Void) throws -> Device {
    var policy = TestApp.policy()
    try configure(&policy)
    var device = Device()
    var settings = AppSettings()
    settings.multiIdentity = true
    try device.start(settings: settings)
    try device.run(.registerAndEnroll(.a))
    try device.run(.answerEnrollment(.a, .policy(policy)))
    try device.start()
    return device
  }

  static func offline() throws -> Device {
    try device { $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H") }
  }

  @Test("S-18: a clock that is set back does not lengthen offline access: uptime goes on")
  func setBack() throws {
    var device = try Self.offline()
    device.wait(11 * Self.hour)
    device.wall -= 100 * Self.hour
    expectEqual(device.outcome, .allowed)
    device.wait(Self.hour - 1)
    expectEqual(device.outcome, .allowed)
    device.wait(1)
    expectEqual(device.outcome, .block)
  }

  @Test("A reboot does not lengthen offline access: the wall clock's high-water mark stays")
  func reboot() throws {
    var device = try Self.offline()
    device.wait(11 * Self.hour)
    try device.run(.evaluateLaunch(.a, .launch))
    device.wall += 2 * Self.hour
    try device.reboot()
    expectEqual(device.outcome, .block)
    device.wall -= 13 * Self.hour
    try device.reboot()
    expectEqual(device.outcome, .block, "what the clock showed counts")
    try device.run(.requestCheckIn(.a))
    try device.run(.answerCheckIn(.a, .unchanged))
    expectEqual(device.outcome, .allowed)
    device.wait(12 * Self.hour)
    expectEqual(device.outcome, .block, "a check-in takes the clock at its word")
  }

  @Test("Who sets the clock back and reboots gains no more than the time since the last request of the schedule")
  func reboots() throws {
    var device = try Self.offline()
    var hours = 0
    while device.outcome == .allowed {
      device.wait(Self.hour)
      hours += 1
      try device.run(.requestCheckIn(.a))
      try device.run(.answerCheckIn(.a, .failure(.init(.timeout))))
      device.wall -= 5 * Self.hour
      try device.reboot()
      try #require(hours < 100)
    }
    expectEqual(hours, 12)
  }

  @Test("A clock that stood wrong and is corrected does not count twice")
  func correction() throws {
    var device = try Self.offline()
    device.wall -= 1000 * Self.hour
    try device.start()
    device.wait(5 * Self.hour)
    try device.start()
    device.wall += 1000 * Self.hour
    try device.start()
    #expect(device.state.launch.clock.elapsed <= 5 * Self.hour + 1)
    expectEqual(device.outcome, .allowed)
  }

  @Test(
    "Uptimes of two boot sessions are not compared, one that is unknown is none, and a later session's is time that passed"
  )
  func uptimes() throws {
    var clock = LaunchClock()
    clock.record(Moment(wallNanoseconds: 100, uptimeNanoseconds: 50))
    #expect(clock.elapsed(at: Moment(wallNanoseconds: 90, uptimeNanoseconds: 70)) == 20)
    #expect(clock.elapsed(at: Moment(wallNanoseconds: 90, uptimeNanoseconds: 0)) == 0)
    for (session, uptime, elapsed) in [
      (LaunchClock.BootSession.later, 0, 0), (.later, 70, 70), (.later, 30, 30), (.unknown, 70, 20), (.unknown, 30, 30),
      (.unknown, 0, 0), (.same, 30, 0),
    ] as [(LaunchClock.BootSession, Int64, Int64)] {
      var rebooted = clock
      rebooted.record(Moment(wallNanoseconds: 90, uptimeNanoseconds: uptime), in: session)
      #expect(rebooted.elapsed == elapsed, "\(session), \(uptime)")
    }
    clock.record(Moment(wallNanoseconds: .min, uptimeNanoseconds: .max))
    clock.record(Moment(wallNanoseconds: .max, uptimeNanoseconds: .max))
    clock.record(Moment(wallNanoseconds: .min, uptimeNanoseconds: .min))
    #expect(clock.elapsed(at: Moment(wallNanoseconds: .max, uptimeNanoseconds: .max)) >= clock.elapsed)
  }

  @Test(
    "Whoever sets clocks back and reboots, an account that was blocked stays so until a check-in completes",
    arguments: 1...40)
  func never(seed: Int) throws {
    var random = RandomSequence(seed: UInt64(seed))
    var device = try Self.offline()
    var isBlocked = false
    var blockedOnce = false
    var last: Int64 = 0
    for step in 0..<200 {
      switch random.next(below: 10) {
      case 0: device.wall -= Int64(random.next(below: 1000)) * Self.hour
      case 1: device.wall += Int64(random.next(below: 20)) * Self.hour
      case 2: try device.reboot()
      case 3: try device.start()
      case 4 where random.next(below: 8) == 0:
        try device.run(.requestCheckIn(.a))
        try device.run(.answerCheckIn(.a, .unchanged))
        isBlocked = false
      case 5:
        // A check-in that fails changes nothing.
        try device.run(.requestCheckIn(.a))
        try device.run(.answerCheckIn(.a, .failure(.init(.timeout))))
      default: device.wait(Int64(random.next(below: 120)) * RetrySchedule.minute)
      }
      try device.run(.evaluateLaunch(.a, random.pick([.launch, .identitySwitch])))
      let elapsed = device.state.launch.clock.elapsed(at: device.moment)
      #expect(elapsed >= last, "seed \(seed), step \(step)")
      last = device.state.launch.clock.elapsed
      let outcome = device.outcome
      if isBlocked { expectEqual(outcome, .block, "seed \(seed), step \(step)") }
      isBlocked = isBlocked || outcome == .block
      blockedOnce = blockedOnce || isBlocked
    }
    #expect(blockedOnce, "seed \(seed) must block at least once")
  }

  @Test("S-28 T34: a clock that is set back does not lengthen the silence after which an enrollment lapses")
  func lapse() throws {
    let day = RetrySchedule.day
    for reboots in [false, true] {
      var device = try Self.device { _ in }
      device.wait(60 * day)
      try device.start()
      device.wall -= 50 * day
      if reboots { try device.reboot() }
      device.wait(30 * day - 1 - (reboots ? device.uptime : 0))
      try device.start()
      expectEqual(device.state.accounts[.a1]?.enrollment.enrollmentRequest, 0)
      device.wait(1)
      try device.start()
      expectEqual(device.state.accounts[.a1]?.enrollment.trigger, .lapse)
      try device.run(.answerEnrollment(.a, .unchanged))
      device.wait(89 * day)
      try device.start()
      expectEqual(device.state.accounts[.a1]?.enrollment.enrollmentRequest, 0, "the service has answered since")
    }
  }

  @Test("A PIN's age and the recheck period run on while the clock is set back")
  func pinTimers() throws {
    var device = try Self.device {
      $0.access.pinRequired = true
      $0.access.periodBeforePinReset = try PolicyDuration("P1D")
      $0.access.periodOnlineBeforeAccessCheck = try PolicyDuration("PT30M")
    }
    try device.run(.setPIN(.a, PINFacts(of: "2580")))
    expectEqual(device.outcome, .allowed)
    device.wall -= 50 * Self.hour
    device.wait(30 * RetrySchedule.minute - 1)
    expectEqual(device.outcome, .allowed)
    device.wait(1)
    expectEqual(device.outcome, .promptPIN)
    device.wait(24 * Self.hour)
    expectEqual(device.outcome, .promptNewPIN)
  }
}
