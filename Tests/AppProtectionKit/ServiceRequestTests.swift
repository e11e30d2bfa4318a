import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("A request to the service says what the account has")
struct ServiceRequestTests {
  private static let alice = PolicyEngineTests.alice

  private static func policy(_ version: String) -> PolicyDocument {
    var policy = PolicyDocument()
    (policy.about.id, policy.about.version) = ("T_1", "\"\(version)\"")
    return policy
  }

  @Test("The policy with its id, version and time, and the last answer, are those of the journal")
  func content() async throws {
    let test = try TestEngine()
    test.app.answers.withLock {
      $0.lastingEnrollment = .policy(Self.policy("1"))
      $0.checkIn = [.failure(ServiceFailure(.timeout)), .unchanged]
    }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    settings.assumptions.remediationWithoutToken = .networkFailure
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    let enrolled = test.app.now().wallNanoseconds
    for _ in 1...3 {
      test.app.advance(1_000_000_000)
      try await test.engine.send(.requestCheckIn(Self.alice))
      try await test.engine.run()
    }
    try await test.engine.send(.deregisterAndUnenroll(Self.alice, wipe: false))
    try await test.engine.run()
    let requests = test.app.answers.withLock { $0.requests }
    expectEqual(requests.map { $0.lastAnswer?.rawValue }, [nil, 100, 216, 101, 101])
    #expect(requests.allSatisfy { $0.assumptions == settings.assumptions } && settings.assumptions != Assumptions())
    // An account that leaves has no policy any more.
    expectEqual(requests.map { $0.policy?.id }, [nil, "T_1", "T_1", "T_1", nil])
    #expect(requests[1...3].allSatisfy { $0.policy?.version == "\"1\"" })
    expectEqual(requests.map { $0.policy?.confirmed.map { ($0 - enrolled) / 1_000_000_000 } }, [nil, 0, 0, 2, nil])
  }

  @Test("A policy that was answered and lost with the process is delivered to the next one, and then confirmed")
  func lostAnswer() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let former = test.engine.state.policies[.first]?.document
    test.app.answers.withLock { $0.delivered = Self.policy("2") }
    try test.replaceEngine(observer: RemediationNoticeTests.Crash("policy.received", isAfter: false))
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.requestCheckIn(Self.alice))
    await #expect(throws: EngineError.self) { try await test.engine.run() }
    expectEqual(test.engine.state.policies[.first]?.document, former)
    try await test.relaunch()
    expectEqual(test.engine.state.policies[.first]?.document, Self.policy("2"))
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    try expectEqual(test.types.suffix(2), ["checkIn.requested", "checkIn.unchanged"])
    let requests = test.app.answers.withLock { $0.requests.suffix(3) }
    expectEqual(requests.map { $0.policy?.document }, [former, former, Self.policy("2")])
    expectEqual(Set(requests.map(\.intent)).count, 2, "the second is the first again")
  }
}
