import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

@Suite("The outcome of a remediation is reported, even after a crash")
struct RemediationNoticeTests {
  static let alice = PolicyEngineTests.alice

  /// Lets the process die when an event of a type is durable, or about to be.
  final class Crash: EngineObserver {
    private let type: String
    private let isAfter: Bool

    init(_ type: String, isAfter: Bool) {
      (self.type, self.isAfter) = (type, isAfter)
    }

    func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption) {
      if !isAfter && events.contains(where: { $0.name == type }) { throw EngineInterruption() }
    }

    func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption) {
      if isAfter && result.events.contains(where: { $0.event.name == type }) { throw EngineInterruption() }
    }

    func willDeliver(_ callback: String) {}
  }

  /// An engine in which Alice is enrolled and asks for a remediation, and whose process dies at one point, if at any.
  static func remediated(_ observer: (any EngineObserver)? = nil) async throws -> TestEngine {
    let test = try TestEngine(observer: observer)
    test.app.answers.withLock {
      $0.enrollment = [.policy(PolicyDocument())]
      $0.remediation = RemediationOutcome(.notCompliant, message: "No policy.", title: "Not compliant")
    }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.registerAndEnroll(alice))
    try await test.engine.run()
    try await test.engine.send(.remediateCompliance(alice, isSilent: true))
    do throws(EngineError) {
      try await test.engine.run()
    } catch {
      guard case .interrupted = error else { throw error }
    }
    return test
  }

  static func told(_ test: TestEngine) -> [String] { test.app.log.filter { $0.hasPrefix("compliance") } }

  @Test("The delegate gets the status, the message and the title, once")
  func told() async throws {
    let test = try await Self.remediated()
    expectEqual(Self.told(test), ["compliance a1 notCompliant Not compliant: No policy."])
    try await test.relaunch()
    try await test.engine.run()
    expectEqual(Self.told(test).count, 1)
  }

  @Test("An outcome that was durable before a crash is reported after it")
  func crashBeforeTelling() async throws {
    let test = try await Self.remediated(Crash("remediation.finished", isAfter: true))
    expectEqual(Self.told(test), [])
    let pending = test.engine.state.pendingWork(at: test.app.now()).map(\.description)
    #expect(pending.contains("tellRemediation a1 notCompliant"))
    try await test.relaunch()
    expectEqual(Self.told(test), ["compliance a1 notCompliant Not compliant: No policy."])
    expectEqual(test.app.log.filter { $0.hasPrefix("remediate") }.count, 1, "the service is not asked again")
    try await test.relaunch()
    expectEqual(Self.told(test).count, 1)
  }

  @Test("A process that dies right after the call causes a second one, but no third")
  func crashAfterTelling() async throws {
    let test = try await Self.remediated(Crash("remediation.told", isAfter: false))
    expectEqual(Self.told(test).count, 1)
    try await test.relaunch()
    try await test.relaunch()
    expectEqual(Self.told(test).count, 2)
  }

  @Test("The delegate may request another remediation during the call")
  func askedAgain() async throws {
    let test = try TestEngine()
    test.app.answers.withLock {
      $0.enrollment = [.policy(PolicyDocument())]
      $0.remediation = RemediationOutcome(.interactionRequired)
    }
    let engine = test.engine
    test.app.hook.withLock { hook in
      hook = { [app = test.app] text in
        guard text.hasPrefix("compliance a1 interactionRequired") else { return }
        app.answers.withLock { $0.remediation = RemediationOutcome(.compliant) }
        do { try await engine.send(.remediateCompliance(Self.alice, isSilent: false)) } catch { Issue.record(error) }
      }
    }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await engine.launch(ProcessStart(), settings: settings)
    try await engine.send(.remediateCompliance(Self.alice, isSilent: true))
    try await engine.run()
    expectEqual(Self.told(test), ["compliance a1 interactionRequired : ", "compliance a1 compliant : "])
  }
}
