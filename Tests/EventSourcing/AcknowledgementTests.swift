import Expectations
import Journal
import Synchronization
import Testing

@testable import EventSourcing

extension EventStore {
  /// The number of submitted commands that are not being decided yet.
  fileprivate var submissionCount: Int { submissions.withLock { $0.count } }
}

@Suite("What may be acknowledged, and when")
struct AcknowledgementTests {
  typealias Store = EventStore<Ledger>
  typealias Failure = StoreError<LedgerRejection>

  /// A store whose syncs the test holds back.
  private struct Held {
    let journal: TemporaryJournal
    let files = HookedFileSystem()
    let gate = Gate()
    let store: Store

    /// - Parameter isSound: whether the syncs succeed once the gate is open.
    init(_ policy: SyncPolicy = .everyCommit, isSound: Bool = true) throws {
      journal = try TemporaryJournal()
      var options = StoreOptions()
      options.journal.syncPolicy = policy
      store = try Store.create(
        at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: files)
      try store.append(.open("Ada"), at: .seconds(1))
      let gate = gate
      files.beforeSyncs {
        gate.pass()
        return isSound
      }
    }

    /// Gives a command on a thread of its own.
    func begin(_ body: @escaping @Sendable (Store) throws -> Void) -> Call {
      let call = Call()
      let store = store
      precondition(files.startThread { call.finish(Result { try body(store) }) })
      return call
    }
  }

  /// A call on another thread, and how it ended.
  private final class Call: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)
    var isFinished: Bool { result.withLock { $0 != nil } }

    func finish(_ result: Result<Void, any Error>) { self.result.withLock { $0 = result } }

    /// Waits for the end; the error that it ended with.
    func error() -> (any Error)? {
      waitUntil { isFinished }
      if case .failure(let error)? = result.withLock({ $0 }) { return error }
      return nil
    }
  }

  /// The policies under which every append waits for a sync.
  private static let syncing: [SyncPolicy] = [
    .everyCommit, .group(maximumDelayNanoseconds: 0), .interval(nanoseconds: 0),
  ]

  private static func isPoisoned(_ error: (any Error)?) -> Bool {
    if case .journal(let error)? = error as? Failure { return error.code == .poisoned }
    return false
  }

  @Test(
    "The state shows nothing that a power cut could undo, and waiting threads share syncs", arguments: syncing
  )
  func published(_ policy: SyncPolicy) throws {
    let held = try Held(policy)
    let calls = (0..<4).map { number in
      held.begin { try $0.append(.note(["\(number)"]), at: .seconds(2)) }
    }
    waitUntil { held.gate.arrivals == 1 && held.store.journal.lastSequence == 5 }
    #expect(held.store.lastSequence == 1 && held.store.state.notes.isEmpty)
    #expect(!calls.contains { $0.isFinished })
    held.gate.open()
    for call in calls { #expect(call.error() == nil) }
    #expect(held.store.lastSequence == 5 && held.store.state.notes.count == 3)
    #expect(held.gate.arrivals <= 2, "\(held.gate.arrivals) syncs for four commands")
    try held.store.close()
  }

  @Test(
    "Answers that add nothing wait for the state they rest on: rejections, repetitions, conflicts, no-ops",
    arguments: syncing)
  func answers(_ policy: SyncPolicy) throws {
    let held = try Held(policy)
    let key: [UInt8] = [1, 2]
    let first = held.begin { try $0.append(.open("Bob"), at: .seconds(2), idempotencyKey: key) }
    waitUntil { held.gate.arrivals == 1 }
    let others = [
      held.begin { try $0.append(.open("Bob"), at: .seconds(2), idempotencyKey: key) },
      held.begin { try $0.append(.note(["other"]), at: .seconds(2), idempotencyKey: key) },
      held.begin { try $0.append(.move(from: 2, to: 1, 1_000_000), at: .seconds(2)) },
      held.begin { try $0.append(.note(["late"]), at: .seconds(2), expecting: 1) },
      held.begin { try $0.append(.note([]), at: .seconds(2)) },
      held.begin { try $0.append(.note(["later"]), at: .seconds(2), cause: 9) },
    ]
    // They have had every chance to answer early.
    letOthersRun()
    #expect(!others.contains { $0.isFinished } && !first.isFinished)
    held.gate.open()
    #expect(first.error() == nil)
    let errors = others.map { $0.error() as? Failure }
    expectEqual(
      errors,
      [
        nil, .keyReused(sequence: 2), .rejected(.balanceTooLow(2)), .conflict(expected: 1, actual: 2), nil,
        .causeUnknown(cause: 9, last: 2),
      ])
    expectEqual(held.store.lastSequence, 2)
    try held.store.close()
  }

  @Test(
    "When the device fails for good, waiting calls fail, the state stays, and commands are refused", arguments: syncing
  )
  func poisoned(_ policy: SyncPolicy) throws {
    let held = try Held(policy, isSound: false)
    let calls = [
      held.begin { try $0.append(.note(["a"]), at: .seconds(2)) },
      held.begin { try $0.append(.note(["b"]), at: .seconds(2)) },
    ]
    waitUntil { held.gate.arrivals == 1 && held.store.journal.lastSequence == 3 }
    let rejected = held.begin { try $0.append(.move(from: 7, to: 8, 1), at: .seconds(2)) }
    held.gate.open()
    for call in calls + [rejected] { #expect(Self.isPoisoned(call.error())) }
    #expect(held.store.lastSequence == 1 && held.store.state.notes.isEmpty)
    for command in [LedgerCommand.note(["c"]), .note([]), .move(from: 7, to: 8, 1)] {
      do throws(Failure) {
        try held.store.append(command, at: .seconds(3))
        Issue.record("\(command) was answered")
      } catch {
        #expect(Self.isPoisoned(error))
      }
    }
    #expect(throws: HistoryError.self) { try held.store.close() }
    try held.store.close()
    expectEqual(held.store.lastSequence, 1, "closing again showed what was never durable")
    held.files.beforeSyncs(nil)
    let again = try held.journal.open(Ledger.self)
    #expect([1, 2, 3].contains(again.lastSequence))
    try again.close()
  }

  @Test(
    "Even without waiting for syncs, a failed device ends all answers based on what it may have lost",
    arguments: [SyncPolicy.none, .interval(nanoseconds: 1 << 62)])
  func poisonedWithoutWaiting(_ policy: SyncPolicy) throws {
    let held = try Held(policy, isSound: false)
    held.gate.open()
    try held.store.append(.note(["a"]), at: .seconds(2))
    expectEqual(held.store.lastSequence, 2)
    #expect(throws: JournalError.self) { try held.store.journal.sync() }
    for command in [LedgerCommand.note(["c"]), .note([]), .move(from: 7, to: 8, 1)] {
      do throws(Failure) {
        try held.store.append(command, at: .seconds(3))
        Issue.record("\(command) was answered")
      } catch {
        #expect(Self.isPoisoned(error))
      }
    }
    #expect(throws: HistoryError.self) { try held.store.close() }
  }

  @Test("Closing publishes what was written before ending the feeds")
  func closing() throws {
    let held = try Held()
    let call = held.begin { try $0.append(.note(["a"]), at: .seconds(2)) }
    waitUntil { held.gate.arrivals == 1 }
    let closing = held.begin { try $0.close() }
    held.gate.open()
    #expect(call.error() == nil && closing.error() == nil)
    expectEqual(held.store.lastSequence, 2)
  }

  @Test("Tasks that submit commands get the answers of append, in one order, on shared syncs")
  func submitting() async throws {
    let held = try Held()
    let count = 200
    let store = held.store
    let results = Task {
      try await withThrowingTaskGroup(of: (Int, UInt64).self) { group in
        for number in 0..<count {
          group.addTask {
            let key: [UInt8] = number % 3 == 0 ? [UInt8(number)] : []
            let result = try await store.submit(
              .note(["\(number)"]), at: .seconds(Int64(number)), idempotencyKey: key, cause: number % 7 == 0 ? 1 : 0)
            let (before, after) = (result.before, result.after)
            guard after.sequence == before.sequence + 1,
              after.state.notes == (before.state.notes + ["\(number)"]).suffix(3),
              result.events == [AppendedEvent(sequence: after.sequence, event: .noted("\(number)"))],
              store.lastSequence >= after.sequence
            else { return (number, 0) }
            return (number, after.sequence)
          }
        }
        return try await group.reduce(into: [Int: UInt64]()) { $0[$1.0] = $1.1 }
      }
    }
    await waitUntil { held.gate.arrivals == 1 }
    expectEqual(store.lastSequence, 1)
    held.gate.open()
    let numbers = try await results.value
    expectEqual(numbers.values.sorted(), (2...UInt64(count) + 1).map { $0 })
    #expect(held.gate.arrivals < count)
    let repeated = try await store.submit(.note(["3"]), at: .seconds(3), idempotencyKey: [3])
    #expect(repeated.isRepetition && repeated.events.first?.sequence == numbers[3])
    try store.close()
    let history = try held.journal.history(Ledger.self)
    #expect(try history.check().isSound)
    var cursor = try history.cursor()
    var chains: [UInt64: UInt32] = [:]
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      chains[step.record.sequence] = step.record.chain
      if case .noted(let text)? = step.record.event { expectEqual(numbers[Int(text) ?? -1], step.record.sequence) }
    }
    expectEqual(chains[store.lastSequence], store.version.chain)
  }

  @Test("A failed write fails all commands written with it, and the store continues without them")
  func failedWrite() async throws {
    let held = try Held()
    let store = held.store
    let first = Task { try await store.submit(.note(["first"]), at: .seconds(2)) }
    await waitUntil { held.gate.arrivals == 1 }
    let others = ["a", "b", ""].map { text in
      Task { try await store.submit(.note(text.isEmpty ? [] : [text]), at: .seconds(2)) }
    }
    await waitUntil { store.submissionCount == 3 }
    held.files.failNextWrite(28)
    held.gate.open()
    try await expectEqual(first.value.after.sequence, 2)
    for task in others {
      do {
        _ = try await task.value
        Issue.record("the full device was not noticed")
      } catch {
        guard case .journal(let error)? = error as? Failure else {
          Issue.record("\(error)")
          continue
        }
        expectEqual(error.code, .noSpace)
      }
    }
    #expect(store.lastSequence == 2 && store.journal.lastSequence == 2)
    try await expectEqual(store.submit(.note(["c"]), at: .seconds(3)).after.sequence, 3)
    try store.close()
    #expect(try held.journal.history(Ledger.self).check().isSound)
  }

  @Test("A task's command is refused as a thread's would be, in the state left by the tasks before it")
  func refusing() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try await store.submit(.open("Ada"), at: .seconds(1))
    let expected: [(LedgerCommand, UInt64?, [UInt8], UInt64, Failure?)] = [
      (.move(from: 1, to: 2, 1), nil, [], 0, .rejected(.noAccount(2))),
      (.note(["a"]), 7, [], 0, .conflict(expected: 7, actual: 1)),
      (.note(["a"]), 1, [1], 0, nil),
      (.note(["b"]), nil, [1], 0, .keyReused(sequence: 2)),
      (.note(["b"]), nil, [UInt8](repeating: 0, count: 65), 0, .keyTooLong(bytes: 65)),
      (.note(["b"]), nil, [], 99, .causeUnknown(cause: 99, last: 2)),
    ]
    for (command, sequence, key, cause, refusal) in expected {
      do throws(Failure) {
        try await store.submit(command, at: .seconds(2), expecting: sequence, idempotencyKey: key, cause: cause)
        #expect(refusal == nil)
      } catch {
        expectEqual(error, refusal)
      }
    }
    expectEqual(store.state.notes, ["a"])
    try store.close()
    await #expect(throws: Failure.self) { try await store.submit(.note(["c"]), at: .seconds(3)) }
  }
}
