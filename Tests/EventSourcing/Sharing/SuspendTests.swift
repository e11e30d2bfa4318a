import Expectations
import Journal
import JournalSimulation
import Testing

@testable import EventSourcing

@Suite("A store that is suspended")
struct SuspendTests {
  /// Small segments, so that a few events fill several.
  private static func small(_ options: inout StoreOptions) { options.journal.segmentSizeLimit = 1 << 10 }

  private static func isSuspended<Rejection>(_ error: StoreError<Rejection>) -> Bool {
    if case .journal(let error) = error { error.code == .suspended } else { false }
  }

  /// The code of a journal's error in a history's error.
  private static func code(_ body: () throws -> Void) -> JournalError.Code? {
    do {
      try body()
      return nil
    } catch let error as HistoryError {
      if case .journal(let error) = error { return error.code }
      return JournalError.Code("\(error)")
    } catch {
      return JournalError.Code("\(error)")
    }
  }

  @Test("It lets another process write, refuses commands, shows its state, and goes on after the other")
  func otherWriter() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create()
    try store.tell()
    try store.suspend()
    try store.suspend()
    let state = store.state
    #expect(throws: StoreError<LedgerRejection>.journal(.suspended)) { try store.append(.note(["x"]), at: .seconds(1)) }
    await #expect(throws: StoreError<LedgerRejection>.journal(.suspended)) {
      try await store.submit(.note(["x"]), at: .seconds(1))
    }
    expectEqual(Self.code { try store.checkpoint() }, .suspended)
    expectEqual(Self.code { try store.retire(before: 3) }, .suspended)
    expectEqual(store.state, state)

    let other: EventStore<Ledger> = try journal.open()
    try other.append(.open("Dora"), at: .seconds(200), idempotencyKey: [1])
    expectEqual(Self.code { try store.resume() }, .locked)
    try other.close()

    let report = try store.resume()
    #expect((report.before, report.after, report.readEvents) == (storyLength, storyLength + 1, 1))
    expectEqual(store.state, other.state)
    expectEqual(store.lastSequence, storyLength + 1)
    let again = try store.append(.open("Dora"), at: .seconds(201), idempotencyKey: [1])
    #expect(again.isRepetition)
    try store.append(.note(["after"]), at: .seconds(202))
    try expectEqual(store.resume().readEvents, 0)
    try store.close()
    try expectEqual(statesFromNothing(journal.history(Ledger.self)).last, store.state)
    #expect(try journal.history(Ledger.self).reader.verify().findings.isEmpty)
  }

  @Test("It goes on after another that rotates, writes checkpoints, and dies in the midst of a write")
  func rotationAndRecovery() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    try store.tell()
    for round in 1...4 {
      try store.suspend()
      let before = store.lastSequence
      do {
        let other: EventStore<Ledger> = try journal.open(Ledger.self, Self.small)
        for number in 0..<30 { try other.append(.note(["\(round) \(number)"]), at: .seconds(300)) }
        try other.checkpoint()
        try other.append(.note(["last"]), at: .seconds(301))
        // Dropped without being closed, as a process that is killed leaves it.
      }
      if round.isMultiple(of: 2) {
        let last = try #require(journal.files.last { $0.hasSuffix(".seg") })
        try journal.write(try journal.contents(last) + [0x13, 0x37, 1, 2, 3], to: last)
      }
      let report = try store.resume()
      #expect((report.before, report.after, report.readEvents) == (before, before + 31, 31))
      try store.append(.move(from: 1, to: 3, 1), at: .seconds(302))
    }
    try store.close()
    try expectEqual(statesFromNothing(journal.history(Ledger.self)).last, store.state)
  }

  @Test("Where another retired its position, it computes the state from the checkpoint")
  func retired() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    try store.tell()
    try store.suspend()
    let other: EventStore<Ledger> = try journal.open(Ledger.self, Self.small)
    for number in 0..<200 { try other.append(.note(["\(number)"]), at: .seconds(300)) }
    try other.checkpoint()
    #expect(try other.retire(before: other.lastSequence) > storyLength + 1)
    try other.append(.note(["after"]), at: .seconds(301))
    try other.close()
    let report = try store.resume()
    expectEqual(report.after, storyLength + 201)
    #expect(report.readEvents < 200)
    expectEqual(store.state, other.state)
    try store.append(.note(["on"]), at: .seconds(302))
    try store.close()
  }

  @Test("Another journal in its place, and one that lost what was acknowledged, are refused by name")
  func replaced() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create()
    try store.append(.open("Ada"), at: .seconds(1))
    try store.suspend()
    let files = try journal.files.map { ($0, try journal.contents($0)) }
    try store.resume()
    try store.append(.open("Bob"), at: .seconds(2))
    try store.suspend()
    // A copy from before the last event.
    for (name, bytes) in files { try journal.write(bytes, to: name) }
    expectEqual(Self.code { try store.resume() }, .conflict)
    for name in journal.files { try journal.remove(name) }
    let id = try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16)))
    let other = try EventStore<Ledger>.create(at: journal.path, journalID: id, createdNanoseconds: 1)
    try other.append(.open("Eve"), at: .seconds(3))
    try other.close()
    do {
      try store.resume()
      Issue.record("the store went on in another journal")
    } catch {
      #expect("\(error)".contains("\(id)") && "\(error)".contains("\(TemporaryJournal.id)"))
    }
    expectEqual(store.state.accounts.map(\.owner), ["Ada", "Bob"])
    for name in journal.files { try journal.remove(name) }
    expectEqual(Self.code { try store.resume() }, .notAJournal)
  }

  @Test("Closed while suspended, it stays closed, and feeds end")
  func closed() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create()
    try store.tell()
    try store.suspend()
    var count: UInt64 = 0
    try store.close()
    for try await _ in store.events(after: 0) { count += 1 }
    expectEqual(count, storyLength)
    expectEqual(Self.code { try store.resume() }, .closed)
    try store.close()
  }

  @Test("A feed goes on after what another appended")
  func feed() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self, Self.small)
    try store.tell()
    var feed = store.events(after: 0).makeAsyncIterator()
    for _ in 0..<storyLength { _ = try await feed.next() }
    try store.suspend()
    let other: EventStore<Ledger> = try journal.open(Ledger.self, Self.small)
    for number in 0..<40 { try other.append(.note(["\(number)"]), at: .seconds(300)) }
    try other.close()
    #expect(try feed.nextIfThere() == nil)
    try store.resume()
    try store.append(.note(["own"]), at: .seconds(301))
    for number in 1...41 { try await expectEqual(feed.next()?.sequence, storyLength + UInt64(number)) }
    try store.close()
  }

  @Test("A person who was erased meanwhile is gone from the state, and keys that cannot be read leave it suspended")
  func erased() throws {
    let journal = try TemporaryJournal()
    let keys = TestKeys()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    try store.append(.greet("Ada"), at: .seconds(1))
    try store.append(.greet("Bob"), at: .seconds(2))
    try store.suspend()
    keys.destroy(1)
    keys.fail(true)
    #expect(throws: HistoryError.sealing(TestKeys.error)) { try store.resume() }
    keys.fail(false)
    expectEqual(store.state.customers.map(\.name), ["Ada", "Bob"])
    try store.resume()
    expectEqual(store.state.customers.map(\.name), ["", "Bob"])
    try store.append(.rename("Bob", to: "Rob"), at: .seconds(3))
    try store.close()
  }

  @Test("Threads that append while it is suspended and resumed get what they were promised")
  func threads() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create { $0.journal.syncPolicy = .everyCommit }
    try store.append(.open("Ada"), at: .seconds(1))
    let promised = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<4 {
        group.addTask {
          var count = 0
          for number in 0..<60 {
            do {
              if worker.isMultiple(of: 2) {
                try store.append(.note(["\(worker) \(number)"]), at: .seconds(2))
              } else {
                try await store.submit(.note(["\(worker) \(number)"]), at: .seconds(2))
              }
              count += 1
            } catch let error as StoreError<LedgerRejection> {
              guard Self.isSuspended(error) else { throw error }
            }
          }
          return count
        }
      }
      group.addTask {
        for _ in 0..<20 {
          try store.suspend()
          await Task.yield()
          try store.resume()
          await Task.yield()
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    expectEqual(store.lastSequence, UInt64(promised) + 1)
    try store.close()
    try expectEqual(statesFromNothing(journal.history(Ledger.self)).last, store.state)
  }

  // MARK: Crashes

  /// Two processes that take turns; `acknowledged` receives how many notes each cut must leave.
  private static func work(
    _ files: RecordingFileSystem, _ acknowledged: (Int) -> Void
  ) throws {
    var options = StoreOptions()
    options.journal.segmentSizeLimit = 1 << 10
    options.journal.preallocation = 0
    options.keyframeInterval = 0
    var count = 0
    func note(_ store: EventStore<Ledger>) throws {
      try store.append(.note(["\(count)"]), at: .seconds(Int64(count)))
      count += 1
      acknowledged(count)
    }
    let one = try EventStore<Ledger>.create(
      at: "j", journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: files)
    try note(one)
    try one.suspend()
    let other = try EventStore<Ledger>.open(at: "j", options: options, fileSystem: files)
    for _ in 0..<4 { try note(other) }
    try other.suspend()
    try one.resume()
    for _ in 0..<4 { try note(one) }
    try one.checkpoint()
    try one.suspend()
    try other.resume()
    try note(other)
    try other.close()
    try one.resume()
    try note(one)
    try one.close()
  }

  private static func notes(in image: DiskImage) throws -> Int {
    let files = RecordingFileSystem(image)
    do {
      let store = try EventStore<Ledger>.open(at: "j", fileSystem: files)
      try store.append(.note(["after"]), at: .seconds(100))
      try store.suspend()
      try store.resume()
      return Int(store.lastSequence) - 1
    } catch let error as HistoryError {
      guard case .journal(let reason) = error, reason.code == .notAJournal else { throw error }
      return 0
    }
  }

  @Test("A power cut at any call of two processes that take turns leaves what either acknowledged")
  func powerCuts() throws {
    let files = RecordingFileSystem()
    var promises: [(position: Int, count: Int)] = [(0, 0)]
    try Self.work(files) { promises.append((files.position, $0)) }
    expectEqual(files.openFileCount, 0)
    #expect(files.misuse.isEmpty)
    var states = 0
    try PowerCuts.forEach(of: files.operations, share: 23, randomCount: 4) { state in
      states += 1
      let promised = promises.last { $0.position <= state.position }?.count ?? 0
      let found = try Self.notes(in: state.image)
      #expect(found >= promised, "cut after operation \(state.position), \(state.fates)")
    }
    #expect(states > 200)
  }

  @Test("A process that dies at any call leaves what was acknowledged, and the next one goes on")
  func deaths() throws {
    for call in 1... {
      let files = RecordingFileSystem()
      files.setPlan(FaultPlan(at: call, .death))
      var promised = 0
      do {
        try Self.work(files) { promised = $0 }
      } catch is HistoryError {
      } catch is StoreError<LedgerRejection> {}
      if !files.isDead { break }
      files.revive()
      let found = try Self.notes(in: files.image)
      #expect(found >= promised, "death at call \(call)")
    }
  }

  @Test("A call that fails leaves the store suspended or working, and loses nothing that was acknowledged")
  func failures() throws {
    for call in 1... {
      let files = RecordingFileSystem()
      var options = StoreOptions()
      options.journal.preallocation = 0
      let store = try EventStore<Ledger>.create(
        at: "j", journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: files)
      try store.append(.open("Ada"), at: .seconds(1))
      let first = files.calls.count
      files.setPlan(FaultPlan(at: first + call, .error(5)))
      let suspended = Result { try store.suspend() }
      let resumed = Result { try store.resume() }
      let isPassed = files.calls.count < first + call
      files.setPlan(nil)
      if case .failure = suspended { expectEqual(store.state.accounts.count, 1) }
      // Whatever failed may be tried again.
      if case .failure = resumed { try store.resume() }
      try store.append(.open("Bob"), at: .seconds(2))
      try store.close()
      expectEqual(files.openFileCount, 0, "call \(call)")
      let history = try History<Ledger>(at: "j", fileSystem: files)
      try expectEqual(history.state(at: .end).state.accounts.map(\.owner), ["Ada", "Bob"], "call \(call)")
      if isPassed { break }
    }
  }
}
