import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("Questions and notifications about accounts")
struct AccountCallbackTests {
  static let alice = PolicyEngineTests.alice

  /// An engine that enrolled Alice at launch without being asked.
  static func automatic(delegates: Bool = true, _ result: AddIdentityResult = .success) async throws -> TestEngine {
    let test = try TestEngine(delegates: delegates)
    test.app.answers.withLock { answers in
      answers.enrollment = [.policy(PolicyDocument())]
      answers.addition = result
    }
    var settings = AppSettings()
    settings.autoEnrollOnLaunch = true
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.setDeviceAccount(alice))
    try await test.relaunch()
    return test
  }

  @Test("T17: the delegate is asked to add an account enrolled without its involvement, and its answer is kept")
  func addition() async throws {
    let added = try await Self.automatic()
    expectEqual(added.app.log.filter { $0 == "addAccount a1" }.count, 1)
    expectEqual(added.engine.state.accounts[.first]?.isSignedIn, true)
    for test in [try await Self.automatic(.failed), try await Self.automatic(delegates: false)] {
      expectEqual(test.engine.state.accounts[.first]?.isSignedIn, false)
      #expect(try test.types.contains("account.additionAnswered"))
    }
  }

  @Test("S-45: an answer of the wrong enumeration is interpreted by its number, and the event says so")
  func wrongEnumeration() async throws {
    let test = try await PolicyEngineTests.enrolled()
    for (reply, result, isWrong) in [
      (SwitchReply.addIdentity(.failed), SwitchIdentityResult.canceled, true),
      (.result(.notAllowed), .notAllowed, false),
      (.addIdentity(.success), .success, true),
    ] {
      test.app.answers.withLock { $0.switchReply = reply }
      try await test.engine.send(.requestIdentitySwitch(.ui, .account(Self.alice), .openURL))
      try await test.engine.run()
      let answer = try test.engine.store.recordedEvents(after: 0).compactMap { record in
        if case .identitySwitchAnswered(let answer)? = record.event { answer } else { nil }
      }.last
      #expect(answer?.result == result && answer?.isAddIdentityResult == isWrong)
    }
    expectEqual(test.engine.state.identities.ui, .account(.first))
  }

  @Test("T13: a namesake and a changed configuration are reported")
  func news() async throws {
    let test = try await PolicyEngineTests.enrolled()
    try await test.engine.send(
      .identifyAccount(
        AccountReference(
          objectID: GUID(bytes: [UInt8](repeating: 1, count: 16)),
          userPrincipalName: Self.alice.userPrincipalName)))
    try await test.engine.send(.deliverConfiguration(Self.alice, [ConfigurationEntry([ConfigurationValue("k", "v")])]))
    try await test.engine.send(.setDeviceConfiguration([ConfigurationValue("k", "v")]))
    try await test.engine.send(
      .registerAndEnroll(
        AccountReference(
          objectID: GUID(bytes: [UInt8](repeating: 2, count: 16)),
          userPrincipalName: "ALICE@contoso.com")))
    try await test.engine.run()
    expectEqual(
      test.app.log.suffix(4),
      [
        "configurationDidChange a1", "configurationDidChange ", "accountConflict a2 a1", "enrollmentRequest a2 227",
      ])
  }

  @Test("A change of encryption reaches the delegate")
  func encryption() async throws {
    let test = try await PolicyEngineTests.enrolled()
    var policy = PolicyDocument()
    policy.encryption.appDataEncryptionType = .whenDeviceLocked
    test.app.answers.withLock { $0.checkIn = [.policy(policy)] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    expectEqual(test.app.log.suffix(3), ["policyRequest a1 100", "policyDidChange a1", "dataProtectionDidChange a1"])
  }

  @Test("S-93: the app reads a configured value that no output may show, and the journal holds it only as a secret")
  func secretConfiguration() async throws {
    let test = try TestEngine(scrubbing: ["hunter2"])
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try await test.engine.send(
      .deliverConfiguration(Self.alice, [ConfigurationEntry([ConfigurationValue("password", "hunter2")])]))
    try await test.relaunch()
    expectEqual(test.engine.appConfiguration(for: Self.alice).string("password"), "hunter2")
    let value = try #require(test.engine.state.configuration.accounts[.first]?.entries.first?["password"])
    #expect(value.isSecret)
  }

  @Test("S-93: values that an app wants kept out of logs never reach the journal")
  func scrubbing() async throws {
    let test = try TestEngine(scrubbing: ["secret"])
    test.app.answers.withLock { $0.enrollment = [.failure(ServiceFailure(.internalError, error: "the secret is out"))] }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    expectEqual(test.engine.state.accounts[.first]?.enrollment.lastError, "the [scrubbed] is out")
    for record in try test.engine.store.recordedEvents(after: 0) {
      #expect(!String(decoding: record.envelope.body, as: UTF8.self).contains("secret"))
    }
  }
}
