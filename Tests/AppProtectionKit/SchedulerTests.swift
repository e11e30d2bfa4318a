import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import TaskTesting
import Testing

@Suite("An engine that runs when work is due")
struct SchedulerTests {
  static let alice = PolicyEngineTests.alice

  /// An engine that a task runs when work is due, with Alice enrolled or not.
  struct Scheduled {
    let test: TestEngine
    let alarm = TestAlarm()
    let executor = SerialTaskExecutor()
    let work: Task<Void, any Error>

    init(_ test: TestEngine) {
      self.test = test
      work = executor.start { [engine = test.engine, alarm] in try await engine.runWhenDue(alarm: alarm) }
    }

    /// Lets a command be decided, and the engine do what it does about it.
    func send(_ command: AppProtectionCommand) throws {
      let engine = test.engine
      let body = { @Sendable () async throws(EngineError) -> Bool in
        try await engine.send(command)
        return true
      }
      try expectEqual(executor.value(of: body), true)
    }

    /// Moves the clock to a due time, and rings the alarm.
    func pass(to due: Int64) {
      test.app.advance(due - test.app.now().wallNanoseconds)
      alarm.ring()
      executor.runJobs()
    }
  }

  @Test("It does what is due at each due time, and sleeps until the next one")
  func due() async throws {
    let scheduled = Scheduled(try await PolicyEngineTests.enrolled())
    let log = scheduled.test.app
    for count in 1...3 {
      let due = try #require(scheduled.test.engine.nextDue)
      expectEqual(scheduled.alarm.pending, [due])
      scheduled.pass(to: due)
      expectEqual(log.log.count { $0.hasPrefix("checkIn") }, count)
    }
    scheduled.work.cancel()
  }

  @Test("A command is carried out without a call of run, and an earlier due time replaces the alarm")
  func earlier() async throws {
    let scheduled = Scheduled(try await PolicyEngineTests.enrolled())
    let due = try #require(scheduled.alarm.pending.first)
    scheduled.test.app.answers.withLock {
      $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure))
    }
    try scheduled.send(.requestCheckIn(Self.alice))
    expectEqual(scheduled.test.app.log.last, "policyRequest a1 212")
    let earlier = try #require(scheduled.alarm.pending.first)
    #expect(scheduled.alarm.pending.count == 1 && earlier < due)
    expectEqual(earlier, scheduled.test.app.now().wallNanoseconds + RetrySchedule.minute)
    scheduled.work.cancel()
  }

  @Test("A process that slept for days does once what came due meanwhile")
  func catchingUp() async throws {
    let scheduled = Scheduled(try await PolicyEngineTests.enrolled())
    let before = scheduled.test.app.log.count
    scheduled.pass(to: scheduled.test.app.now().wallNanoseconds + 9 * RetrySchedule.day)
    let done = scheduled.test.app.log.dropFirst(before).map { $0.prefix { $0 != " " } }
    expectEqual(done, ["checkIn", "policyRequest"])
    expectEqual(scheduled.alarm.pending, [try #require(scheduled.test.engine.nextDue)])
    scheduled.work.cancel()
  }

  @Test("While nothing will come due, it sets no alarm; a command wakes it")
  func noTimers() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    let scheduled = Scheduled(test)
    #expect(test.engine.nextDue == nil && scheduled.alarm.times == [])
    try scheduled.send(.registerAndEnroll(Self.alice))
    expectEqual(test.app.log.suffix(1), ["enrollmentRequest a1 103"])
    expectEqual(scheduled.alarm.pending.count, 1)
    scheduled.work.cancel()
  }

  @Test("Canceling its task stops it, and leaves a request under way pending")
  func cancellation() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    let scheduled = Scheduled(test)
    test.app.answers.withLock { $0.lastingEnrollment = .failure(ServiceFailure(.enrollmentEndPointNetworkFailure)) }
    test.app.hook.withLock { hook in
      hook = { [work = scheduled.work] text in if text.hasPrefix("enroll a1") { work.cancel() } }
    }
    try scheduled.send(.registerAndEnroll(Self.alice))
    scheduled.executor.runJobs()
    try await scheduled.work.value
    expectEqual(scheduled.alarm.pending, [])
    expectEqual(test.engine.state.accounts[.first]?.enrollment.status, .enrolling)
    expectEqual(test.engine.state.pendingWork(at: test.app.now()).map(\.description), ["enroll a1 registration"])
    test.app.hook.withLock { $0 = nil }
    test.app.answers.withLock { $0.lastingEnrollment = .noPolicy }
    try await test.engine.run()
    expectEqual(test.app.log.suffix(2), ["enroll a1 alice@contoso.com 4", "enrollmentRequest a1 103"])
  }

  @Test(
    "A second task that found the first at work takes over when that is canceled, at work or asleep",
    arguments: [true, false])
  func takeOver(atWork: Bool) async throws {
    let test = try await PolicyEngineTests.enrolled()
    let scheduled = Scheduled(test)
    let second = TestAlarm()
    let engine = test.engine
    let (gate, opener) = AsyncStream<Void>.makeStream()
    test.app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("checkIn") else { return }
        for await _ in gate { break }
      }
    }
    try scheduled.send(.requestCheckIn(Self.alice))
    let other = scheduled.executor.start { try await engine.runWhenDue(alarm: second) }
    expectEqual(second.times, [], "the first task is at work")
    test.app.hook.withLock { $0 = nil }
    if atWork {
      scheduled.work.cancel()
      test.app.answers.withLock { $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure)) }
      opener.finish()
      scheduled.executor.runJobs()
    } else {
      opener.finish()
      scheduled.executor.runJobs()
      scheduled.work.cancel()
      scheduled.executor.runJobs()
    }
    try await scheduled.work.value
    let due = try #require(engine.nextDue)
    expectEqual(second.pending, [due])
    test.app.advance(due - test.app.now().wallNanoseconds)
    second.ring()
    scheduled.executor.runJobs()
    expectEqual(test.app.log.last?.hasPrefix("policyRequest"), true)
    other.cancel()
    scheduled.executor.runJobs()
  }

  @Test("A refusal that writes nothing is told without a call of run")
  func refusal() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    let scheduled = Scheduled(test)
    let engine = test.engine
    scheduled.executor.start { try? await engine.send(.registerAndEnroll(nil)) }
    scheduled.executor.runJobs()
    expectEqual(test.app.log, ["enrollmentRequest none 207"])
    scheduled.work.cancel()
  }

  @Test("What stops a run reaches the caller, and the work stays pending")
  func failure() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let scheduled = Scheduled(test)
    try test.engine.store.close()
    scheduled.pass(to: try #require(test.engine.nextDue))
    await #expect(throws: EngineError.self) { try await scheduled.work.value }
  }

  @Test("The system's clock returns at once for a time that is over, and when its task is canceled")
  func systemClock() async {
    let clock = SystemClock()
    await clock.sleep(until: 0)
    await clock.sleep(until: .min)
    let sleeper = Task { await clock.sleep(until: .max) }
    sleeper.cancel()
    await sleeper.value
  }
}
