import Expectations
import AppProtection
import AppProtectionKit
import Dispatch
import EventSourcing
import Foundation
import Synchronization
import Testing

/// What an observer sees of a command, and when.
@Suite("An observer of the engine")
struct ObserverTests {
  private final class Watch: EngineObserver {
    let seen = Mutex<[[String]]>([])
    let written = Mutex<[[String]]>([])

    func willAppend(_ events: [AppProtectionEvent]) { seen.withLock { $0.append(events.map(\.name)) } }
    func didAppend(_ result: AppendResult<AppProtectionMachine>) {
      written.withLock { $0.append(result.events.map(\.event.name)) }
    }
    func willDeliver(_ callback: String) {}
  }

  @Test("It sees each command's events once, and those that the store refuses not at all")
  func events() async throws {
    let watch = Watch()
    let test = try TestEngine(observer: watch)
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.registerAndEnroll(AccountReference("alice@contoso.com")))
    // No such event: the rules allow the command, and the store does not.
    await #expect(throws: EngineError.self) {
      try await test.engine.send(.registerAndEnroll(AccountReference("bob@contoso.com")), cause: 1_000)
    }
    let written = watch.written.withLock { $0 }
    expectEqual(watch.seen.withLock { $0 }, written.filter { !$0.isEmpty })
    try expectEqual(test.types, written.flatMap(\.self))
  }

  /// Reads the engine's state on another thread while a command holds every lock that it takes.
  private final class Reader: EngineObserver {
    let engine = Mutex<PolicyEngine?>(nil)
    let read = Mutex<[Bool]>([])

    func willAppend(_ events: [AppProtectionEvent]) {
      guard let engine = engine.withLock({ $0 }) else { return }
      let isRead = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = engine.withState { $0.process.isRunning }
        _ = (engine.state, engine.nextDue, engine.policies.isManagementEnabled, engine.enrollment.enrolledAccounts)
        isRead.signal()
      }
      let isInTime = isRead.wait(timeout: .now() + .seconds(600)) == .success
      read.withLock { $0.append(isInTime) }
    }
    func didAppend(_ result: AppendResult<AppProtectionMachine>) {}
    func willDeliver(_ callback: String) {}
  }

  @Test("The state is read on any thread while a command is being decided and written")
  func reads() async throws {
    let reader = Reader()
    let test = try TestEngine(observer: reader)
    reader.engine.withLock { $0 = test.engine }
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.registerAndEnroll(AccountReference("alice@contoso.com")))
    reader.engine.withLock { $0 = nil }
    expectEqual(reader.read.withLock { $0 }, [true, true])
  }
}
