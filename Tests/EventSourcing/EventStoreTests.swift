import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

@Suite("The store")
struct EventStoreTests {
  typealias Failure = StoreError<LedgerRejection>

  @Test("A new store has the initial state, and a command changes it at once")
  func firstCommand() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    expectEqual(store.state, LedgerState())
    expectEqual(store.lastSequence, 0)
    let result = try store.append(.open("Ada"), at: .seconds(1))
    expectEqual(result.events, [.init(sequence: 1, event: .opened(account: 1, owner: "Ada", email: nil))])
    #expect(result.before.sequence == 0 && result.after.sequence == 1 && !result.isRepetition)
    expectEqual(store.state.accounts.map(\.owner), ["Ada"])
    expectEqual(store.state, result.after.state)
    expectEqual(store.version.chain, store.journal.lastChain)
    try store.close()
  }

  @Test("A reopened store has the same state, whatever the length of the history", arguments: 0...story.count)
  func reopening(length: Int) throws {
    let journal = try TemporaryJournal()
    let first = try journal.create(Ledger.self)
    try first.tell(story.prefix(length))
    try first.close()
    let second = try journal.open(Ledger.self)
    expectEqual(second.state, first.state)
    expectEqual(second.version.sequence, first.version.sequence)
    expectEqual(second.version.chain, first.version.chain)
    #expect(second.opening.checkpoint == nil)
    expectEqual(second.opening.replayedEvents, first.lastSequence)
    try second.close()
  }

  @Test(
    "Split anywhere and resumed, with a checkpoint or without, a story ends in the same state and bytes",
    arguments: 0...story.count, [false, true])
  func splitting(place: Int, withCheckpoint: Bool) throws {
    let whole = try TemporaryJournal()
    let one = try whole.create(Ledger.self)
    try one.tell(story.dropFirst())
    try one.close()
    let split = try TemporaryJournal()
    let commands = story.dropFirst()
    let before = try split.create(Ledger.self)
    try before.tell(commands.prefix(place))
    if withCheckpoint { try before.checkpoint() }
    try before.close()
    let after = try split.open(Ledger.self)
    try after.tell(commands.dropFirst(place), from: 100 + Int64(place))
    expectEqual(after.state, one.state)
    // Equal chains: every payload is the same, the digests in the envelopes among them.
    expectEqual(after.version.chain, one.version.chain)
    expectEqual(after.opening.checkpoint, withCheckpoint && place > 0 ? before.lastSequence : nil)
    try after.close()
  }

  @Test("A rejected command, and one that changes nothing, write nothing")
  func rejections() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    #expect(throws: Failure.rejected(.noAccount(7))) { try store.append(.close(7), at: .seconds(1)) }
    let nothing = try store.append(.move(from: 1, to: 1, 5), at: .seconds(1))
    #expect(nothing.events.isEmpty && nothing.after.sequence == 0)
    expectEqual(store.journal.lastSequence, 0)
    try store.close()
  }

  @Test("A command can require the end of the history that its sender knew")
  func expectation() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.open("Ada"), at: .seconds(1), expecting: 0)
    #expect(throws: Failure.conflict(expected: 0, actual: 1)) {
      try store.append(.open("Bob"), at: .seconds(1), expecting: 0)
    }
    try store.append(.open("Bob"), at: .seconds(1), expecting: 1)
    try store.close()
  }

  @Test("Events are shown before they are written, once, and without consent the history stays as it was")
  func confirmation() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.open("Ada"), at: .seconds(1))
    var shown: [Int] = []
    var explanation = Explanation()
    for consents in [false, true] {
      let result = try store.append(.note(["a", "b"]), at: .seconds(2), explanation: &explanation) { events in
        shown.append(events.count)
        return consents
      }
      expectEqual(result.events.count, consents ? 2 : 0)
      expectEqual(store.version.sequence, consents ? 3 : 1)
    }
    expectEqual(shown, [2, 2])
    // A command without events asks for nothing.
    try store.append(.note([]), at: .seconds(3), explanation: &explanation) { _ in
      Issue.record("nothing is to be written")
      return true
    }
    try store.close()
  }

  @Test("The events carry their cause, their story, their process and the digest of the state")
  func envelopes() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.open("Ada"), at: .seconds(1))
    try store.append(.start, at: .seconds(2))
    try store.append(.note(["a", "b"]), at: Moment(wallNanoseconds: 3, uptimeNanoseconds: 4))
    try store.append(.note(["c", "d"]), at: .seconds(4), cause: 4)
    try store.append(.note(["e"]), at: .seconds(5), cause: 5)
    #expect(throws: Failure.causeUnknown(cause: 8, last: 7)) {
      try store.append(.note(["f"]), at: .seconds(6), cause: 8)
    }
    let records = try store.recordedEvents(after: 0)
    expectEqual(records.map(\.sequence), [1, 2, 3, 4, 5, 6, 7])
    expectEqual(records.map(\.envelope.process), [0, 2, 2, 2, 2, 2, 2])
    expectEqual(records.map(\.envelope.cause), [0, 0, 0, 0, 4, 4, 5])
    expectEqual(records.map(\.envelope.correlation), [0, 0, 0, 3, 3, 3, 3])
    expectEqual(records.map { $0.envelope.digest?.bytes.count ?? 0 }, [8, 8, 0, 8, 0, 8, 8])
    expectEqual(records.last?.envelope.digest?.bytes, StateDigest(of: store.state).combined.prefix)
    expectEqual(records[2].envelope.moment, Moment(wallNanoseconds: 3, uptimeNanoseconds: 4))
    expectEqual(records.map(\.envelope.unknownReaders), [.mustUnderstand] + Array(repeating: .ignorable, count: 6))
    try store.close()
    // Another process has not started until it says so.
    let next = try journal.open(Ledger.self)
    try next.append(.note(["g"]), at: .seconds(7))
    try expectEqual(next.recordedEvents(after: 7).map(\.envelope.process), [0])
    try next.close()
  }

  @Test("Digests are not recorded when they are turned off")
  func withoutDigests() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.recordsStateDigest = false }
    try store.tell()
    #expect(try store.recordedEvents(after: 0).allSatisfy { $0.envelope.digest == nil })
    try store.close()
  }

  @Test("An explanation records the rules evaluated, even if the command is rejected")
  func explanations() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    var explanation = Explanation(recording: true)
    #expect(throws: Failure.self) { try store.append(.close(7), at: .seconds(1), explanation: &explanation) }
    expectEqual(explanation.steps.map(\.statement), ["a7 exists"])
    expectEqual(explanation.steps.map(\.holds), [false])
    try store.close()
  }

  @Test("A closed store refuses commands and can still be read")
  func closing() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    try store.close()
    #expect(throws: Failure.self) { try store.append(.open("Eve"), at: .seconds(1)) }
    expectEqual(store.lastSequence, storyLength)
    try expectEqual(store.recordedEvents(after: storyLength - 1).map(\.sequence), [storyLength])
  }

  @Test("A store does not open on an unknown state, and the journal is released")
  func unknownState() throws {
    let journal = try TemporaryJournal()
    try journal.create(Ledger.self).close()
    try journal.appendRaw([Envelope(type: 77, at: .seconds(1))])
    #expect(throws: HistoryError.unknownType(sequence: 1, type: 77, version: 1)) { try journal.open(Ledger.self) }
    #expect(throws: HistoryError.unknownType(sequence: 1, type: 77, version: 1)) { try journal.open(Ledger.self) }
  }

  @Test("Commands from many threads are decided one at a time, and readers always see a consistent state")
  func threads() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.open("Ada"), at: .seconds(1))
    try store.append(.open("Bob"), at: .seconds(1))
    let sums = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try store.append(.move(from: 1 + UInt64(number % 2), to: 2 - UInt64(number % 2), 1), at: .seconds(2))
          }
          return true
        }
        group.addTask {
          (0..<200).allSatisfy { _ in
            let version = store.version
            return version.state.accounts.map(\.balance).reduce(0, +) == 0
              && (version.sequence < 2 || version.state.transfers == version.sequence - 2)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums.allSatisfy { $0 })
    expectEqual(store.state.transfers, 200)
    try store.close()
    try expectEqual(journal.history(Ledger.self).state(at: .end).state, store.state)
  }

  @Test(
    "Every error says what is wrong and what to do",
    arguments: [
      (Failure.rejected(.noAccount(7)), "there is no account a7"),
      (
        .conflict(expected: 3, actual: 5),
        "the command expected the history to end with event 3, and it ends with event 5. "
          + "Read the state again and decide whether the command still makes sense."
      ),
      (
        .keyReused(sequence: 4),
        "the idempotency key belongs to another command, which led to event 4. Use a separate key for each command."
      ),
      (
        .keyTooLong(bytes: 65),
        "the idempotency key has 65 bytes; the limit is 64. Use a shorter key, such as 16 random bytes."
      ),
      (
        .causeUnknown(cause: 9, last: 3),
        "event 9 is named as the cause, but the last event is 3. "
          + "Name an event read from this history, or 0 for none."
      ),
    ])
  func descriptions(error: Failure, text: String) {
    expectEqual(error.description, text)
  }
}

@Suite("Repeated commands")
struct IdempotencyTests {
  typealias Failure = StoreError<LedgerRejection>

  @Test(
    "The same key with the same command returns the events of the first time and writes nothing",
    arguments: [false, true])
  func repetition(afterReopening: Bool) throws {
    let journal = try TemporaryJournal()
    var store = try journal.create(Ledger.self)
    let first = try store.append(.note(["a", "b"]), at: .seconds(1), idempotencyKey: [1])
    try store.append(.note(["c"]), at: .seconds(2), idempotencyKey: [2])
    if afterReopening {
      try store.close()
      store = try journal.open(Ledger.self)
    }
    let again = try store.append(.note(["a", "b"]), at: .seconds(9), expecting: 0, idempotencyKey: [1])
    #expect(again.isRepetition)
    expectEqual(again.events, first.events)
    #expect(again.before.sequence == 3 && again.after.sequence == 3)
    expectEqual(store.journal.lastSequence, 3)
    try store.close()
  }

  @Test("The same key with another command is an error", arguments: [false, true])
  func reuse(afterCheckpoint: Bool) throws {
    let journal = try TemporaryJournal()
    var store = try journal.create(Ledger.self)
    try store.append(.note(["x"]), at: .seconds(1))
    try store.append(.note(["a"]), at: .seconds(1), idempotencyKey: [1])
    if afterCheckpoint {
      try store.checkpoint()
      try store.close()
      store = try journal.open(Ledger.self)
      #expect(store.opening.checkpoint == 2 && store.opening.replayedEvents == 0)
    }
    #expect(throws: Failure.keyReused(sequence: 2)) {
      try store.append(.note(["b"]), at: .seconds(1), idempotencyKey: [1])
    }
    expectEqual(store.lastSequence, 2)
    try store.close()
  }

  @Test("A rejected command does not use up its key")
  func rejection() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    #expect(throws: Failure.rejected(.noAccount(1))) {
      try store.append(.close(1), at: .seconds(1), idempotencyKey: [1])
    }
    try store.append(.open("Ada"), at: .seconds(1))
    try expectEqual(store.append(.close(1), at: .seconds(1), idempotencyKey: [1]).events.count, 1)
    try store.close()
  }

  @Test("A key that is too long is refused")
  func length() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    #expect(throws: Failure.keyTooLong(bytes: 65)) {
      try store.append(.note(["a"]), at: .seconds(1), idempotencyKey: [UInt8](repeating: 0, count: 65))
    }
    try store.append(.note(["a"]), at: .seconds(1), idempotencyKey: [UInt8](repeating: 0, count: 64))
    try store.close()
  }

  @Test("The newest commands are recognised and the oldest forgotten, even after reopening")
  func window() throws {
    let journal = try TemporaryJournal()
    let capacity = EventStore<Ledger>.recognizedCommandCount
    func key(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
    var store = try journal.create(Ledger.self) { $0.recordsStateDigest = false }
    for number in 0...capacity {
      try store.append(.note(["\(number)"]), at: .seconds(1), idempotencyKey: key(number))
    }
    for reopened in [false, true] {
      if reopened {
        try store.close()
        store = try journal.open(Ledger.self)
      }
      #expect(throws: Failure.keyReused(sequence: 2)) {
        try store.append(.note(["other"]), at: .seconds(1), idempotencyKey: key(1))
      }
      #expect(try store.append(.note(["\(capacity)"]), at: .seconds(1), idempotencyKey: key(capacity)).isRepetition)
    }
    #expect(try !store.append(.note(["0"]), at: .seconds(1), idempotencyKey: key(0)).isRepetition)
    try store.close()
  }
}

@Suite("The feed of a store's events")
struct EventFeedTests {
  @Test("It delivers existing events and then new ones, each once and in order", arguments: [0, 1, 2, 300] as [UInt64])
  func liveEvents(earlier: UInt64) async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.recordsStateDigest = false }
    for _ in 0..<earlier { try store.append(.note(["early"]), at: .seconds(1)) }
    let follower = Task {
      var seen: [UInt64] = []
      for try await record in store.events(after: 0) {
        seen.append(record.sequence)
        if seen.count == Int(earlier) + 50 { break }
      }
      return seen
    }
    for _ in 0..<50 {
      try store.append(.note(["late"]), at: .seconds(2))
      await Task.yield()
    }
    try await expectEqual(follower.value, Array(1...earlier + 50))
    try store.close()
  }

  @Test("It ends when the store is closed, after delivering everything")
  func closing() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    let follower = Task {
      var seen: [UInt64] = []
      for try await record in store.events(after: 3) { seen.append(record.sequence) }
      return seen
    }
    try store.tell()
    try store.close()
    try await expectEqual(follower.value, Array(4...storyLength))
  }

  @Test("It ends when its task is cancelled")
  func cancelling() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    let follower = Task {
      for try await _ in store.events(after: 0) {}
      return true
    }
    follower.cancel()
    #expect(try await follower.value)
    try store.close()
  }

  @Test("Without waiting, it delivers what has been appended")
  func polling() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    var iterator = store.events(after: 1).makeAsyncIterator()
    #expect(try iterator.nextIfThere() == nil)
    try store.append(.note(["a", "b", "c"]), at: .seconds(1))
    try expectEqual(iterator.nextIfThere()?.sequence, 2)
    try expectEqual(iterator.nextIfThere()?.sequence, 3)
    #expect(try iterator.nextIfThere() == nil)
    try expectEqual(store.recordedEvents(after: 0, limit: 2).map(\.sequence), [1, 2])
    #expect(try store.recordedEvents(after: 0, limit: 0).isEmpty)
    #expect(try store.recordedEvents(after: 9).isEmpty)
    try store.close()
  }
}
