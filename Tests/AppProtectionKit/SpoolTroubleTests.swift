import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Journal
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What extensions left, and what other processes write, must not keep an app from its work, or from telling of it in order.
@Suite("Trouble with what other processes left")
struct SpoolTroubleTests {
  private static let alice = ManagedFolder.alice

  /// An app on a journal in which Alice is managed.
  private final class Container {
    let folder: ManagedFolder
    let app = TestApp()
    let log = Log()

    init() throws {
      folder = try ManagedFolder()
      try folder.store.close()
    }

    var journal: String { folder.path + "/journal" }
    var spool: String { folder.path + "/spool" }

    func store(_ files: any FileSystem = PosixFileSystem()) throws -> EventStore<AppProtectionMachine> {
      var options = StoreOptions()
      options.sealing = folder.keys.sealing
      return try .open(at: journal, options: options, fileSystem: files)
    }

    /// - Parameter hasKeys: Without keys, no sealed command can be read.
    func engine(
      on store: EventStore<AppProtectionMachine>, hasKeys: Bool = true, deliveries: (any DeliveryLog)? = nil
    ) -> PolicyEngine {
      PolicyEngine(
        store: store, clock: app, service: app, files: app,
        delegates: .init(enrollment: app, policy: app, compliance: app, presentation: app),
        logging: Logging(to: log), deliveries: deliveries,
        spool: SpoolDrain(at: spool, of: store.journal.id, sealing: hasKeys ? folder.keys.sealing : nil))
    }

    func follower() throws -> PolicyFollower {
      try PolicyFollower(at: journal, spool: spool, name: "share", keys: folder.keys, clock: app)
    }
  }

  private final class Log: LogDestination {
    let lines = Mutex<[String]>([])
    func write(_ line: LogLine) { lines.withLock { $0.append(line.text) } }
  }

  private func isSpool(_ error: EngineError?) -> Bool {
    if case .spool(.sealing)? = error { true } else { false }
  }

  @Test("A command that cannot be read holds up no wipe: runs and launches do their work, and then say so")
  func unreadable() async throws {
    let container = try Container()
    let ticket = try container.follower().submit(.denyToken(Self.alice))
    let engine = container.engine(on: try container.store(), hasKeys: false)
    let atLaunch = await #expect(throws: EngineError.self) { try await engine.launch(ProcessStart()) }
    #expect(isSpool(atLaunch) && engine.state.process.isRunning)
    try await engine.send(.requestWipe(Self.alice, .appRequest, .app))
    let atRun = await #expect(throws: EngineError.self) { try await engine.run() }
    #expect(isSpool(atRun))
    expectEqual(engine.state.accounts[.first]?.enrollment.status, .removed)
    #expect(container.app.log.contains("wipeDidComplete a1"))
    expectEqual(container.log.lines.withLock { $0.count { $0.hasPrefix("spool: ") } }, 1, "what lasts is logged once")
    try await engine.end()

    // With its keys, the next process carries it out.
    let next = container.engine(on: try container.store())
    try await next.launch(ProcessStart())
    #expect(try container.follower().outcome(of: ticket) != nil)
    try await next.end()
  }

  @Test("An engine that runs when work is due goes on")
  func scheduler() async throws {
    let container = try Container()
    _ = try container.follower().submit(.denyToken(Self.alice))
    let engine = container.engine(on: try container.store(), hasKeys: false)
    try? await engine.launch(ProcessStart())
    let work = Task { try await engine.runWhenDue(alarm: TestAlarm()) }
    for command: AppProtectionCommand in [.requestCheckIn(Self.alice), .requestWipe(Self.alice, .appRequest, .app)] {
      try await engine.send(command)
      while !engine.state.pendingWork(at: container.app.now()).isEmpty { await Task.yield() }
    }
    #expect(container.app.log.contains { $0.hasPrefix("checkIn a1") })
    expectEqual(engine.state.accounts[.first]?.enrollment.status, .removed)
    work.cancel()
    try await work.value
    try await engine.end()
  }

  @Test("A suspended engine leaves the spool to whoever writes, and goes on later")
  func suspended() async throws {
    let container = try Container()
    let engine = container.engine(on: try container.store())
    try await engine.launch(ProcessStart())
    let follower = try container.follower()
    let account = try #require(engine.state.account(for: Self.alice)?.account)
    let work = Task { try await engine.runWhenDue() }
    try await engine.suspend()
    // An erased person's command is settled without one that the suspended store would refuse.
    let ticket = try follower.submit(.denyToken(Self.alice))
    try container.folder.keys.erase(account)
    let unfinished = container.spool + "/another.tmp"
    close(open(unfinished, O_CREAT | O_WRONLY, 0o600))
    // Nor does the first drain of a process take what others are writing.
    try expectEqual(container.engine(on: engine.store).drain(), DrainReport())
    try expectEqual(engine.drain(), DrainReport())
    #expect(try follower.outcome(of: ticket) == nil)
    expectEqual(access(unfinished, F_OK), 0)
    try await engine.resume(ProcessStart())
    try await expectEqual(follower.waitForOutcome(of: ticket), .erased)
    work.cancel()
    try await work.value
    try await engine.end()
  }

  /// Keeps every progress that was written.
  private final class Progresses: DeliveryLog {
    let all = Mutex<[DeliveryProgress]>([])
    func read() -> DeliveryProgress? { all.withLock { $0.last } }
    func write(_ progress: DeliveryProgress) { all.withLock { $0.append(progress) } }
  }

  /// Another task, which sends a command.
  private final class Sender: Sendable {
    private let engine: PolicyEngine
    private let task = Mutex<Task<Void, any Error>?>(nil)
    private let sent = Mutex(false)

    init(_ engine: PolicyEngine) { self.engine = engine }

    var hasSent: Bool { sent.withLock { $0 } }

    func begin() {
      task.withLock { task in
        guard task == nil else { return }
        task = Task.detached { [self] in
          try await engine.send(.setAllowedAccounts([SpoolTroubleTests.alice]))
          sent.withLock { $0 = true }
        }
      }
    }

    func value() async throws { try await task.withLock { $0 }?.value }
  }

  @Test("What is sent while the journal is taken again is told after what others wrote, and the record never goes back")
  func resuming() async throws {
    let container = try Container()
    let files = FullingFileSystem()
    let progresses = Progresses()
    let engine = container.engine(on: try container.store(files), deliveries: progresses)
    try await engine.launch(ProcessStart())
    try await engine.suspend()
    let other = container.engine(on: try container.store(), deliveries: MemoryDeliveryLog())
    var process = ProcessStart()
    process.isExtension = true
    try await other.launch(process)
    try await other.send(.requestCheckIn(Self.alice))
    try await other.run()
    try await other.end()
    let before = container.app.log.count

    // Another task sends as soon as the store takes commands, before the history was read for callbacks or after it.
    let sender = Sender(engine)
    files.beforeOpening.withLock { hook in
      hook = { _ in
        sender.begin()
        for _ in 0..<20 where !sender.hasSent { usleep(5_000) }
      }
    }
    try await engine.resume(ProcessStart())
    files.beforeOpening.withLock { $0 = nil }
    try await sender.value()
    try await engine.run()

    let told = container.app.log.dropFirst(before).map { String($0.prefix { $0 != " " }) }
    let first = try #require(told.firstIndex(of: "policyRequest"))
    let second = try #require(told.firstIndex(of: "allowedAccountsDidChange"))
    #expect(first < second, "\(told)")
    let written = progresses.all.withLock { $0 }
    for (one, next) in zip(written, written.dropFirst()) {
      #expect((one.nextEvent, one.madeCallbacks) <= (next.nextEvent, next.madeCallbacks))
    }
    try await engine.end()
  }
}
