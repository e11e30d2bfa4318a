import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Due times by both clocks")
struct DueTimeTests {
  static let minute = RetrySchedule.minute
  static let hour = RetrySchedule.hour

  /// A device with an enrolled account, and what a test knows of the times since its due time was written.
  struct Watched {
    var device: LaunchClockTests.Device
    /// What the wall clock showed when the due time was written.
    var written: Int64 = 0
    /// How much time has passed since then.
    var passed: Int64 = 0
    /// By how much the wall clock was set ahead since then, all in all.
    var setAhead: Int64 = 0
    /// The uptime when it was written, or when the device was rebooted since then.
    var since: Int64 = 0

    init() throws {
      device = try LaunchClockTests.device { _ in }
      note()
    }

    mutating func note() {
      (written, passed, setAhead, since) = (device.wall, 0, 0, device.uptime)
    }

    mutating func wait(_ length: Int64) {
      device.wait(length)
      passed += length
    }

    mutating func set(by length: Int64) {
      device.wall += length
      setAhead += max(length, 0)
    }

    mutating func reboot(off length: Int64) throws {
      device.wall += length
      passed += length + 1_000_000_000
      device.wall += 1_000_000_000
      try device.reboot()
      since = 0
    }

    var due: DueTime? { device.state.accounts[.a1].flatMap { device.state.dueTime(of: $0) } }
    var isDue: Bool { device.state.accounts[.a1].map { device.state.isDue($0, at: device.moment) } ?? false }
  }

  @Test(
    "A check-in is due when its pause is over, however far the clock was set back",
    arguments: [1, 20, 30, 9_000, 90_000])
  func setBack(hours: Int64) throws {
    var watched = try Watched()
    let due = try #require(watched.due)
    watched.wait(10 * Self.minute)
    watched.set(by: -hours * Self.hour)
    #expect(!watched.isDue, "nor is it due at once: no clock says so")
    let next = try #require(watched.device.state.nextDue(after: watched.device.moment))
    #expect(next == watched.device.wall + 20 * Self.minute && next < due.wall)
    watched.wait(20 * Self.minute - 1)
    #expect(!watched.isDue)
    watched.wait(1)
    #expect(watched.isDue && watched.device.state.nextDue(after: watched.device.moment) == nil)
  }

  @Test("What fell due before the clock was set back is not missed by whoever looked before")
  func fellDue() throws {
    var watched = try Watched()
    let looked = watched.device.moment
    watched.wait(31 * Self.minute)
    watched.set(by: -20 * Self.hour)
    let state = watched.device.state
    #expect(state.nextDue(after: watched.device.moment) == nil)
    expectEqual(state.nextDue(after: looked, at: watched.device.moment), watched.device.wall - Self.minute)
  }

  @Test("A clock that is set ahead is followed, and one that was set back first is, too")
  func setAhead() throws {
    for hours in [0, 20] as [Int64] {
      var watched = try Watched()
      watched.set(by: -hours * Self.hour)
      #expect(!watched.isDue)
      watched.set(by: (hours + 1) * Self.hour)
      #expect(watched.isDue)
    }
  }

  @Test("While the device was off, the clock alone says how much time passed; since it was started, uptime does")
  func reboots() throws {
    var watched = try Watched()
    try watched.reboot(off: 30 * Self.minute)
    #expect(watched.isDue)
    watched = try Watched()
    watched.set(by: -20 * Self.hour)
    watched.device.wait(10 * Self.minute)
    watched.device.session = GUID(high: 1, low: 1)
    watched.device.uptime = 29 * Self.minute
    try watched.device.start()
    #expect(!watched.isDue, "what passed before the reboot is not known")
    watched.wait(Self.minute)
    #expect(watched.isDue)
  }

  @Test("A restart that was put off and files that were left are due by both clocks too")
  func otherDueTimes() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.answerRestart(.postponed, postponedMinutes: 60))
    let uptime = app.moment.uptimeNanoseconds
    for (minutes, isDue) in [(59, false), (60, true)] as [(Int64, Bool)] {
      let moment = Moment(
        wallNanoseconds: app.now - 400 * TestApp.day, uptimeNanoseconds: uptime + minutes * Self.minute)
      expectEqual(app.state.pendingWork(at: moment).contains { $0.kind == .restart(.firstPolicy) }, isDue)
    }
    try app.restart()
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: false))
    try app.run(.reportFilesLeft(.a, count: 0, error: "busy"))
    let later = Moment(
      wallNanoseconds: app.now - 400 * TestApp.day,
      uptimeNanoseconds: app.moment.uptimeNanoseconds + 30 * Self.minute)
    expectEqual(app.state.pendingWork(at: later).map(\.description), ["removeFiles a1"])
  }

  @Test("At the end of the clock's range a pause is a minute at least")
  func lastMoment() throws {
    var device = LaunchClockTests.Device()
    device.wall = .max
    try device.start()
    try device.run(.registerAndEnroll(.a))
    try device.run(.answerEnrollment(.a, .failure(.init(.timeout))))
    for _ in 0..<3 {
      device.uptime += Self.minute - 1
      expectEqual(device.state.pendingWork(at: device.moment), [])
      device.uptime += 1
      try device.run(.startDueWork)
      try device.run(.answerEnrollment(.a, .failure(.init(.timeout))))
    }
  }

  @Test(
    "However the clock is set and the device rebooted, what is due happens once, not late by uptime, not early by the clock",
    arguments: 1...60)
  func random(seed: Int) throws {
    var random = RandomSequence(seed: UInt64(seed))
    var watched = try Watched()
    let units = [Self.minute, Self.hour, RetrySchedule.day, 365 * RetrySchedule.day]
    var done = 0
    // By how much the clock may still be set ahead: it counts 292 years.
    var room = 250 * 365 * RetrySchedule.day
    for step in 0..<300 {
      let place: Comment = "seed \(seed), step \(step)"
      let length = Int64(random.next(below: 60)) * random.pick(units)
      switch random.next(below: 8) {
      case 0 where length <= room:
        watched.set(by: length)
        room -= length
      case 1 where watched.device.wall > TestApp.start - 100 * 365 * RetrySchedule.day: watched.set(by: -length)
      case 2: try watched.reboot(off: Int64(random.next(below: 40)) * Self.minute)
      case 3: try watched.device.start()
      default: watched.wait(Int64(random.next(below: 40)) * Self.minute)
      }
      if watched.device.state.accounts[.a1]?.enrollment.enrollmentRequest != 0 {
        // After 90 days by some clock a launch registers the account anew.
        try watched.device.run(.answerEnrollment(.a, .unchanged))
        watched.note()
      }
      try Self.check(watched, place)
      guard watched.isDue else { continue }
      try expectEqual(watched.device.run(.startDueWork).map(\.name), ["checkIn.requested"], place)
      #expect(try watched.device.run(.startDueWork).isEmpty, place)
      let answer: ServiceAnswer = random.flag() ? .unchanged : .failure(.init(.timeout))
      try watched.device.run(.answerCheckIn(.a, answer))
      watched.note()
      done += 1
      #expect(!watched.isDue, place)
    }
    #expect(done > 20, "seed \(seed)")
  }

  /// What a due time promises: it comes when uptime has counted its pause, it does not come before the pause is over unless
  /// the clock was set ahead, and an alarm that is set to it rings in time.
  private static func check(_ watched: Watched, _ place: Comment) throws {
    let due = try #require(watched.due, place)
    let pause = due.wall - watched.written
    if watched.device.uptime - watched.since >= pause { #expect(watched.isDue, place) }
    if watched.isDue { #expect(watched.passed + watched.setAhead >= pause || watched.device.wall >= due.wall, place) }
    let next = watched.device.state.nextDue(after: watched.device.moment)
    #expect((next == nil) == watched.isDue, place)
    guard let next else { return }
    var alarm = watched
    alarm.wait(next - watched.device.wall - 1)
    #expect(!alarm.isDue, place)
    alarm.wait(1)
    #expect(alarm.isDue, place)
  }
}
