import Expectations
import AppProtection
import EventSourcing
import Testing

@testable import AppProtectionKit

@Suite("Records of refused commands")
struct RefusalTests {
  static let alice = PolicyEngineTests.alice

  static func refused(_ test: TestEngine) throws -> [CommandRefused] {
    try test.engine.store.recordedEvents(after: 0).compactMap { record in
      if case .commandRefused(let refusal)? = record.event { refusal } else { nil }
    }
  }

  static func refuse(_ command: AppProtectionCommand, _ test: TestEngine) async throws {
    do throws(EngineError) {
      try await test.engine.send(command)
      Issue.record("\(command) was accepted")
    } catch {
      guard error.rejection != nil else { throw error }
    }
  }

  /// Asks for what is refused: an account is not named, and a configuration comes and is asked for too early.
  static func misuse(_ test: TestEngine) async throws {
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await refuse(.registerAndEnroll(nil), test)
    try await refuse(.loginAndEnroll(AccountReference()), test)
    try await refuse(.deliverConfiguration(alice, []), test)
    expectEqual(test.engine.appConfiguration(for: alice).fullData, [])
    expectEqual(test.engine.appConfiguration(for: nil).fullData, [])
    try await test.engine.send(.registerAndEnroll(alice))
    expectEqual(test.engine.appConfiguration(for: alice).fullData, [])
    try await test.engine.run()
  }

  @Test("On request, the engine records each refusal as one event with the call, the rule, the code and the account")
  func trace() async throws {
    let test = try TestEngine(recordsRefusals: true)
    try await Self.misuse(test)
    try expectEqual(
      Self.refused(test),
      [
        CommandRefused(command: "registerAndEnroll", rule: "T4", code: .nilAccount),
        CommandRefused(command: "loginAndEnroll", rule: "T4", code: .nilAccount),
        CommandRefused(command: "deliverConfiguration", rule: "account.known"),
        CommandRefused(command: "appConfiguration", rule: "account.known"),
        CommandRefused(command: "appConfiguration", rule: "T4"),
        CommandRefused(command: "appConfiguration", rule: "account.enrolled", account: .first),
      ])
    expectEqual(test.app.log.filter { $0 == "enrollmentRequest none 207" }.count, 2)
    let count = try test.types.count
    try await Self.refuse(.registerAndEnroll(nil), test)
    try expectEqual(test.types.count, count, "once a process")
    try await test.relaunch()
    try await Self.refuse(.registerAndEnroll(nil), test)
    try expectEqual(Self.refused(test).count, 7)
  }

  @Test("A configuration is answered without the disk, and a refusal that could not be written is recorded next time")
  func unwritten() async throws {
    let test = try TestEngine(recordsRefusals: true)
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try test.engine.store.close()
    expectEqual(test.engine.appConfiguration(for: Self.alice).fullData, [])
    await #expect(throws: EngineError.self) { try await test.engine.send(.registerAndEnroll(nil)) }
    expectEqual(test.engine.core.refusals.withLock { $0 }, [])
  }

  @Test("A call from an extension names its account, if the journal knows it")
  func extensionCall() async throws {
    let test = try TestEngine(recordsRefusals: true)
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try test.replaceEngine()
    var process = ProcessStart()
    process.isExtension = true
    try await test.engine.launch(process)
    let stranger = AccountReference(userPrincipalName: "stranger@contoso.com")
    for account in [Self.alice, stranger] { try await Self.refuse(.registerAndEnroll(account), test) }
    try expectEqual(
      Self.refused(test),
      [
        CommandRefused(command: "registerAndEnroll", rule: "T3", code: .unsupportedAPI, account: .first),
        CommandRefused(command: "registerAndEnroll", rule: "T3", code: .unsupportedAPI),
      ])
  }

  @Test("Otherwise nothing is written for a refusal")
  func silence() async throws {
    let test = try TestEngine()
    try await Self.misuse(test)
    try expectEqual(Self.refused(test), [])
  }

  @Test("A process records no more refusals than its limit")
  func bound() async throws {
    let test = try TestEngine(recordsRefusals: true)
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    for index in 0..<(EngineCore.maximumRefusalsPerProcess + 20) {
      let account = AccountReference(userPrincipalName: "u\(index)@contoso.com")
      try await test.engine.send(.registerAndEnroll(account))
      try await Self.refuse(.registerAndEnroll(account), test)
    }
    try expectEqual(Self.refused(test).count, EngineCore.maximumRefusalsPerProcess)
  }

  @Test("An answer that arrives too late is not a mistake in the app")
  func lateAnswers() async throws {
    let test = try TestEngine(recordsRefusals: true)
    test.app.hook.withLock { [engine = test.engine] hook in
      hook = { text in
        guard text.hasPrefix("enroll a1") else { return }
        do { try await engine.send(.answerEnrollment(Self.alice, .noPolicy)) } catch { Issue.record(error) }
      }
    }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try expectEqual(Self.refused(test), [])
  }

  @Test("A wipe that an evaluation orders names it as its cause, and both belong to one story")
  func cause() async throws {
    let test = try TestEngine()
    var policy = PolicyDocument()
    policy.conditionalLaunch.deviceComplianceRequired = true
    policy.conditionalLaunch.appActionIfDeviceComplianceRequired = .wipe
    test.app.answers.withLock { [policy] in $0.enrollment = [.policy(policy)] }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    var facts = DeviceFacts()
    facts.isJailbroken = true
    try await test.engine.send(.reportDevice(facts))
    try await test.engine.send(.evaluateLaunch(Self.alice, .launch))
    try await test.engine.run()
    let records = try test.engine.store.recordedEvents(after: 0)
    let evaluation = try #require(records.first { $0.typeName == "launch.evaluated" })
    let wipe = try #require(records.first { $0.typeName == "wipe.requested" })
    #expect(wipe.envelope.cause == evaluation.sequence && evaluation.envelope.cause == 0)
    let completed = try #require(records.first { $0.typeName == "wipe.completed" })
    expectEqual(completed.envelope.cause, wipe.sequence)
    expectEqual(wipe.envelope.correlation, evaluation.sequence)
  }
}
