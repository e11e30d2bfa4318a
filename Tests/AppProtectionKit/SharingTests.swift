import Expectations
import AppProtection
import AppProtectionInsight
import AppProtectionKit
import EventSourcing
import Forensics
import Journal
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("An app and its extensions in one container")
struct SharingTests {
  /// An app's engine on the journal of a managed folder, sealed, with Alice enrolled.
  private struct Shared {
    let folder = try? ManagedFolder()
    let app = TestApp()
    let path: String

    init() throws {
      path = try #require(folder).path
      try #require(folder).store.close()
    }

    var journal: String { path + "/journal" }
    var spool: String { path + "/spool" }

    func drain(_ store: EventStore<AppProtectionMachine>) -> SpoolDrain<AppProtectionMachine> {
      SpoolDrain(at: spool, of: store.journal.id, sealing: folder?.keys.sealing)
    }

    func engine(_ store: EventStore<AppProtectionMachine>) -> PolicyEngine {
      PolicyEngine(
        store: store, clock: app, service: app, files: app,
        delegates: .init(enrollment: app, policy: app, compliance: app, presentation: app), spool: drain(store))
    }

    func launch() async throws -> PolicyEngine {
      var options = StoreOptions()
      options.sealing = folder?.keys.sealing
      let engine = engine(try EventStore.open(at: journal, options: options))
      try await engine.launch(ProcessStart())
      return engine
    }

    func follower(_ name: String = "share") throws -> PolicyFollower {
      try PolicyFollower(at: journal, spool: spool, name: name, keys: folder?.keys, clock: app)
    }
  }

  private static let alice = ManagedFolder.alice

  @Test("An extension decides by what the app wrote, hands a command over, and learns how it ended")
  func handover() async throws {
    let shared = try Shared()
    let engine = try await shared.launch()
    let follower = try shared.follower()
    expectEqual(follower.state, engine.state)
    let decision = follower.policy(for: Self.alice).isSaveToAllowed(to: .box, account: nil)
    expectEqual(
      decision.isAllowed, engine.policies.policy(for: Self.alice).isSaveToAllowed(to: .box, account: nil).isAllowed)
    let account = try #require(follower.state.account(for: Self.alice)?.account)
    expectEqual(follower.launchDecision(for: account), engine.launchDecision(for: account))

    let ticket = try follower.submit(.requestCheckIn(Self.alice))
    let refused = try follower.submit(.identifyAccount(AccountReference(userPrincipalName: "nobody@contoso.com")))
    #expect(try follower.outcome(of: ticket) == nil)
    try await engine.run()
    guard case .carriedOut(let events?)? = try follower.outcome(of: ticket) else {
      Issue.record("the command was not carried out")
      return
    }
    guard case .refused(let rule, let explanation)? = try follower.outcome(of: refused) else {
      Issue.record("the command was not refused")
      return
    }
    #expect(rule == "account.known" && explanation.hasPrefix("the journal knows no such account"))
    #expect(shared.app.log.contains { $0.hasPrefix("checkIn") })
    let record = try #require(
      try engine.store.recordedEvents(after: events.lowerBound - 1, limit: 1).first)
    expectEqual(record.envelope.attributes?.metadata, [MetadataEntry("process", "share")])
    #expect(try follower.update())
    expectEqual(follower.state, engine.state)
    try await engine.end()
  }

  @Test("What describes the extension itself, or only the app may do, is not handed over")
  func ownCommands() async throws {
    let shared = try Shared()
    let follower = try shared.follower()
    for command: AppProtectionCommand in [
      .registerAndEnroll(Self.alice), .startProcess(ProcessStart()), .endProcess, .startDueWork,
      .setIdentity(.process, .unmanaged), .answerEnrollment(Self.alice, .gone), .noteUTCOffset(0),
    ] {
      let error = #expect(throws: EngineError.self) { try follower.submit(command) }
      expectEqual(error?.rejection, .calledFromExtension, "\(command)")
    }
  }

  @Test("While it is suspended an extension writes in its place, and the app goes on after it")
  func takeover() async throws {
    let shared = try Shared()
    let engine = try await shared.launch()
    let follower = try shared.follower()
    #expect(try follower.takeOver() == nil)
    _ = try await engine.policies.setProcessIdentity(.unmanaged)
    try await engine.suspend()
    let error = await #expect(throws: EngineError.self) { try await engine.send(.requestCheckIn(Self.alice)) }
    expectEqual(error?.isSuspended, true)
    try follower.submit(.requestCheckIn(Self.alice))

    let store = try #require(try follower.takeOver())
    let other = shared.engine(store)
    var process = ProcessStart()
    process.isExtension = true
    try await other.launch(process)
    let locked = await #expect(throws: EngineError.self) { try await engine.resume(ProcessStart()) }
    #expect("\(try #require(locked))".contains("this process has the journal open"))
    try await other.end()

    let report = try await engine.resume(ProcessStart())
    #expect(report.after > report.before)
    #expect(engine.state.process.isRunning && !engine.state.process.isExtension)
    // As after a launch: an app that manages one account acts for that.
    expectEqual(engine.policies.processIdentity, .account(.first))
    try await engine.send(.requestCheckIn(Self.alice))
    // Nobody wrote meanwhile: the process goes on.
    try await engine.suspend()
    let started = engine.state.process.startedBy
    try await expectEqual(engine.resume(ProcessStart()).readEvents, 0)
    expectEqual(engine.state.process.startedBy, started)
    try await engine.end()
    #expect(try History<AppProtectionMachine>(at: shared.journal).check().isSound)
  }

  @Test("The app is told once what an extension did in its place, whatever the extension's delegates were told")
  func toldAfterTakeover() async throws {
    let shared = try Shared()
    let engine = try await shared.launch()
    var changes = engine.changes().makeAsyncIterator()
    try await engine.suspend()
    let other = shared.engine(try #require(try shared.follower().takeOver()))
    var process = ProcessStart()
    process.isExtension = true
    try await other.launch(process)
    shared.app.answers.withLock { $0.checkIn = [.policy(PolicyDocument())] }
    try await other.send(.requestCheckIn(Self.alice))
    try await other.run()
    try await other.end()
    let news = shared.app.log.filter { $0.hasPrefix("policyRequest") }
    expectEqual(news.count, 1)
    for _ in 1...2 {
      try await engine.resume(ProcessStart())
      expectEqual(shared.app.log.filter { $0.hasPrefix("policyRequest") }, news + news)
      try await engine.suspend()
    }
    while let change = try await changes.next() {
      if case .checkInDidEnd(.first, _) = change { break }
    }
    try await engine.resume(ProcessStart())
    try await engine.end()
    // Nor does the next process tell it.
    try await shared.launch().end()
    expectEqual(shared.app.log.filter { $0.hasPrefix("policyRequest") }, news + news)
  }

  @Test("A command that arrives wakes the engine that runs when work is due, and a suspended one waits")
  func waking() async throws {
    let shared = try Shared()
    let engine = try await shared.launch()
    let follower = try shared.follower()
    let work = Task { try await engine.runWhenDue() }
    let first = try follower.submit(.requestCheckIn(Self.alice))
    guard case .carriedOut? = try await follower.waitForOutcome(of: first) else {
      Issue.record("the first command was not carried out")
      return
    }
    try await engine.suspend()
    let second = try follower.submit(.requestCheckIn(Self.alice))
    #expect(try follower.outcome(of: second) == nil)
    try await engine.resume(ProcessStart())
    guard case .carriedOut? = try await follower.waitForOutcome(of: second) else {
      Issue.record("the second command was not carried out")
      return
    }
    work.cancel()
    try await work.value
    try await engine.end()
  }

  @Test("A wipe that an extension hands over is not blamed on the app itself", arguments: [true, false])
  func diagnosedHandover(isHandedOver: Bool) async throws {
    let shared = try Shared()
    let engine = try await shared.launch()
    let command = AppProtectionCommand.requestWipe(Self.alice, .appRequest, .app)
    if isHandedOver { try shared.follower().submit(command) } else { try await engine.send(command) }
    try await engine.run()
    // What comes after it is the app's own again.
    try await engine.send(.registerAndEnroll(ManagedFolder.eve))
    try await engine.end()
    let diagnosis = try HistoryDiagnosis(of: History<AppProtectionMachine>(at: shared.journal))
    let wipe = try #require(diagnosis.findings.map(\.diagnosis).first { $0.family == .unexpectedWipe })
    #expect(wipe.sentence.contains(isHandedOver ? "another process of the app" : "the app itself"))
    expectEqual(wipe.next.contains("process \(getpid())"), isHandedOver)
  }

  @Test("No byte of an erased person is left in the spool, and her commands are not carried out")
  func erased() async throws {
    let shared = try Shared()
    let folder = try #require(shared.folder)
    let engine = try await shared.launch()
    let follower = try shared.follower()
    let account = try #require(engine.state.account(for: Self.alice)?.account)
    try follower.submit(.denyToken(Self.alice))
    try await engine.run()
    let ticket = try follower.submit(.identifyAccount(Self.alice))
    try folder.keys.erase(account)
    // What a command without keys would hold, so that finding nothing means something.
    let plain = folder.path("plain")
    mkdir(plain, 0o700)
    folder.write("alice@contoso.com 0f1e2d3c \u{0F}\u{1E}-<KZFx", to: "plain/command")
    for pattern in ["-i 'alice@contoso.com'", "-i '0f1e2d3c'", "-P '\(FoundBytes.objectID)'"] {
      #expect(FoundBytes.contain(pattern, below: plain), "\(pattern)")
      #expect(!FoundBytes.contain(pattern, below: "\(shared.path)/spool"), "\(pattern)")
    }
    let before = engine.store.lastSequence
    try await engine.run()
    try expectEqual(follower.outcome(of: ticket), .erased)
    expectEqual(engine.store.lastSequence, before)
    try await engine.end()
  }
}
