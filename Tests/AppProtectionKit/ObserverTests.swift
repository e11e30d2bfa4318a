import AppProtection
import AppProtectionKit
import EventSourcing
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
    #expect(watch.seen.withLock { $0 } == written.filter { !$0.isEmpty })
    #expect(try test.types == written.flatMap(\.self))
  }
}
