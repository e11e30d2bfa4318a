import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Journal
import TaskTesting
import Testing

@testable import Simulation

/// Drives the engine that apps embed, with every task on the thread of the scenario.
struct AsynchronousDriver: ScenarioDriver {
  private let engine: PolicyEngine
  private let executor = SerialTaskExecutor()

  init(
    store: EventStore<AppProtectionMachine>, clock: ScriptClock, app: ScriptedApp, observer: RunObserver,
    recordsRefusals: Bool, deliveries: any DeliveryLog
  ) {
    engine = PolicyEngine(
      store: store, clock: clock, service: app.service, files: app.service,
      delegates: .init(enrollment: app, policy: app, compliance: app, presentation: app), observer: observer,
      recordsRefusals: recordsRefusals, deliveries: deliveries)
  }

  var state: AppProtectionState { engine.state }

  var nextDue: Int64? { engine.nextDue }

  func launch(_ process: ProcessStart, settings: AppSettings) throws(EngineError) {
    try complete { () async throws(EngineError) in try await engine.launch(process, settings: settings) }
  }

  func send(_ command: AppProtectionCommand) throws(EngineError) {
    try complete { () async throws(EngineError) in
      do throws(EngineError) {
        try await engine.send(command)
      } catch {
        // A scenario takes the refusal of a switch from the journal.
        guard case .refused(let refusal) = error, refusal.rejection == nil else { throw error }
      }
    }
  }

  func run() throws(EngineError) {
    try complete { () async throws(EngineError) in try await engine.run() }
  }

  func end() throws(EngineError) {
    try complete { () async throws(EngineError) in try await engine.end() }
  }

  private func complete(_ body: @escaping @Sendable () async throws(EngineError) -> Void) throws(EngineError) {
    if try executor.value(of: body) == nil { Issue.record("the engine waits for something that is not scripted") }
  }
}

extension ScenarioRunner {
  /// Runs a scenario through both drivers of the engine, and compares every byte that they write.
  static func runBothWays(_ scenario: Scenario, into path: String) throws(ScenarioError) -> ScenarioResult {
    let other = path + "-asynchronous"
    defer { Files.remove(other) }
    var failure: ScenarioError?
    do throws(ScenarioError) {
      _ = try run(scenario, into: other, on: PosixFileSystem(), driver: AsynchronousDriver.self)
    } catch {
      failure = error
    }
    let result: ScenarioResult
    do throws(ScenarioError) {
      result = try run(scenario, into: path)
    } catch {
      // A message may name the journal's path, and only that of the caller can be taken.
      let isSame = failure?.code == error.code && failure?.position == error.position
      #expect(isSame || error.code == .targetExists, "\(error)")
      throw error
    }
    #expect(failure == nil)
    let (made, expected) = (Files.contents(of: other), Files.contents(of: path))
    expectEqual(made.map(\.name), expected.map(\.name))
    for (one, other) in zip(made, expected) where one.name == other.name {
      let same = zip(one.bytes, other.bytes).prefix { $0 == $1 }.count
      let isSame = same == one.bytes.count && same == other.bytes.count
      #expect(isSame, "\(scenario.file): \(one.name) differs from byte \(same) on")
    }
    return result
  }
}
