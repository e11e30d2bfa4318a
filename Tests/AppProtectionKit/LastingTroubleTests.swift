import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

/// Trouble that lasts must not fill a journal: while nothing new happens, nothing is done but what the intervals of the rules
/// ask for.
///
/// The bound: a request that fails is repeated after the pause that ``RetrySchedule`` names for its failure, so a day of trouble
/// has at most a day divided by that pause of attempts, and one for the edge. The network has pauses of its own below the
/// hour, six of them, once. The number of events that an attempt writes stands with each trouble.
@Suite("Lasting failures")
struct LastingTroubleTests {
  typealias Alice = PolicyEngineTests
  static let day = RetrySchedule.day
  static let schedule = RetrySchedule(.serviceTable)

  /// Something that goes wrong for days.
  struct Trouble: Sendable, CustomTestStringConvertible {
    let name: String
    /// The pause between two attempts once it has lasted for a while; `nil` where nothing is tried again.
    let pause: Int64?
    /// How many events one attempt writes.
    var events = 2
    /// Whether the app has delegates.
    var hasDelegates = true
    /// Brings an engine with Alice enrolled into the trouble.
    let begin: @Sendable (TestEngine) async throws -> Void

    var testDescription: String { name }
  }

  /// How often an app runs its engine.
  enum Scheduler: CaseIterable {
    /// At the times that the engine names.
    case alarm
    /// Every seven minutes, whatever the engine says.
    case polling
  }

  /// Every code of the table, and some that are in none.
  static let failures =
    EnrollmentStatusCode.table.map(\.code).filter { !$0.isSuccess }
    + [105, 228, 302].map(EnrollmentStatusCode.init(rawValue:))

  /// The pause after which a request that fails so is repeated.
  static func pause(_ code: EnrollmentStatusCode, scheduled: Int64, never: Int64?) -> Int64? {
    switch code.repetition {
    case .never: never
    case .afterSignIn: nil
    case .scheduled: scheduled
    case .backoff: RetrySchedule.hour
    }
  }

  static let enrolling = failures.map { code in
    Trouble(
      name: "an enrollment fails with \(code.rawValue)",
      pause: pause(code, scheduled: schedule.interval(after: code), never: nil)
    ) { test in
      test.app.answers.withLock { $0.lastingEnrollment = .failure(ServiceFailure(code)) }
      try await test.engine.send(.deregisterAndUnenroll(Alice.alice, wipe: false))
      try await test.engine.run()
      try await test.engine.send(.registerAndEnroll(Alice.alice))
    }
  }

  static let checkingIn = failures.map { code in
    // 220 and 221 end the enrollment; who must be removed is left alone.
    let ends = code == .policyRecordGone || code == .reEnrollForUnenrolledUser
    return Trouble(
      name: "check-ins fail with \(code.rawValue)",
      pause: ends
        ? nil
        : pause(
          code, scheduled: schedule.interval(after: code), never: code.requiresRemoval ? nil : schedule.checkIn)
    ) { test in
      test.app.answers.withLock {
        $0.lastingCheckIn = .failure(ServiceFailure(code))
        $0.lastingEnrollment = .failure(ServiceFailure(code))
      }
    }
  }

  static let leaving = failures.flatMap { code in
    [true, false].map { wipe in
      // 213 and 220 say that nothing is left to end.
      let isDone = code == .appNotEnrolled || code == .policyRecordGone
      return Trouble(
        name: "a farewell \(wipe ? "after a wipe " : "")fails with \(code.rawValue)",
        pause: isDone ? nil : pause(code, scheduled: schedule.leaving, never: nil)
      ) { test in
        test.app.answers.withLock { $0.unenrollment = ServiceFailure(code) }
        try await test.engine.send(.deregisterAndUnenroll(Alice.alice, wipe: wipe))
      }
    }
  }

  static let others = [
    Trouble(name: "nothing is wrong", pause: schedule.checkIn) { _ in },
    Trouble(name: "the service wants to be asked every second", pause: RetrySchedule.minute) { test in
      test.app.answers.withLock { $0.lastingCheckIn = .policy(PolicyDocument(), nextCheckIn: 1) }
    },
    // Each loss takes the process's identity back.
    Trouble(name: "the record is lost again and again", pause: schedule.checkIn, events: 7) { test in
      test.app.answers.withLock {
        $0.lastingCheckIn = .gone
        $0.lastingEnrollment = .policy(PolicyDocument())
      }
    },
    Trouble(name: "files stay", pause: schedule.leaving, events: 1) { test in
      test.app.answers.withLock { $0.removal = FileRemoval(count: 0, failure: "busy") }
      try await test.engine.send(.requestWipe(Alice.alice, .administrator, .service))
    },
    Trouble(name: "files stay at a farewell", pause: schedule.leaving, events: 1) { test in
      test.app.answers.withLock { $0.removal = FileRemoval(count: 0, failure: "busy") }
      try await test.engine.send(.deregisterAndUnenroll(Alice.alice, wipe: true))
    },
    Trouble(name: "a restart is ignored", pause: schedule.checkIn) { try await $0.restart(.acknowledged) },
    Trouble(name: "a restart is put off", pause: schedule.checkIn) { try await $0.restart(.postponed(minutes: 5)) },
    Trouble(name: "a restart is put off by nothing", pause: schedule.checkIn) {
      try await $0.restart(.postponed(minutes: 0))
    },
    Trouble(name: "the app never restarts itself as it promised", pause: schedule.checkIn) { test in
      test.app.answers.withLock { $0.restarts = true }
      try await test.restart(.acknowledged)
    },
    Trouble(name: "the user does not sign in", pause: schedule.checkIn) { test in
      try await test.engine.send(.loginAndEnroll(nil))
    },
    Trouble(name: "the user does not choose an account", pause: schedule.checkIn) { test in
      test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
      try await test.engine.send(.registerAndEnroll(Alice.bob))
    },
    Trouble(name: "a switch is refused", pause: schedule.checkIn) { test in
      test.app.answers.withLock { $0.switchReply = .result(.failed) }
      try await test.engine.send(.requestIdentitySwitch(.ui, .unmanaged, .openURL))
    },
    Trouble(name: "there are no delegates", pause: schedule.checkIn, hasDelegates: false) { test in
      try await test.restart(.acknowledged)
      try await test.engine.send(.loginAndEnroll(nil))
      try await test.engine.send(.requestIdentitySwitch(.ui, .unmanaged, .openURL))
      try await test.engine.send(.remediateCompliance(Alice.alice, isSilent: true))
    },
    Trouble(name: "a remediation waits for a restart that never comes", pause: schedule.checkIn) { test in
      try await test.restart(.acknowledged)
      try await test.engine.send(.remediateCompliance(Alice.alice, isSilent: true))
    },
  ]
  // An outcome ends a remediation, so none lasts.
  static let remediations = ComplianceStatus.allCases.map { status in
    Trouble(name: "a remediation ends as \(status)", pause: schedule.checkIn) { test in
      test.app.answers.withLock { $0.remediation = RemediationOutcome(status) }
      try await test.engine.send(.remediateCompliance(Alice.alice, isSilent: true))
    }
  }

  @Test(
    "A journal grows by no more events a day than the intervals of the rules allow",
    arguments: enrolling + checkingIn + leaving + others + remediations, Scheduler.allCases)
  func bound(trouble: Trouble, scheduler: Scheduler) async throws {
    let test = try await Alice.enrolled(delegates: trouble.hasDelegates)
    try await trouble.begin(test)
    try await test.engine.run()
    for day in 1...2 {
      let before = test.engine.store.lastSequence
      try await test.pass(Self.day, scheduler)
      let written = Int64(test.engine.store.lastSequence - before)
      let attempts = trouble.pause.map { Self.day / $0 } ?? 0
      // The network's pauses below the hour, and the check-in that first meets the trouble, are of the first day.
      let bound = (attempts + (attempts > 0 ? 1 : 0) + (day == 1 ? 7 : 0)) * Int64(trouble.events)
      #expect(written <= bound, "day \(day)")
      // Who looks every seven minutes is late by as much at each attempt.
      if let pause = trouble.pause, day > 1, pause > RetrySchedule.minute || scheduler == .alarm {
        let late = scheduler == .alarm ? 0 : 7 * RetrySchedule.minute
        #expect(written >= (Self.day / (pause + late) - 1) * Int64(trouble.events), "day \(day): the trouble must last")
      }
    }
    try test.engine.store.close()
  }

  @Test(
    "An unenrollment that the network prevents is tried at minutes 0, 1, 3, 7, 15, 31 and then every hour",
    arguments: [true, false])
  func farewell(wipe: Bool) async throws {
    let test = try await Alice.enrolled()
    test.app.answers.withLock { $0.unenrollment = ServiceFailure(.enrollmentEndPointNetworkFailure) }
    let start = test.app.now().wallNanoseconds
    let minutes = Mutex<[Int64]>([])
    let app = test.app
    test.app.hook.withLock { hook in
      hook = { text in
        guard text == "unenrollRequest a1 205" else { return }
        minutes.withLock { $0.append((app.now().wallNanoseconds - start) / RetrySchedule.minute) }
      }
    }
    try await test.engine.send(.deregisterAndUnenroll(Alice.alice, wipe: wipe))
    try await test.engine.run()
    try await test.pass(4 * RetrySchedule.hour, .alarm)
    expectEqual(minutes.withLock { $0 }, [0, 1, 3, 7, 15, 31, 63, 123, 183])
    test.app.answers.withLock { $0.unenrollment = nil }
    try await test.pass(RetrySchedule.hour, .alarm)
    #expect(test.app.log.contains("unenrollRequest a1 104"))
  }

  @Test(
    "While the clock stands still, nothing is retried, whatever year it shows",
    arguments: [1_000_000_000_000, Int64.max])
  func frozenClock(wall: Int64) async throws {
    let test = try await Alice.enrolled()
    test.app.answers.withLock {
      $0.moment.wallNanoseconds = wall
      $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure))
    }
    try await test.engine.send(.requestCheckIn(Alice.alice))
    try await test.engine.run()
    let last = test.engine.store.lastSequence
    for _ in 0..<1_000 { try await test.engine.run() }
    expectEqual(test.engine.store.lastSequence, last)
    test.app.answers.withLock { $0.moment.uptimeNanoseconds += RetrySchedule.minute }
    try await test.engine.run()
    expectEqual(test.engine.store.lastSequence, last + 2)
  }

  @Test("A wipe that the service orders is carried out within half an hour although the clock was set back by 20 hours")
  func clockSetBack() async throws {
    let test = try await Alice.enrolled()
    test.app.setClock(by: -20 * RetrySchedule.hour)
    try await test.engine.run()
    test.app.answers.withLock { $0.lastingCheckIn = .wipe() }
    try await test.pass(RetrySchedule.hour / 2, .alarm)
    #expect(test.app.log.suffix(5).contains("policyRequest a1 102"))
    expectEqual(test.engine.state.wipes[.first]?.phase, .completed)
  }

  @Test(
    "However the clock is set while the network is down, the journal grows with the time that passes and with each change",
    arguments: 1...12)
  func randomClock(seed: UInt64) async throws {
    var random = RandomSequence(seed: seed)
    let test = try await Alice.enrolled()
    test.app.answers.withLock { $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure)) }
    try await test.pass(Self.day, .alarm)
    let before = test.engine.store.lastSequence
    let units = [RetrySchedule.minute, RetrySchedule.hour, Self.day, 365 * Self.day]
    var (changes, passed): (Int64, Int64) = (0, 0)
    for _ in 0..<100 {
      let length = Int64(random.next(below: 20)) * units[random.next(below: 4)]
      test.app.setClock(by: random.next(below: 2) == 0 ? length : -length)
      changes += 1
      try await test.engine.run()
      let pause = Int64(random.next(below: 90)) * RetrySchedule.minute
      try await test.pass(pause, .alarm)
      passed += pause
    }
    let written = Int64(test.engine.store.lastSequence - before)
    #expect(written <= 2 * (passed / RetrySchedule.hour + 1 + changes), "seed \(seed)")
    #expect(written >= 2 * (passed / RetrySchedule.hour - 1), "seed \(seed): nothing may be delayed")
  }
}

extension TestEngine {
  /// Lets time pass, and runs the engine at its intervals.
  func pass(_ length: Int64, _ scheduler: LastingTroubleTests.Scheduler) async throws {
    let end = app.now().wallNanoseconds + length
    while true {
      let now = app.now().wallNanoseconds
      let next =
        switch scheduler {
        case .alarm: max(engine.nextDue ?? .max, now)
        case .polling: now + 7 * RetrySchedule.minute
        }
      guard next <= end else { break }
      app.advance(next - now)
      let isLate = next == now
      try await engine.run()
      // A time that is over and was looked at is none to wait for.
      if isLate && engine.nextDue.map({ $0 <= now }) == true { throw Failure() }
    }
    app.advance(end - app.now().wallNanoseconds)
    try await engine.run()
  }

  /// Gets a restart asked for, with an answer.
  func restart(_ wish: RestartChoice) async throws {
    app.answers.withLock {
      $0.restartWish = wish
      $0.enrollment = [.policy(PolicyDocument())]
    }
    try await engine.send(.deregisterAndUnenroll(PolicyEngineTests.alice, wipe: false))
    try await engine.run()
    try await relaunch()
    try await engine.send(.registerAndEnroll(PolicyEngineTests.alice))
  }
}
