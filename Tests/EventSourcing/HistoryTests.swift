import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

@Suite("Time travel")
struct TimeTravelTests {
  @Test("The state at every position equals a replay from nothing", arguments: [false, true])
  func everyPosition(withCheckpoints: Bool) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    for (index, command) in story.enumerated() {
      try store.append(command, at: .seconds(100 + Int64(index)))
      if withCheckpoints, index % 3 == 2 { try store.checkpoint() }
    }
    try store.close()
    let history = try journal.history(Ledger.self)
    let states = try statesFromNothing(history)
    expectEqual(states.count, Int(storyLength) + 1)
    expectEqual(states.last, store.state)
    for (sequence, state) in states.enumerated() {
      let found = try history.state(at: .sequence(UInt64(sequence)))
      expectEqual(found.state, state, "at \(sequence)")
      expectEqual(found.position, ResolvedPosition(sequence: UInt64(sequence)))
    }
    try expectEqual(history.state(at: .start).state, states[0])
    let end = try history.state(at: .end)
    #expect(end.state == store.state && end.position.sequence == storyLength && end.chain == store.version.chain)
  }

  @Test("Every difference between two positions is that of their trees")
  func everyDifference() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    try store.close()
    let history = try journal.history(Ledger.self)
    let states = try statesFromNothing(history)
    for one in 0...Int(storyLength) {
      for other in 0...Int(storyLength) {
        let diff = try history.diff(.sequence(UInt64(one)), .sequence(UInt64(other)))
        expectEqual(diff, StateDiff(from: states[one].tree(), to: states[other].tree()), "\(one)..\(other)")
      }
    }
  }

  @Test("A history of zero, one or two events answers every question", arguments: 0...2)
  func shortHistories(length: Int) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell(story.dropFirst().prefix(length))
    try store.close()
    let history = try journal.history(Ledger.self)
    let end = UInt64(length)
    try expectEqual(history.lastSequence(), end)
    try expectEqual(history.resolve(.end).sequence, end)
    try expectEqual(history.state(at: .end).state, store.state)
    try expectEqual(history.state(at: .start).state, LedgerState())
    try expectEqual(history.diff(.start, .end).appeared, (1...2).prefix(length).map { "/accounts/a\($0)" })
    try expectEqual(history.lastWrites(to: "/accounts").map(\.record.sequence), (0..<end).reversed().map { $0 + 1 })
    try expectEqual(history.divergence(from: history), .none(length: end))
    let report = try history.check()
    #expect(report.isSound && report.events == end && report.digestsCompared == end)
    expectEqual(report.stateDigest, StateDigest(of: store.state))
    let differ = StateDiffer()
    var cursor = try history.cursor()
    var count: UInt64 = 0
    while let item = try cursor.next() {
      if case .event(let step) = item {
        count += 1
        expectEqual(step.changes?.appeared, ["/accounts/a\(count)"])
        expectEqual(step.changes(differ), step.changes)
      }
    }
    #expect(count == end && cursor.state == store.state && cursor.lastDerivable == end)
    #expect(throws: HistoryError.afterEnd(requested: end + 1, last: end)) {
      try history.state(at: .sequence(end + 1))
    }
    #expect(throws: HistoryError.afterEnd(requested: .max, last: end)) { try history.state(at: .sequence(.max)) }
    try expectEqual(history.resolve(.time(0)).sequence, 0)
    try expectEqual(history.resolve(.time(.max)).sequence, end)
  }

  /// The seconds of some events, a second to look at, and the positions that may be meant.
  @Test(
    "A time means the last event, in order, that is not later; if the clock went back, both candidates are named",
    arguments: [
      ([10, 20, 30], 5, 0, nil),
      ([10, 20, 30], 10, 1, nil),
      ([10, 20, 30], 19, 1, nil),
      ([10, 20, 30], 30, 3, nil),
      ([10, 20, 30], 99, 3, nil),
      ([10, 20, 20, 30], 20, 3, nil),
      ([10, 30, 20, 40], 25, 3, 1),
      ([10, 30, 20, 40], 20, 3, 1),
      ([10, 30, 20, 40], 15, 1, nil),
      ([10, 30, 20, 40], 30, 3, nil),
      ([30, 10, 20], 15, 2, 0),
      ([10, 40, 20, 50, 30], 35, 5, 1),
      ([], 10, 0, nil),
    ] as [([Int64], Int64, UInt64, UInt64?)])
  func times(seconds: [Int64], second: Int64, expected: UInt64, other: UInt64?) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    for second in seconds { try store.append(.note(["x"]), at: .seconds(second)) }
    try store.close()
    let history = try journal.history(Ledger.self)
    let position = try history.resolve(.time(second * 1_000_000_000))
    expectEqual(position, ResolvedPosition(sequence: expected, otherCandidate: other))
    let found = try history.state(at: .time(second * 1_000_000_000))
    expectEqual(found.position, position)
    expectEqual(found.state.notes.count, min(3, Int(expected)))
  }

  @Test("A cursor that begins later has the same states")
  func laterCursor() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    try store.close()
    let history = try journal.history(Ledger.self)
    let states = try statesFromNothing(history)
    for start in 0...storyLength {
      var cursor = try history.cursor(after: .sequence(start))
      expectEqual(cursor.state, states[Int(start)])
      var next = start
      while case .event(let step)? = try cursor.next() {
        next += 1
        expectEqual(step.record.sequence, next)
        expectEqual(step.before, states[Int(next) - 1])
        expectEqual(step.after, states[Int(next)])
      }
      expectEqual(next, storyLength)
    }
  }

  @Test("A long history is replayed holding one state at a time")
  func longHistory() throws {
    let journal = try TemporaryJournal()
    let count: UInt64 = 200_000
    var options = JournalOptions.unsynced
    options.domain = try CountingEvent.journalDomain()
    let writer = try JournalWriter.create(
      at: journal.path, id: TemporaryJournal.id, createdNanoseconds: 0, options: options)
    var batch = JournalBatch()
    for sequence in 1...count {
      var envelope = Envelope(type: CountingEvent.number, at: Moment(wallNanoseconds: Int64(sequence)))
      envelope.body = [8, 1]
      var encoder = WireWriter()
      envelope.encode(into: &encoder)
      try batch.append(payload: encoder.bytes, label: 0)
      if sequence % 1000 == 0 { _ = try writer.append(&batch) }
    }
    try writer.close()
    let history = try History<CountingMachine>(at: journal.path)
    LiveObjects.highest.store(0, ordering: .relaxed)
    try expectEqual(history.state(at: .end).state.count, count)
    try expectEqual(history.check().events, count)
    try expectEqual(
      history.lastWrites(to: "/counter/count", limit: 3).map(\.record.sequence), [count, count - 1, count - 2])
    try expectEqual(history.resolve(.time(77)).sequence, 77)
    var cursor = try history.cursor()
    var seen: UInt64 = 0
    while let item = try cursor.next() { if case .event = item { seen += 1 } }
    expectEqual(seen, count)
    // Every event that is decoded holds an object that counts itself.
    #expect(LiveObjects.highest.load(ordering: .relaxed) < 32)
    #expect(LiveObjects.current.load(ordering: .relaxed) < 32)
  }
}

@Suite("The events that changed a part of the state")
struct BlameTests {
  @Test("The newest write comes first, with the values around it")
  func writes() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    try store.checkpoint()
    try store.close()
    let history = try journal.history(Ledger.self)
    let writes = try history.lastWrites(to: "/accounts/a1/balance")
    expectEqual(writes.map(\.record.sequence), [14, 9, 7, 4, 2])
    expectEqual(
      writes.map(\.record.typeName), ["money.moved", "money.moved", "money.moved", "money.moved", "account.opened"])
    #expect(writes.first?.before == .value(.integer(-70)) && writes.first?.after == .value(.integer(-10)))
    #expect(writes.last?.before == nil && writes.last?.after == .value(.integer(0)))
    #expect(writes.allSatisfy { $0.changes.map(\.path) == ["/accounts/a1/balance"] })
    try expectEqual(history.lastWrites(to: "/accounts/a1/balance", limit: 2).map(\.record.sequence), [14, 9])
    try expectEqual(history.lastWrites(to: "/accounts/a1/balance", limit: 1).map(\.record.sequence), [14])
    #expect(try history.lastWrites(to: "/accounts/a1/balance", limit: 0).isEmpty)
    try expectEqual(
      history.lastWrites(to: "/accounts/a1/balance", upTo: .sequence(8)).map(\.record.sequence), [7, 4, 2])
    try expectEqual(history.lastWrites(to: "/accounts/a2").map(\.record.sequence), [10, 7, 4, 3])
    #expect(try history.lastWrites(to: "/accounts/a2").first?.after == nil)
    try expectEqual(history.lastWrites(to: "/notes").map(\.record.sequence), [13, 12, 11, 6, 5])
    try expectEqual(history.lastWrites(to: "/").count, 13)
    #expect(try history.lastWrites(to: "/nowhere/at/all").isEmpty)
    #expect(try history.lastWrites(to: "/accounts/a1/nothing").isEmpty)
    #expect(throws: HistoryError.afterEnd(requested: 99, last: 14)) {
      try history.lastWrites(to: "/notes", upTo: .sequence(99))
    }
  }
}

@Suite("The first difference of two histories")
struct DivergenceTests {
  private func history(_ commands: [LedgerCommand], segmentSize: UInt64 = 1 << 20) throws -> (
    TemporaryJournal, History<Ledger>
  ) {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.journal.segmentSizeLimit = segmentSize }
    try store.tell(commands)
    try store.close()
    return (journal, try journal.history(Ledger.self))
  }

  @Test("Histories of the same events are equal, however they are stored")
  func same() throws {
    let many = Array(repeating: LedgerCommand.note(["a longer note, so that segments fill up"]), count: 200)
    let (one, first) = try history(many)
    let (two, second) = try history(many, segmentSize: 4096)
    expectEqual(one.files.filter { $0.hasSuffix(".seg") }.count, 1)
    #expect(two.files.filter { $0.hasSuffix(".seg") }.count > 1)
    try expectEqual(first.divergence(from: second), .none(length: 200))
  }

  @Test("A shorter history is recognised as a prefix")
  func prefixes() throws {
    for length in 0..<story.count {
      let (one, shorter) = try history(Array(story.prefix(length)))
      let (two, longer) = try history(story)
      let events = try shorter.lastSequence()
      try expectEqual(shorter.divergence(from: longer), .prefix(length: events, firstIsShorter: true))
      try expectEqual(longer.divergence(from: shorter), .prefix(length: events, firstIsShorter: false))
      withExtendedLifetime((one, two)) {}
    }
  }

  /// The first difference by reading both from front to back.
  private func readThrough(_ one: History<Ledger>, _ other: History<Ledger>) throws -> Divergence {
    func chains(_ history: History<Ledger>) throws -> [UInt32] {
      var cursor = try history.events()
      var chains: [UInt32] = []
      while let item = try cursor.next() { if case .event(let step) = item { chains.append(step.record.chain) } }
      return chains
    }
    let (ours, theirs) = (try chains(one), try chains(other))
    if let place = zip(ours, theirs).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
      return .different(sequence: UInt64(place) + 1, isExact: true)
    }
    let length = UInt64(min(ours.count, theirs.count))
    return ours.count == theirs.count
      ? .none(length: length) : .prefix(length: length, firstIsShorter: ours.count < theirs.count)
  }

  @Test("Found by halving or by reading, the first difference is the same")
  func asReadThrough() throws {
    let base = (0..<400).map { LedgerCommand.note(["note \($0)"]) }
    let (one, first) = try history(base, segmentSize: 3000)
    var (indexed, read) = (0, 0)
    for (index, place) in stride(from: 0, to: 400, by: 19).enumerated() {
      var commands = base
      switch index % 4 {
      case 0: commands[place] = .note(["another, which is longer"])
      case 1: commands.insert(.note(["a further one"]), at: place)
      case 2: commands.remove(at: place)
      default: commands.removeSubrange(place...)
      }
      let (two, second) = try history(commands, segmentSize: [1500, 3000, 1 << 20][index % 3])
      for (ours, theirs) in [(first, second), (second, first)] {
        let report = try ours.findDivergence(from: theirs)
        expectEqual(report.divergence, try readThrough(ours, theirs), "edit \(index) at \(place)")
        #expect(report.reads > 0)
        if case .different(let sequence, _) = report.divergence, report.readAfter == sequence - 1 {
          indexed += 1
        } else {
          read += 1
        }
      }
      withExtendedLifetime(two) {}
    }
    #expect(indexed > 10 && read > 10)
    withExtendedLifetime(one) {}
  }

  @Test("A segment from another continuation of the same journal is not mistaken for the one it replaced")
  func foreignSegment() throws {
    let base = (0..<400).map { LedgerCommand.note(["note \($0)"]) }
    for text in ["toon 20", "another note, which is longer"] {
      var commands = base
      commands[20] = .note([text])
      let (one, first) = try history(base, segmentSize: 3000)
      let (two, _) = try history(commands, segmentSize: 3000)
      let (mixed, _) = try history(base, segmentSize: 3000)
      let segments = two.files.filter { $0.hasSuffix(".seg") }
      try #require(segments.count > 3)
      try mixed.write(try two.contents(segments[0]), to: segments[0])
      for goesBeyondDamage in [false, true] {
        var other = try mixed.history(Ledger.self)
        other.goesBeyondDamage = goesBeyondDamage
        try expectEqual(first.divergence(from: other), .different(sequence: 21, isExact: true), "\(text)")
        try expectEqual(other.divergence(from: first), .different(sequence: 21, isExact: true), "\(text)")
      }
      withExtendedLifetime((one, two, mixed)) {}
    }
  }

  @Test("If a segment does not continue its predecessor, nothing after it counts as equal")
  func brokenBoundary() throws {
    let base = (0..<400).map { LedgerCommand.note(["note \($0)"]) }
    var commands = base
    commands[20] = .note(["toon 20"])
    let (one, first) = try history(base, segmentSize: 3000)
    let (two, _) = try history(commands, segmentSize: 3000)
    let segments = one.files.filter { $0.hasSuffix(".seg") }
    try #require(segments == two.files.filter { $0.hasSuffix(".seg") })
    for place in 1..<segments.count - 1 {
      let (mixed, _) = try history(base, segmentSize: 3000)
      try mixed.write(try two.contents(segments[place]), to: segments[place])
      let other = try mixed.history(Ledger.self)
      let last = other.reader.segments[place].firstSequence - 1
      for (ours, theirs) in [(first, other), (other, first)] {
        do throws(HistoryError) {
          let found = try ours.divergence(from: theirs)
          Issue.record("segment \(place): \(found)")
        } catch {
          expectEqual(error.lastDerivable, last, "segment \(place): \(error)")
        }
      }
    }
    withExtendedLifetime((one, two)) {}
  }

  @Test("The first different event is found, and an equal ending does not hide it")
  func differing() throws {
    let (one, first) = try history(story)
    var commands = story
    commands[3] = .move(from: 1, to: 2, 41)
    let (two, second) = try history(commands)
    try expectEqual(first.divergence(from: second), .different(sequence: 4, isExact: true))
    withExtendedLifetime((one, two)) {}
  }
}
