import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("The engine that an app embeds")
struct PolicyEngineTests {
  static let alice = AccountReference(userPrincipalName: "alice@contoso.com")
  static let bob = AccountReference(userPrincipalName: "bob@fabrikam.com")

  /// An engine with Alice enrolled and her policy in force.
  static func enrolled(delegates: Bool = true, tokens: TokenKeeper? = nil) async throws -> TestEngine {
    let test = try TestEngine(delegates: delegates, tokens: tokens)
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(alice))
    try await test.engine.run()
    try await test.relaunch()
    return test
  }

  @Test("S-01: an enrollment with policy is reported once, and one restart is requested")
  func enrollment() async throws {
    let test = try await Self.enrolled()
    expectEqual(
      test.app.log,
      [
        "enroll a1 alice@contoso.com 4", "enrollmentRequest a1 100", "policyDidChange a1", "restartApplication",
      ])
    expectEqual(test.engine.state.accounts[.first]?.enrollment.status, .enrolledWithPolicy)
    #expect(test.engine.withState { $0.saveTo(.box, account: nil, owner: nil).isAllowed })
  }

  @Test("A second launch is no new process: of it, only the settings count")
  func secondLaunch() async throws {
    let test = try TestEngine()
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try await test.engine.send(.setIdentity(.ui, .unmanaged))
    let (types, state) = (try test.types, test.engine.state)
    #expect(state.policies[.first]?.isEnforced == false && state.process.launch == 1)
    try await test.engine.launch(ProcessStart())
    try expectEqual(test.types, types)
    expectEqual(test.engine.state, state, "the policy still waits for a restart, and the window keeps its identity")
    var settings = AppSettings()
    settings.multiIdentity = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try expectEqual(test.types, types + ["settings.changed"])
    // Another process in between is one, and so is this one after it.
    try await test.engine.send(.startProcess(ProcessStart(), settings: nil))
    try await test.engine.launch(ProcessStart())
    expectEqual(test.engine.state.process.launch, 3)
  }

  @Test("The reason of a failure names the journal")
  func journalNamed() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    try test.engine.store.close()
    let error = await #expect(throws: EngineError.self) { try await test.engine.send(.setAllowedAccounts([])) }
    expectEqual(error?.description.hasPrefix("\(test.path): "), true, "\(String(describing: error))")
  }

  @Test("A request is made only after the event that announces it is durable, and its outcome names that event")
  func intentFirst() async throws {
    let test = try TestEngine()
    let engine = test.engine
    test.app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("enroll ") else { return }
        let last = try? engine.store.recordedEvents(after: engine.store.lastSequence - 1).first
        if last?.typeName != "enrollment.requested" { Issue.record("\(last?.typeName ?? "nothing") was last") }
      }
    }
    try await engine.launch(ProcessStart())
    try await engine.send(.registerAndEnroll(Self.alice))
    expectEqual(test.app.log, [])
    try await engine.run()
    let records = try engine.store.recordedEvents(after: 0)
    let request = try #require(records.first { $0.typeName == "enrollment.requested" })
    let answer = try #require(records.first { $0.typeName == "enrollment.succeeded" })
    expectEqual(answer.envelope.cause, request.sequence)
  }

  @Test("The engine's clock gives the offset of the local time, and a change is recorded at the next run")
  func utcOffset() async throws {
    let test = try TestEngine()
    let hour: Int64 = 3_600_000_000_000
    test.app.answers.withLock { $0.utcOffset = hour }
    try await test.engine.launch(ProcessStart())
    expectEqual(test.engine.state.process.utcOffset, hour)
    let launched = test.engine.store.lastSequence
    try await test.engine.run()
    expectEqual(test.engine.store.lastSequence, launched)
    test.app.answers.withLock { $0.utcOffset = 2 * hour }
    try await test.engine.run()
    try expectEqual(test.engine.store.recordedEvents(after: launched).map(\.typeName), ["clock.offsetChanged"])
    expectEqual(test.engine.state.process.utcOffset, 2 * hour)
  }

  @Test("A process that takes over repeats the same request")
  func takeOver() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.relaunch()
    expectEqual(test.app.log.first, "enroll a1 alice@contoso.com 4")
    expectEqual(test.engine.state.pendingWork(at: test.app.now()), [])
  }

  @Test(
    "A wipe asks the delegate, and removes the files itself if the delegate leaves them", arguments: [true, false])
  func wipe(removesEverything: Bool) async throws {
    let test = try await Self.enrolled()
    test.app.answers.withLock {
      $0.wipeData = removesEverything
      $0.checkIn = [.wipe()]
    }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    let files = removesEverything ? [] : ["removeFiles a1"]
    let told = Array(test.app.log.drop { !$0.hasPrefix("checkIn") }.dropFirst())
    expectEqual(
      told, ["policyRequest a1 102", "wipeData a1"] + files + ["unenrollRequest a1 104", "wipeDidComplete a1"])
    #expect(test.engine.state.policies[.first] == nil)
  }

  @Test("T3 S-07: an extension receives 223 for the account that it named, and nothing is written")
  func extensionCalls() async throws {
    let test = try await Self.enrolled()
    var process = ProcessStart()
    process.isExtension = true
    try await test.engine.launch(process)
    let types = try test.types
    let id = GUID("0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0")
    let calls: [(AppProtectionCommand, String, GUID?, String?)] = [
      (.registerAndEnroll(Self.alice), "enrollmentRequest a1 223", nil, Self.alice.userPrincipalName),
      (.loginAndEnroll(Self.bob), "enrollmentRequest none 223", nil, Self.bob.userPrincipalName),
      (.registerAndEnroll(AccountReference(objectID: id)), "enrollmentRequest none 223", id, nil),
      (.loginAndEnroll(nil), "enrollmentRequest none 223", nil, nil),
      (.deregisterAndUnenroll(Self.alice, wipe: true), "unenrollRequest a1 223", nil, Self.alice.userPrincipalName),
      (.deregisterAndUnenroll(Self.bob, wipe: true), "unenrollRequest none 223", nil, Self.bob.userPrincipalName),
    ]
    for (command, callback, id, name) in calls {
      await #expect(throws: EngineError.self) { try await test.engine.send(command) }
      try await test.engine.run()
      expectEqual(test.app.log.last, callback)
      let result = test.app.answers.withLock { $0.result }
      #expect(result?.identity == name && result?.accountID == id)
    }
    try expectEqual(test.types, types)
  }

  @Test("An outcome that arrives after its remediation was answered and requested again is dropped")
  func staleOutcome() async throws {
    let test = try await Self.enrolled()
    let engine = test.engine
    test.app.hook.withLock { hook in
      hook = { text in
        guard text.hasPrefix("remediate"), engine.state.compliance.accounts[.first]?.isSilent == true else { return }
        do {
          try await engine.send(.answerRemediation(Self.alice, .networkFailure))
          try await engine.send(.remediateCompliance(Self.alice, isSilent: false))
        } catch {
          Issue.record(error)
        }
      }
    }
    try await engine.send(.remediateCompliance(Self.alice, isSilent: true))
    try await engine.run()
    try expectEqual(test.types.filter { $0 == "remediation.finished" }.count, 2)
    expectEqual(test.app.log.filter { $0.hasPrefix("remediate") }.count, 2)
    #expect(engine.state.compliance.queue.isEmpty)
  }

  @Test("Files that cannot be removed are tried once per run, and again after half an hour")
  func stalled() async throws {
    let test = try await Self.enrolled()
    test.app.answers.withLock { $0.removal = FileRemoval(count: 1, failure: "busy") }
    try await test.engine.send(.requestWipe(Self.alice, .appRequest, .app))
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0 == "removeFiles a1" }.count, 1)
    test.app.answers.withLock { $0.removal = FileRemoval(count: 2) }
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0 == "removeFiles a1" }.count, 1)
    let due = try #require(test.engine.nextDue)
    expectEqual(due, test.app.now().wallNanoseconds + 30 * RetrySchedule.minute)
    test.app.advance(due - test.app.now().wallNanoseconds)
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0 == "removeFiles a1" }.count, 2)
    expectEqual(test.engine.state.wipes[.first]?.phase, .completed)
  }

  @Test("An unanswered question is asked once per process, and again by the next one")
  func openQuestion() async throws {
    let test = try await Self.enrolled()
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await test.engine.send(.registerAndEnroll(Self.bob))
    try await test.engine.run()
    try await test.engine.run()
    expectEqual(test.app.log.filter { $0 == "chooseAccount a2 a1" }.count, 1)
    test.app.answers.withLock { $0.choice = .keepExisting }
    try await test.relaunch()
    expectEqual(test.app.log.suffix(2), ["chooseAccount a2 a1", "enrollmentRequest a2 227"])
  }

  @Test("A delegate may send commands and run the engine: the current run does the work")
  func reentrancy() async throws {
    let test = try TestEngine()
    let engine = test.engine
    test.app.hook.withLock { hook in
      hook = { text in
        guard text == "enrollmentRequest a1 103" else { return }
        do {
          try await engine.send(.requestCheckIn(Self.alice))
          try await engine.run()
        } catch {
          Issue.record(error)
        }
      }
    }
    try await engine.launch(ProcessStart())
    try await engine.send(.registerAndEnroll(Self.alice))
    try await engine.run()
    expectEqual(
      test.app.log,
      [
        "enroll a1 alice@contoso.com 4", "enrollmentRequest a1 103", "checkIn a1 6", "policyRequest a1 101",
      ])
  }

  @Test("Commands from many threads are decided one by one, and callbacks follow the order of the events")
  func concurrency() async throws {
    let test = try TestEngine()
    let engine = test.engine
    try await engine.launch(ProcessStart())
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let account = AccountReference(userPrincipalName: "user\(number)@contoso.com")
          do {
            try await engine.send(.registerAndEnroll(account))
            try await engine.run()
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    try await engine.run()
    expectEqual(engine.state.pendingWork(at: test.app.now()), [])
    let told = test.app.log.filter { $0.hasPrefix("enrollmentRequest") }
    var expected: [String] = []
    for record in try engine.store.recordedEvents(after: 0) {
      if case .enrollmentSucceeded(let event)? = record.event {
        expected.append("enrollmentRequest \(event.account) 103")
      }
    }
    #expect(told == expected && told.count == 20)
  }

  @Test("A refused command writes nothing and throws; the enrollment delegate learns of a missing account")
  func refusals() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    let last = test.engine.store.lastSequence
    let error = await #expect(throws: EngineError.self) { try await test.engine.send(.registerAndEnroll(nil)) }
    expectEqual(error?.description, "no account was named (207): pass the object id or the user principal name")
    try await test.engine.run()
    expectEqual(test.app.log, ["enrollmentRequest none 207"])
    expectEqual(test.engine.store.lastSequence, last)
  }

  @Test("A refused switch of identity is an error with the rule, its explanation and the SDK's result; its event stays")
  func refusedSwitch() async throws {
    let test = try await Self.enrolled()
    try await test.engine.send(.setIdentity(.thread(IdentityScope.mainThread), .unmanaged))
    let before = test.engine.store.lastSequence
    let error = await #expect(throws: EngineError.self) {
      try await test.engine.send(.setIdentity(.ui, .account(Self.alice)))
    }
    guard case .refused(let refusal)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.rule == "identity.mainThread" && refusal.switchResult == .notAllowed && refusal.rejection == nil)
    expectEqual(
      refusal.explanation, "a1 cannot be set for ui: this requires that the main thread carries no other identity")
    try expectEqual(test.engine.store.recordedEvents(after: before).map(\.typeName), ["identity.switchRefused"])
    try await test.engine.send(.closeScope(.thread(IdentityScope.mainThread)))
    try await test.engine.send(.setIdentity(.ui, .account(Self.alice)))
    expectEqual(test.engine.state.identities.ui, .account(.first))
  }

  @Test("A switch that a launch condition refuses names the condition, and one that the user canceled says so")
  func refusedLaunch() async throws {
    let test = try TestEngine()
    var policy = PolicyDocument()
    policy.conditionalLaunch.deviceComplianceRequired = true
    test.app.answers.withLock { [policy] in $0.enrollment = [.policy(policy)] }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    func refusal(_ outcome: SwitchIdentityResult?) async throws -> CommandRefusal {
      let error = await #expect(throws: EngineError.self) {
        try await test.engine.send(.setIdentity(.ui, .account(Self.alice), outcome: outcome))
      }
      guard case .refused(let refusal)? = error else { throw TestEngine.Failure() }
      return refusal
    }
    let canceled = try await refusal(.canceled)
    #expect(canceled.rule == "launch.canceled" && canceled.switchResult == .canceled)
    var facts = DeviceFacts()
    facts.isJailbroken = true
    try await test.engine.send(.reportDevice(facts))
    let blocked = try await refusal(nil)
    #expect(blocked.rule == test.engine.launchDecision(for: .first).rule.id && blocked.switchResult == .canceled)
    expectEqual(blocked.explanation, "a1 cannot be set for ui: \(test.engine.launchDecision(for: .first).reason)")
  }

  @Test("Without delegates, questions have default answers, and an enrollment works")
  func noDelegates() async throws {
    let test = try await Self.enrolled(delegates: false)
    expectEqual(test.engine.state.policies[.first]?.isEnforced, true)
    test.app.answers.withLock { $0.checkIn = [.wipe()] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    expectEqual(test.app.log.last, "removeFiles a1")
    expectEqual(test.engine.state.wipes[.first]?.phase, .completed)
  }

  @Test("The engine says when its next work is due, and does it then")
  func dueWork() async throws {
    let test = try await Self.enrolled()
    let due = try #require(test.engine.nextDue)
    try await test.engine.run()
    #expect(!test.app.log.contains { $0.hasPrefix("checkIn") })
    test.app.advance(due - test.app.now().wallNanoseconds)
    try await test.engine.run()
    expectEqual(test.app.log.last, "policyRequest a1 101")
  }

  @Test("After its end the engine accepts no command, and its state can still be read")
  func end() async throws {
    let test = try await Self.enrolled()
    try await test.engine.end()
    #expect(!test.engine.state.process.isRunning)
    await #expect(throws: EngineError.self) { try await test.engine.send(.startProcess(ProcessStart())) }
  }

  @Test("Errors say what happened and what to do")
  func errors() async throws {
    expectEqual(EngineError.interrupted.description, "the engine was interrupted; reopen the journal to continue")
    let test = try await Self.enrolled()
    try await test.engine.send(.requestCheckIn(Self.alice))
    let work = try #require(test.engine.state.pendingWork(at: test.app.now()).first)
    expectEqual(
      EngineError.notSettling(work).description,
      "the engine does not settle: checkIn a1 keeps recurring; "
        + "check the answers of the service and the delegates")
  }
}
