import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

/// Processes that die at every point at which one can: before and after each event, each call of the app or the service, and
/// each record of what the app was told.
@Suite("Each notification comes once for its cause, even if the process dies")
struct CrashedCallbackTests {
  private static let alice = PolicyEngineTests.alice
  private static let bob = PolicyEngineTests.bob

  struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    var settings = AppSettings()
    var answers: @Sendable (inout TestApp.Answers) -> Void = { _ in }
    let commands: [AppProtectionCommand]
  }

  /// Where a process can die.
  private enum Point { case beforeEvents, afterEvents, beforeCall, afterCall, beforeRecord, afterRecord }

  /// Counts the points that a process passes, and ends it at one of them.
  private final class Life: EngineObserver, DeliveryLog {
    private struct State {
      var passed = 0
      var diedAt: Point?
    }

    private let state = Mutex(State())
    private let end: Int?
    private let app: TestApp
    private let log: any DeliveryLog

    init(_ app: TestApp, _ log: any DeliveryLog, dyingAt end: Int?) {
      (self.app, self.log, self.end) = (app, log, end)
    }

    var passed: Int { state.withLock { $0.passed } }
    var diedAt: Point? { state.withLock { $0.diedAt } }

    func pass(_ point: Point) {
      let dies = state.withLock { state in
        guard state.diedAt == nil else { return true }
        state.passed += 1
        if state.passed == end { state.diedAt = point }
        return state.diedAt != nil
      }
      if dies { app.answers.withLock { $0.isDead = true } }
    }

    func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption) {
      pass(.beforeEvents)
      if diedAt != nil { throw EngineInterruption() }
    }

    func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption) {
      pass(.afterEvents)
      if diedAt != nil { throw EngineInterruption() }
    }

    func willDeliver(_ callback: String) {}

    func read() -> DeliveryProgress? { log.read() }

    func write(_ progress: DeliveryProgress) {
      pass(.beforeRecord)
      if diedAt == nil { log.write(progress) }
      pass(.afterRecord)
    }
  }

  static let scenarios: [Scenario] = {
    var policy = PolicyDocument()
    policy.dataTransfer.saveAsBlocked = true
    let first = policy
    policy.about.displayName = "second"
    let second = policy
    var plain = AppSettings()
    plain.firstPolicyNeedsNoRestart = true
    plain.multiIdentity = true
    plain.maximumManagedAccounts = 2
    let configuration = ServiceDeliveries(configuration: [ConfigurationEntry([ConfigurationValue("k", "v")])])
    return [
      Scenario(
        description: "an enrollment that needs a restart", answers: { $0.lastingEnrollment = .policy(first) },
        commands: [.registerAndEnroll(alice)]),
      Scenario(
        description: "an enrollment that fails", answers: { $0.lastingEnrollment = .failure(ServiceFailure(.timeout)) },
        commands: [.registerAndEnroll(alice)]),
      Scenario(
        description: "a new policy and a configuration", settings: plain,
        answers: {
          ($0.enrollment, $0.lastingCheckIn) = ([.policy(first)], .policy(second))
          ($0.lastingEnrollment, $0.deliveries) = (.policy(first), configuration)
        }, commands: [.registerAndEnroll(alice), .requestCheckIn(alice)]),
      Scenario(
        description: "a wipe that the service orders", settings: plain,
        answers: { ($0.lastingEnrollment, $0.lastingCheckIn) = (.policy(first), .wipe()) },
        commands: [.registerAndEnroll(alice), .requestCheckIn(alice)]),
      Scenario(
        description: "a wipe that the app carries out", settings: plain,
        answers: { ($0.lastingEnrollment, $0.wipeData) = (.policy(first), true) },
        commands: [.registerAndEnroll(alice), .requestWipe(alice, .appRequest, .app)]),
      Scenario(
        description: "a farewell with a wipe", settings: plain, answers: { $0.lastingEnrollment = .policy(first) },
        commands: [.registerAndEnroll(alice), .deregisterAndUnenroll(alice, wipe: true)]),
      Scenario(
        description: "a remediation", settings: plain, answers: { $0.lastingEnrollment = .policy(first) },
        commands: [.registerAndEnroll(alice), .remediateCompliance(alice, isSilent: true)]),
      Scenario(
        description: "two accounts, and a list of those allowed", settings: plain,
        answers: { $0.lastingEnrollment = .policy(first) },
        commands: [
          .registerAndEnroll(alice), .setAllowedAccounts([alice, bob]), .registerAndEnroll(bob), .requestCheckIn(bob),
        ]),
    ]
  }()

  /// Lives one life, as far as it goes: from a command on.
  private func live(_ test: TestEngine, _ scenario: Scenario, _ life: Life, from start: Int) async throws -> Int {
    test.app.answers.withLock { $0.isDead = false }
    test.app.hook.withLock { hook in hook = { _ in life.pass(.beforeCall) } }
    test.app.afterwards.withLock { hook in hook = { _ in life.pass(.afterCall) } }
    try test.replaceEngine(observer: life, deliveries: life)
    var next = start
    do throws(EngineError) {
      try await test.engine.launch(ProcessStart(), settings: scenario.settings)
      while next < scenario.commands.count {
        do throws(EngineError) {
          try await test.engine.send(scenario.commands[next])
        } catch {
          // The last life did it, and did not live to hear of it.
          guard error.rejection != nil else { throw error }
        }
        try await test.engine.run()
        if life.diedAt != nil { break }
        next += 1
      }
      if life.diedAt == nil { try await test.engine.end() }
    } catch {
      guard life.diedAt != nil else { throw error }
    }
    return next
  }

  /// What the events of the journal cause, as the app notes it.
  private func caused(_ test: TestEngine) throws -> [String] {
    var caused: [String] = []
    var cursor = try History<AppProtectionMachine>(at: test.path).cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, let event = step.record.event, let before = step.before,
        let after = step.after
      else { continue }
      for callback in AppProtectionMachine.callbacks(for: event, before: before, after: after) {
        switch callback {
        // Work, which is asked again until it is answered; and what the test's app does not note.
        case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .conditionalLaunch,
          .userStatusDidChange:
          continue
        case .complianceStatus(let account, _): caused.append("compliance \(account)")
        case .enrollmentRequest, .policyRequest, .unenrollRequest, .policyDidChange, .dataProtectionDidChange,
          .wipeDidComplete, .allowedAccountsDidChange, .configurationDidChange, .accountConflict:
          caused.append("\(callback)".lowercased())
        }
      }
    }
    return caused
  }

  private func told(_ test: TestEngine, among caused: [String]) -> [String] {
    let names = [
      "enrollmentrequest", "policyrequest", "unenrollrequest", "policydidchange", "dataprotectiondidchange",
      "wipedidcomplete", "allowedaccountsdidchange", "configurationdidchange", "accountconflict", "compliance",
    ]
    return test.app.log.map { $0.lowercased() }.filter { line in names.contains { line.hasPrefix($0) } }
      .map { $0.hasPrefix("compliance") ? $0.split(separator: " ").prefix(2).joined(separator: " ") : $0 }
  }

  @Test("Whatever the point at which the process dies", arguments: scenarios)
  func everyPoint(scenario: Scenario) async throws {
    var end: Int? = nil
    var points = 0
    repeat {
      let test = try TestEngine()
      test.app.answers.withLock { scenario.answers(&$0) }
      let file = FileDeliveryLog(at: test.path + ".told", isSynced: false)
      let life = Life(test.app, file, dyingAt: end)
      var next = try await live(test, scenario, life, from: 0)
      if end == nil { points = life.passed }
      let place = "\(scenario), dead at point \(end ?? 0) of \(points), \(life.diedAt.map { "\($0)" } ?? "never")"
      if life.diedAt != nil { next = try await live(test, scenario, Life(test.app, file, dyingAt: nil), from: next) }
      expectEqual(next, scenario.commands.count, "\(place)")
      // A third process has nothing to add.
      _ = try await live(test, scenario, Life(test.app, file, dyingAt: nil), from: scenario.commands.count)

      let caused = try caused(test)
      var told = told(test, among: caused)
      if caused.contains(where: { $0.hasPrefix("compliance") }) {
        // It is work of its own, told after the others of its event, and confirmed by an event.
        let count = caused.count { $0.hasPrefix("compliance") }
        #expect((count...count + 1).contains(told.count { $0.hasPrefix("compliance") }), "\(place)")
        told.removeAll { $0.hasPrefix("compliance") }
      }
      let expected = caused.filter { !$0.hasPrefix("compliance") }
      if life.diedAt == .afterCall || life.diedAt == .beforeRecord, told.count == expected.count + 1 {
        // The call came, and its record did not: the one repetition that no order of the two can avoid.
        let twice = told.indices.first { told[$0] != (expected + [""])[$0] } ?? expected.count
        #expect(twice > 0 && told[twice] == told[twice - 1], "\(place)")
        told.remove(at: twice)
      }
      expectEqual(told, expected, "\(place)")
      end = (end ?? 0) + 1
    } while (end ?? 0) <= points
    #expect(points > 10)
  }

  @Test("A callback that waited in memory when the process died is made by the next one, before anything else")
  func order() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.setAllowedAccounts([Self.alice]))
    expectEqual(test.app.log, [])
    try await test.relaunch()
    expectEqual(test.app.log, ["allowedAccountsDidChange"])
    try await test.relaunch()
    try await test.engine.run()
    expectEqual(test.app.log, ["allowedAccountsDidChange"])
  }

  @Test("The app knows what it should have been told before it is asked to wipe")
  func overdueBeforeWipe() async throws {
    let test = try await PolicyEngineTests.enrolled()
    test.app.answers.withLock { $0.checkIn = [.wipe()] }
    try test.replaceEngine(observer: RemediationNoticeTests.Crash("wipe.requested", isAfter: true))
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.requestCheckIn(Self.alice))
    await #expect(throws: EngineError.self) { try await test.engine.run() }
    test.app.hook.withLock { hook in
      hook = { text in
        // A delegate who takes long.
        if text.hasPrefix("policyRequest") { for _ in 0..<1_000 { await Task.yield() } }
      }
    }
    let before = test.app.log.count
    try await test.relaunch()
    expectEqual(test.app.log.dropFirst(before).prefix(2), ["policyRequest a1 102", "wipeData a1"])
  }

  @Test("What an extension is told does not count: the app is told as well")
  func extensions() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    try test.replaceEngine()
    var process = ProcessStart()
    process.isExtension = true
    try await test.engine.launch(process)
    try await test.engine.send(.setAllowedAccounts([Self.alice]))
    try await test.engine.run()
    expectEqual(test.app.log, ["allowedAccountsDidChange"])
    try await test.relaunch()
    expectEqual(test.app.log, ["allowedAccountsDidChange", "allowedAccountsDidChange"])
  }

  @Test("A launch condition that asked something of a screen that is gone is not told again")
  func conditions() async throws {
    let test = try await PolicyManagerTests.enrolled()
    var policy = PolicyDocument()
    policy.access.pinRequired = true
    test.app.answers.withLock { [policy] in $0.checkIn = [.policy(policy)] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    struct Watch: EngineObserver {
      let note: @Sendable (String) -> Void
      func willAppend(_ events: [AppProtectionEvent]) {}
      func didAppend(_ result: AppendResult<AppProtectionMachine>) {}
      func willDeliver(_ callback: String) { note(callback) }
    }
    try await test.engine.send(.setIdentity(.ui, .account(Self.alice)))
    let watched = Watched()
    try test.replaceEngine(observer: Watch { text in watched.notes.withLock { $0.append(text) } })
    try await test.engine.launch(ProcessStart())
    #expect(!watched.notes.withLock { $0 }.contains { $0.hasPrefix("conditionalLaunch") })
  }

  private final class Watched: Sendable {
    let notes = Mutex<[String]>([])
  }
}
