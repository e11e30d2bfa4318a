import Expectations
import AppProtection
import EventSourcing
import Synchronization
import TaskTesting
import Testing

@testable import AppProtectionKit

/// Callbacks and other notices: the app may take its time with them, and may use the engine meanwhile.
@Suite("Notices hold up only what must follow them")
struct NoticeTests {
  private static let alice = PolicyEngineTests.alice
  private static let bob = PolicyEngineTests.bob

  /// Alice and Bob, enrolled with a policy that lets nobody in who is out of touch for an hour.
  private static func engine() async throws -> TestEngine {
    var policy = PolicyDocument()
    policy.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT1H")
    return try await .withAliceAndBob(policy)
  }

  @Test(
    "While a notice is on the screen, requests and wipes go on, and questions and later notices wait",
    arguments: ["policyRequest a1", "wipeDidComplete a1", "compliance a1"])
  func standing(notice: String) async throws {
    let test = try await Self.engine()
    let gate = Gate()
    test.app.hook.withLock { hook in
      hook = { text in if text.hasPrefix(notice) { await gate.stop() } }
    }
    let executor = SerialTaskExecutor()
    let engine = test.engine
    let work = executor.start { try await engine.runWhenDue(alarm: TestAlarm()) }
    let first: AppProtectionCommand =
      switch notice {
      case "policyRequest a1": .requestCheckIn(Self.alice)
      case "compliance a1": .remediateCompliance(Self.alice, isSilent: true)
      case _: .requestWipe(Self.alice, .appRequest, .app)
      }
    for command in [
      first, .requestCheckIn(Self.bob), .requestWipe(Self.bob, .appRequest, .app), .loginAndEnroll(nil),
    ] {
      executor.start { try await engine.send(command) }
    }
    #expect(test.app.log.contains { $0.hasPrefix("checkIn a2") } && test.app.log.contains("removeFiles a2"))
    #expect(engine.state.wipes.records.contains { $0.phase == .completed && $0.account != .first })
    #expect(!test.app.log.contains("askLogin") && !test.app.log.contains("wipeDidComplete a2"))
    gate.open()
    executor.runJobs()
    #expect(test.app.log.contains { $0.hasPrefix(notice) })
    #expect(test.app.log.contains("askLogin") && test.app.log.contains("wipeDidComplete a2"))
    work.cancel()
    executor.runJobs()
  }

  @Test("A delegate that is told something may switch to an account that must check in first")
  func switching() async throws {
    let test = try await Self.engine()
    let (app, engine) = (test.app, test.engine)
    let result = Mutex<SwitchIdentityResult?>(nil)
    app.hook.withLock { hook in
      hook = { text in
        guard text == "wipeDidComplete a2" else { return }
        app.advance(7_200_000_000_000)
        let switched = try? await engine.policies.switchUIIdentity(to: Self.alice)
        result.withLock { $0 = switched }
      }
    }
    try await engine.send(.requestWipe(Self.bob, .appRequest, .app))
    try await engine.run()
    expectEqual(result.withLock { $0 }, .success)
    #expect(app.log.contains { $0.hasPrefix("checkIn a1") })
    expectEqual(engine.policies.uiIdentity(), .account(.first))
  }

  @Test("Within a request of its own account a switch that needs another is canceled")
  func switchingInRequest() async throws {
    let test = try await Self.engine()
    let (app, engine) = (test.app, test.engine)
    let result = Mutex<SwitchIdentityResult?>(nil)
    app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("remediate a1") else { return }
        app.advance(7_200_000_000_000)
        let switched = try? await engine.policies.switchUIIdentity(to: Self.alice)
        result.withLock { $0 = switched }
      }
    }
    try await engine.send(.remediateCompliance(Self.alice, isSilent: true))
    try await engine.run()
    expectEqual(result.withLock { $0 }, .canceled)
  }

  @Test("A switch that waits for a check-in ends with the engine")
  func switchingAtEnd() async throws {
    let test = try await Self.engine()
    let (app, engine) = (test.app, test.engine)
    let gate = Gate()
    let arrived = Gate()
    app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("checkIn a1") else { return }
        arrived.open()
        await gate.stop()
      }
    }
    app.advance(7_200_000_000_000)
    app.answers.withLock { $0.lastingCheckIn = .failure(ServiceFailure(.timeout)) }
    try await engine.send(.requestCheckIn(Self.alice))
    let work = Task { try await engine.runWhenDue(alarm: TestAlarm()) }
    await arrived.stop()
    // Another task's run makes the check-in.
    let switched = Task { try await engine.policies.switchUIIdentity(to: Self.alice) }
    while !engine.withState({ $0.launch.accounts[.first]?.awaitsCheckIn == true }) { await Task.yield() }
    try await engine.end()
    #expect(try await switched.value != .success)
    try await work.value
  }

  @Test("Work is counted by the hour: a long day is no cycle")
  func counting() {
    var count = WorkCount()
    func isFine(_ seconds: Int64) -> Bool {
      count.add(at: Moment(wallNanoseconds: 0, uptimeNanoseconds: seconds * 1_000_000_000), limit: 3)
    }
    for day in 0..<30 {
      for hour in 0..<24 {
        for _ in 0..<3 { #expect(isFine(Int64(day * 24 + hour) * 3_600)) }
      }
    }
    #expect(!isFine(30 * 24 * 3_600 - 1), "too many in the last hour")
    #expect(isFine(30 * 24 * 3_600))
  }
}
