import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import TaskTesting
import Testing

/// A gate that a delegate or the service stops at until a test opens it or its task is canceled.
final class Gate: Sendable {
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  func stop() async { for await _ in stream {} }
  func open() { continuation.finish() }
}

@Suite("Slow answers delay only what must wait for them")
struct ParallelWorkTests {
  private static let alice = PolicyEngineTests.alice
  private static let bob = PolicyEngineTests.bob

  /// Alice and Bob, enrolled with a policy each; requests and calls that begin with a text stop at the gate.
  private static func stopped(at prefix: String) async throws -> (TestEngine, Gate) {
    let test = try await TestEngine.withAliceAndBob()
    let gate = Gate()
    test.app.hook.withLock { hook in
      hook = { text in if text.hasPrefix(prefix) { await gate.stop() } }
    }
    return (test, gate)
  }

  @Test(
    "A request, a wipe or a dialog that does not end keeps no other account waiting",
    arguments: ["checkIn a1", "wipeData a1", "askLogin", "identitySwitchReply"])
  func headOfLine(prefix: String) async throws {
    let (test, gate) = try await Self.stopped(at: prefix)
    let executor = SerialTaskExecutor()
    let engine = test.engine
    let work = executor.start { try await engine.runWhenDue(alarm: TestAlarm()) }
    for command: AppProtectionCommand in [
      .requestCheckIn(Self.alice), .requestWipe(Self.alice, .appRequest, .app), .loginAndEnroll(nil),
      .requestIdentitySwitch(.ui, .unmanaged, .openURL), .requestCheckIn(Self.bob),
      .requestWipe(Self.bob, .appRequest, .app),
    ] {
      executor.start { try await engine.send(command) }
    }
    let log = test.app.log
    #expect(log.contains { $0.hasPrefix("checkIn a2") } && log.contains("wipeDidComplete a2"))
    #expect(!log.contains { $0.hasPrefix(prefix) })
    expectEqual(
      log.contains("wipeDidComplete a1"), prefix != "wipeData a1", "no wipe waits for its account's check-in")
    gate.open()
    executor.runJobs()
    #expect(test.app.log.contains { $0.hasPrefix(prefix) })
    #expect(engine.state.wipes.records.allSatisfy { $0.phase == .completed })
    work.cancel()
    executor.runJobs()
  }

  @Test("Requests about one account come one after the other")
  func oneAccount() async throws {
    let (test, gate) = try await Self.stopped(at: "checkIn a1")
    let executor = SerialTaskExecutor()
    let engine = test.engine
    executor.start {
      try await engine.send(.requestCheckIn(Self.alice))
      try await engine.send(.remediateCompliance(Self.alice, isSilent: true))
      try await engine.run()
    }
    #expect(!test.app.log.contains { $0.hasPrefix("remediate") })
    gate.open()
    executor.runJobs()
    #expect(test.app.log.contains { $0.hasPrefix("remediate a1") })
  }

  @Test("What comes due while an answer is awaited is done on time")
  func due() async throws {
    let (test, gate) = try await Self.stopped(at: "checkIn a1")
    let executor = SerialTaskExecutor()
    let alarm = TestAlarm()
    let engine = test.engine
    let work = executor.start { try await engine.runWhenDue(alarm: alarm) }
    executor.start { try await engine.send(.requestCheckIn(Self.alice)) }
    executor.runJobs()
    let due = try #require(alarm.pending.last)
    test.app.advance(due - test.app.now().wallNanoseconds)
    alarm.ring()
    executor.runJobs()
    #expect(test.app.log.contains { $0.hasPrefix("checkIn a2") })
    gate.open()
    work.cancel()
    executor.runJobs()
  }

  @Test("At most eight requests are under way at once, and the others follow")
  func limit() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    let gate = Gate()
    let counts = Mutex((now: 0, most: 0))
    test.app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("enroll ") else { return }
        counts.withLock { counts in
          counts.now += 1
          counts.most = max(counts.most, counts.now)
        }
        await gate.stop()
        counts.withLock { $0.now -= 1 }
      }
    }
    let executor = SerialTaskExecutor()
    let engine = test.engine
    executor.start {
      for number in 0..<20 {
        try await engine.send(.registerAndEnroll(AccountReference(userPrincipalName: "user\(number)@contoso.com")))
      }
      try await engine.run()
    }
    expectEqual(counts.withLock { $0.now }, EngineCore.maximumRequestsAtOnce)
    gate.open()
    executor.runJobs()
    expectEqual(counts.withLock { $0.most }, EngineCore.maximumRequestsAtOnce)
    #expect(engine.state.accounts.records.allSatisfy { $0.enrollment.status == .enrolledWithoutPolicy })
  }

  // MARK: Cancelation

  struct Dialog: Sendable, CustomStringConvertible {
    let description: String
    var undecided: @Sendable (inout TestApp.Answers) -> Void = { _ in }
    let decided: @Sendable (inout TestApp.Answers) -> Void
    let commands: [AppProtectionCommand]
    let answer: String
  }

  static let dialogs = [
    Dialog(
      description: "askLogin", undecided: { $0.login = .canceled }, decided: { $0.login = .account(alice) },
      commands: [.loginAndEnroll(nil)], answer: "login.answered"),
    Dialog(
      description: "identitySwitchReply", undecided: { $0.switchReply = .result(.canceled) },
      decided: { $0.switchReply = .result(.success) }, commands: [.requestIdentitySwitch(.ui, .unmanaged, .openURL)],
      answer: "identity.switchAnswered"),
    Dialog(
      description: "restartApplication", undecided: { $0.restarts = false }, decided: { $0.restarts = true },
      commands: [.registerAndEnroll(alice)], answer: "restart.answered"),
    Dialog(
      description: "chooseAccount", undecided: { $0.choice = .canceled }, decided: { $0.choice = .keepExisting },
      commands: [.registerAndEnroll(alice), .registerAndEnroll(bob)], answer: "enrollment.switchAnswered"),
    Dialog(
      description: "wipeData", undecided: { $0.wipeData = false }, decided: { $0.wipeData = true },
      commands: [.registerAndEnroll(alice), .requestWipe(alice, .appRequest, .app)], answer: "wipe.delegateAnswered"),
    Dialog(
      description: "removeFiles", undecided: { $0.removal = FileRemoval(count: 0, failure: "canceled") },
      decided: { $0.removal = FileRemoval(count: 1) },
      commands: [.registerAndEnroll(alice), .requestWipe(alice, .appRequest, .app)], answer: "wipe.filesRemoved"),
  ]

  @Test(
    "A dialog that a canceled task ends is not the user's answer; a decision is", arguments: dialogs, [true, false])
  func canceled(dialog: Dialog, isDecided: Bool) async throws {
    let test = try TestEngine()
    test.app.answers.withLock { answers in
      answers.lastingEnrollment = .policy(PolicyDocument())
      isDecided ? dialog.decided(&answers) : dialog.undecided(&answers)
    }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    let engine = test.engine
    let gate = Gate()
    let isReached = Gate()
    test.app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix(dialog.description) else { return }
        isReached.open()
        await gate.stop()
      }
    }
    let run = Task {
      for command in dialog.commands {
        try await engine.send(command)
        try await engine.run()
      }
    }
    await isReached.stop()
    run.cancel()
    _ = await run.result
    try expectEqual(test.types.contains(dialog.answer), isDecided)
    #expect(try !test.types.contains("wipe.failed"))
    guard !isDecided else { return }
    test.app.hook.withLock { $0 = nil }
    test.app.answers.withLock { dialog.decided(&$0) }
    try await engine.run()
    #expect(try test.types.contains(dialog.answer), "it is asked again")
  }

  // MARK: The end

  @Test("The end waits for a run, cancels what that waits for, and leaves the work to the next process")
  func end() async throws {
    let (test, _) = try await Self.stopped(at: "checkIn a1")
    let engine = test.engine
    test.app.answers.withLock { $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure)) }
    let isReached = Gate()
    let inner = test.app.hook.withLock { $0 }
    test.app.hook.withLock { hook in
      hook = { text in
        if text.hasPrefix("checkIn a1") { isReached.open() }
        await inner?(text)
      }
    }
    try await engine.send(.requestCheckIn(Self.alice))
    let work = Task { try await engine.runWhenDue(alarm: TestAlarm()) }
    await isReached.stop()
    async let other: Void = engine.end()
    try await engine.end()
    try await other
    try await work.value
    try await engine.run()
    #expect(!engine.state.process.isRunning)
    await #expect {
      try await engine.send(.requestCheckIn(Self.bob))
    } throws: {
      "\($0)" == "the engine has ended; create another one on the store"
    }
    test.app.hook.withLock { $0 = nil }
    test.app.answers.withLock { $0.lastingCheckIn = .unchanged }
    try test.replaceEngine()
    try expectEqual(test.types.last, "process.ended")
    try await test.engine.launch(ProcessStart())
    expectEqual(test.app.log.suffix(2).map { $0.prefix { $0 != " " } }, ["checkIn", "policyRequest"])
  }

  @Test("A delegate that a run waits for cannot end the engine, but a task that it starts can")
  func endInside() async throws {
    let test = try TestEngine()
    let engine = test.engine
    let error = Mutex<EngineError?>(nil)
    let started = Mutex<Task<Void, any Error>?>(nil)
    test.app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("enrollmentRequest") else { return }
        started.withLock { $0 = Task { try await engine.end() } }
        do throws(EngineError) { try await engine.end() } catch let caught { error.withLock { $0 = caught } }
      }
    }
    try await engine.launch(ProcessStart())
    try await engine.send(.registerAndEnroll(Self.alice))
    try await engine.run()
    try await started.withLock { $0 }?.value
    guard case .endedByDelegate? = error.withLock({ $0 }) else {
      Issue.record("\(String(describing: error.withLock { $0 }))")
      return
    }
    #expect(!engine.state.process.isRunning)
  }
}
