import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

@Suite("An answer that comes late does not answer a newer question")
struct StaleAnswerTests {
  static let alice = PolicyEngineTests.alice
  static let bob = PolicyEngineTests.bob

  /// Does something to the engine while the app is asked, the first time that a note begins with a text.
  private static func whileAsked(
    _ test: TestEngine, _ prefix: String, _ body: @escaping @Sendable (PolicyEngine) async throws -> Void
  ) {
    let isDone = Mutex(false)
    test.app.hook.withLock { hook in
      hook = { [engine = test.engine] text in
        guard text.hasPrefix(prefix),
          !isDone.withLock({ done in
            defer { done = true }; return done
          })
        else { return }
        do { try await body(engine) } catch { Issue.record(error) }
      }
    }
  }

  @Test("A consent to one identity is none to another that the window was asked to take meanwhile")
  func identitySwitch() async throws {
    let test = try await PolicyManagerTests.enrolled()
    test.app.answers.withLock { $0.switchReply = .result(.success) }
    Self.whileAsked(test, "identitySwitchReply a1") { engine in
      try await engine.send(.requestIdentitySwitch(.ui, .unmanaged, .openURL))
    }
    try await test.engine.send(.requestIdentitySwitch(.ui, .account(Self.alice), .openURL))
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0.hasPrefix("identitySwitchReply") }.count, 2, "the second question is asked")
    try expectEqual(test.types.filter { $0 == "identity.switchAnswered" }.count, 1)
    expectEqual(test.engine.state.identities.ui, .unmanaged)
  }

  @Test("A sign-in that was canceled elsewhere and asked for again is not answered by the first dialog")
  func login() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    test.app.answers.withLock { $0.login = .account(Self.alice) }
    Self.whileAsked(test, "askLogin") { [app = test.app] engine in
      try await engine.send(.answerLogin(nil))
      try await engine.send(.loginAndEnroll(nil))
      app.answers.withLock { $0.login = .account(Self.alice) }
    }
    try await test.engine.send(.loginAndEnroll(nil))
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0 == "askLogin" }.count, 2)
    let answers = try test.engine.store.recordedEvents(after: 0).filter { $0.typeName == "login.answered" }
    #expect(answers.count == 2 && test.engine.state.accounts[.first]?.enrollment.status == .enrolledWithoutPolicy)
  }

  @Test("A postponed restart whose account left is not the one that another account needs")
  func restart() async throws {
    let test = try TestEngine()
    var settings = AppSettings()
    settings.maximumManagedAccounts = 2
    settings.multiIdentity = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    test.app.answers.withLock {
      $0.lastingEnrollment = .policy(PolicyDocument())
      $0.restartWish = .postponed(minutes: 60)
    }
    Self.whileAsked(test, "restartApplication") { [app = test.app] engine in
      let first = engine.state.process.restart?.requestedBy
      try await engine.send(.deregisterAndUnenroll(Self.alice, wipe: false))
      #expect(engine.state.process.restart == nil)
      try await engine.send(.registerAndEnroll(Self.bob))
      let request = try #require(engine.state.accounts.records.last?.enrollment.enrollmentRequest)
      try await engine.send(.answerEnrollment(Self.bob, .policy(PolicyDocument()), intent: request))
      #expect(engine.state.process.restart != nil && engine.state.process.restart?.requestedBy != first)
      app.answers.withLock { $0.restartWish = .acknowledged }
    }
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0 == "restartApplication" }.count, 2)
    expectEqual(test.engine.state.process.restart?.answer, .dialogShown)
  }
}
