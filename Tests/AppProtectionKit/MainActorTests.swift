import Expectations
import AppProtection
import AppProtectionKit
import Dispatch
import EventSourcing
import Observation
import Synchronization
import Testing

/// Delegates as an app's interface has them.
@MainActor
private final class Screen: EnrollmentDelegate, PolicyDelegate, ComplianceDelegate, PresentationDelegate {
  var told: [String] = [] {
    didSet { MainActor.preconditionIsolated() }
  }
  nonisolated let wasMainActorFree = Mutex<Bool?>(nil)

  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) {
    told.append("enrolled \(code.rawValue)")
  }
  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) {}
  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}

  nonisolated func wipeData(account: AccountNumber) async -> Bool {
    let isFree = Self.isMainActorFree(within: .seconds(600))
    wasMainActorFree.withLock { $0 = isFree }
    return true
  }
  func restartApplication() -> Bool { false }
  func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) async -> SwitchIdentityResult { .success }
  func addAccount(account: AccountNumber) -> AddIdentityResult { .success }
  func configurationDidChange(account: AccountNumber?) {}
  func policyDidChange(account: AccountNumber) { told.append("policy") }
  func dataProtectionDidChange(account: AccountNumber) {}
  func wipeDidComplete(account: AccountNumber) { told.append("wiped") }
  func allowedAccountsDidChange() {}
  func userStatusDidChange(account: AccountNumber) {}

  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) {}

  func restartNeeded(reason: RestartReason) async -> RestartChoice {
    told.append("restart")
    return .acknowledged
  }
  func restartOverdue(reason: RestartReason) {}
  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) -> AccountChoice? { nil }
  func accountConflict(_ account: AccountNumber, existing: AccountNumber) {}
  func askLogin() async -> LoginReply? { nil }
  func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) {}

  /// Blocks the thread, as a wipe of many files does, until the main actor has run a task. Which thread that is says nothing:
  /// outside of Apple's platforms the main actor need not run on the main thread.
  nonisolated static func isMainActorFree(within time: DispatchTimeInterval) -> Bool {
    let isFree = DispatchSemaphore(value: 0)
    Task { @MainActor in isFree.signal() }
    return isFree.wait(timeout: .now() + time) == .success
  }
}

/// A service that is an actor.
private actor Service: PolicyService {
  func enroll(_ request: ServiceRequest) -> ServiceAnswer { .policy(PolicyDocument()) }
  func checkIn(_ request: ServiceRequest) -> ServiceAnswer { .wipe() }
  func unenroll(_ request: ServiceRequest) -> ServiceFailure? { nil }
  func remediate(_ request: ServiceRequest, isSilent: Bool) -> RemediationOutcome { RemediationOutcome(.compliant) }
}

@Suite("An app whose delegates live on the main actor")
@MainActor
struct MainActorTests {
  @Test("Its delegates are told there, except about a wipe, and its service may be an actor")
  func delegates() async throws {
    let test = try TestEngine()
    let screen = Screen()
    let engine = PolicyEngine(
      store: test.engine.store, clock: test.app, service: Service(), files: test.app,
      delegates: .init(enrollment: screen, policy: screen, compliance: screen, presentation: screen))
    try await engine.launch(ProcessStart())
    try await engine.send(.registerAndEnroll(PolicyEngineTests.alice))
    try await engine.run()
    expectEqual(screen.told, ["enrolled 100", "policy", "restart"])
    try await engine.send(.requestCheckIn(PolicyEngineTests.alice))
    try await engine.run()
    expectEqual(screen.told.last, "wiped")
    expectEqual(
      screen.wasMainActorFree.withLock { $0 }, true, "a wipe that blocks its thread must not block the main actor")
    #expect(!Screen.isMainActorFree(within: .milliseconds(50)), "this test blocks it, and so would notice")
  }

  @Test("The model shows accounts, policies, launch conditions and questions, and is updated after each event")
  func model() async throws {
    let test = try TestEngine(delegates: false)
    var policy = PolicyDocument()
    policy.access.pinRequired = true
    test.app.answers.withLock { [policy] in $0.enrollment = [.policy(policy)] }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    let model = PolicyModel(test.engine)
    #expect(model.accounts == [] && model.questions == [])
    let updates = Task { await model.follow() }
    try await Self.change(of: model) { try await test.engine.send(.registerAndEnroll(PolicyEngineTests.alice)) }
    expectEqual(model.accounts.map(\.status), [.enrolling])
    try await Self.change(of: model) { try await test.engine.run() }
    let account = try #require(model.accounts.first)
    #expect(account.reference == PolicyEngineTests.alice && account.lastCode == .newPoliciesReceived)
    #expect(account.status == .enrolledWithPolicy && account.policy?.access.pinRequired == true)
    #expect(account.launch.rule == test.engine.launchDecision(for: .first).rule && !account.launch.outcome.isPassing)
    try await Self.change(of: model) { try await test.engine.send(.loginAndEnroll(nil)) }
    expectEqual(model.questions, [.signIn])
    updates.cancel()
    await updates.value
  }

  @Test("An event that changes nothing on the screen calls no observer of the model")
  func unchanged() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let model = PolicyModel(test.engine)
    let isCalled = Mutex(false)
    withObservationTracking {
      _ = (model.accounts, model.questions, model.identityOnScreen)
    } onChange: {
      isCalled.withLock { $0 = true }
    }
    expectEqual(model.identityOnScreen, .account(.first))
    try await test.engine.send(.setDeviceConfiguration([ConfigurationValue("k", "v")]))
    model.update()
    expectEqual(isCalled.withLock { $0 }, false)
    try await test.engine.send(.setIdentity(.ui, .unmanaged))
    model.update()
    #expect(isCalled.withLock { $0 } && model.identityOnScreen == .unmanaged)
  }

  /// Does something, and returns when the model has changed.
  private static func change(of model: PolicyModel, _ body: () async throws -> Void) async throws {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = (model.accounts, model.questions)
    } onChange: {
      continuation.yield()
    }
    try await body()
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
  }
}
