import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("A service hears that a wipe is recorded, and only then")
struct OrderedWipeTests {
  private static let alice = PolicyEngineTests.alice

  @Test("After the record, before the wipe's end, and once")
  func order() async throws {
    let test = try await PolicyEngineTests.enrolled()
    test.app.answers.withLock { $0.checkIn = [.wipe()] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    let request = try #require(test.app.answers.withLock { $0.acknowledged }.first)
    #expect(request.account == .first && request.intent == test.engine.state.wipes[.first]?.requestedBy)
    expectEqual(request.userPrincipalName, "alice@contoso.com")
    for _ in 1...2 {
      try await test.relaunch()
      try await test.engine.run()
    }
    expectEqual(test.app.answers.withLock { $0.acknowledged.count }, 1)
  }

  @Test(
    "A process that dies around the record loses neither the wipe nor its acknowledgement",
    arguments: [true, false], [true, false])
  func crash(isAfter: Bool, atEnrollment: Bool) async throws {
    let crash = RemediationNoticeTests.Crash("wipe.requested", isAfter: isAfter)
    let test = try TestEngine(observer: crash)
    test.app.answers.withLock {
      $0.lastingEnrollment = atEnrollment ? .wipe() : .policy(PolicyDocument())
      $0.lastingCheckIn = .wipe()
    }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    await #expect(throws: EngineError.self) {
      try await test.engine.send(.registerAndEnroll(Self.alice))
      try await test.engine.run()
      try await test.engine.send(.requestCheckIn(Self.alice))
      try await test.engine.run()
    }
    expectEqual(test.app.answers.withLock { $0.acknowledged }, [], "nothing was told to the service yet")
    try await test.relaunch()
    expectEqual(test.engine.state.wipes[.first]?.phase, .completed)
    expectEqual(test.app.answers.withLock { $0.acknowledged.map(\.account) }, [.first])
  }

  @Test("A service that does not hear it is told again at launch and before the next enrollment, and then no more")
  func deaf() async throws {
    let test = try await PolicyEngineTests.enrolled()
    test.app.answers.withLock {
      $0.checkIn = [.wipe()]
      $0.hearsAcknowledgement = false
    }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    expectEqual(test.engine.state.wipes[.first]?.phase, .completed, "the wipe does not wait")
    try await test.relaunch()
    test.app.answers.withLock { $0.hearsAcknowledgement = true }
    test.app.hook.withLock { hook in
      hook = { [app = test.app] text in
        guard text.hasPrefix("enroll ") else { return }
        expectEqual(app.answers.withLock { $0.acknowledged.count }, 1, "an order that comes now is a new one")
      }
    }
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try await test.relaunch()
    expectEqual(test.app.answers.withLock { $0.acknowledged.count }, 1)
  }

  @Test("Keys are brought in line with the journal before each enrollment, and at each launch of a registered account")
  func keys() async throws {
    let test = try TestEngine()
    test.app.hook.withLock { hook in
      hook = { [app = test.app] text in
        guard text.hasPrefix("enroll ") else { return }
        expectEqual(app.answers.withLock { $0.aligned }, ["a1 true"], "before the service is asked")
      }
    }
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try await test.relaunch()
    expectEqual(test.app.answers.withLock { $0.aligned }, ["a1 true", "a1 false"])
  }

  @Test("A wipe that the app orders is none of the service's")
  func own() async throws {
    let test = try await PolicyEngineTests.enrolled()
    try await test.engine.send(.requestWipe(Self.alice, .appRequest, .app))
    try await test.engine.run()
    try await test.relaunch()
    expectEqual(test.app.answers.withLock { $0.acknowledged }, [])
  }
}
