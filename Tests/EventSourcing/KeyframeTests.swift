import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

@Suite("Keyframes")
struct KeyframeTests {
  /// A journal of some notes and moves with a keyframe every few events.
  private func journal(
    every interval: UInt64 = 3, _ count: Int = 60, segmentSize: UInt64 = 2048
  ) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) {
      $0.keyframeInterval = interval
      $0.journal.segmentSizeLimit = segmentSize
    }
    try write(0..<count, to: store)
    try store.close()
    return journal
  }

  private func write(_ numbers: Range<Int>, to store: EventStore<Ledger>, saying text: String = "note") throws {
    for number in numbers {
      let command: LedgerCommand =
        number % 5 == 0 ? .open("owner \(number)") : .note(["\(text) \(number)"])
      try store.append(command, at: .seconds(Int64(number)))
    }
  }

  /// Every position has the state of a replay from nothing; how many of them rested on a keyframe.
  @discardableResult
  private func expectEveryState(_ history: History<Ledger>) throws -> Int {
    var fromNothing = history
    fromNothing.usesCheckpoints = false
    let states = try statesFromNothing(history)
    var used = 0
    for (sequence, state) in states.enumerated() {
      let found = try history.state(at: .sequence(UInt64(sequence)))
      expectEqual(found.state, state, "at \(sequence)")
      if case .keyframe(let keyframe) = found.origin {
        #expect(keyframe <= sequence)
        used += 1
      }
      let plain = try fromNothing.state(at: .sequence(UInt64(sequence)))
      #expect(plain.state == state && plain.origin == .beginning && plain.chain == found.chain)
    }
    try expectEqual(history.state(at: .end).state, states.last)
    return used
  }

  @Test("Closing writes a keyframe if enough events came since the last one")
  func roomOnClosing() {
    let spacing = KeyframeSpacing(every: 1024, after: 100)
    #expect(spacing.hasRoom(for: 4096, at: 100) && !spacing.hasRoom(for: 4096 + 16, at: 100))
    #expect(spacing.hasRoom(for: 4096 + 512 * 16, at: 612) && !spacing.hasRoom(for: 4096 + 513 * 16, at: 612))
    #expect(!spacing.hasRoom(for: 0, at: 99))
  }

  @Test("With keyframes, the state at every position equals a replay from nothing", arguments: [1, 3, 7] as [UInt64])
  func everyPosition(interval: UInt64) throws {
    let journal = try journal(every: interval)
    #expect(journal.files.contains("KEYFRAMES"))
    let history = try journal.history(Ledger.self)
    try expectEqual(expectEveryState(history), 61 - Int(interval))
    for start in stride(from: UInt64(0), through: 60, by: 7) {
      var cursor = try history.cursor(after: .sequence(start))
      var last: LedgerState?
      while let item = try cursor.next() { if case .event(let step) = item { last = step.after } }
      #expect(try last ?? history.state(at: .end).state == history.state(at: .end).state)
    }
  }

  @Test("Keyframes truncated anywhere, or with a flipped byte, cost only time")
  func damaged() throws {
    let journal = try journal(every: 5, 25)
    let states = try statesFromNothing(journal.history(Ledger.self))
    let whole = try journal.contents("KEYFRAMES")
    var used = 0
    func expectStates(_ what: String) throws {
      let history = try journal.history(Ledger.self)
      for sequence in [4, 5, 13, 24, 25] {
        let found = try history.state(at: .sequence(UInt64(sequence)))
        expectEqual(found.state, states[sequence], "\(what), at \(sequence)")
        if found.origin != .beginning { used += 1 }
      }
      #expect(try history.check().mismatch == nil)
    }
    for length in stride(from: 0, through: whole.count, by: 311) {
      try journal.write(Array(whole[..<length]), to: "KEYFRAMES")
      try expectStates("cut to \(length)")
    }
    for offset in stride(from: 0, to: whole.count, by: 4096).flatMap({ page in
      (page..<(page + 300)).filter { $0 % 3 == 0 }
    }) {
      var changed = whole
      changed[offset] ^= 0x10
      try journal.write(changed, to: "KEYFRAMES")
      try expectStates("flipped at \(offset)")
    }
    #expect(used > 100)
  }

  @Test(
    "A check continues past unreadable keyframes and notes them",
    arguments: [[0], [1], [1, 2], [3], [0, 3]])
  func checkBehindDamage(pages: [Int]) throws {
    let journal = try journal(every: 10, 45)
    try expectEqual(sequences(journal.history(Ledger.self)), [10, 20, 30, 40])
    try expectEqual(journal.contents("KEYFRAMES").count, 4 * 4096)
    for page in pages { try journal.damage("KEYFRAMES", at: UInt64(page * 4096 + 50)) }
    let report = try journal.history(Ledger.self).check()
    #expect(report.isSound && report.keyframesCompared == 4 - pages.count)
    let first = try #require(report.notes.first?.description)
    #expect(
      first.hasPrefix("keyframes after event \(pages[0] * 10) are not used: ")
        && first.contains("page \(pages[0]) does not belong to a keyframe that verifies"), "\(first)")
    expectEqual(report.notes.count, pages == [0, 3] ? 2 : 1)
  }

  @Test("A check notes a device that cannot read keyframes")
  func checkWithoutReading() throws {
    let journal = try journal(every: 10, 45)
    let files = HookedFileSystem()
    let reader = try JournalReader(path: journal.path, fileSystem: files)
    files.failOpening("KEYFRAMES")
    let report = try History<Ledger>(reader).check()
    #expect(report.isSound && report.keyframesCompared == 0)
    #expect(report.notes.count == 1 && report.notes.first?.isKeyframe == true)
  }

  @Test("A keyframe that does not match is left out with its reason, and an older one is used")
  func refused() throws {
    let journal = try journal(every: 10, 35)
    let body = StateCheckpoint(
      of: LedgerState(), digest: StateDigest(of: LedgerState()), window: IdempotencyWindow(), by: Ledger.self
    ).encode()
    // A store whose keyframe is of another history than its events.
    let store = try journal.open(Ledger.self) { $0.keyframeInterval = 0 }
    var writer = try KeyframeWriter(store.journal, after: 35) { _ in true }
    try writer.append(sequence: 33, chain: 0x1234, body: body)
    try writer.append(sequence: 34, chain: 0x1234, body: [0xff])
    try store.close()
    let found = try journal.history(Ledger.self).state(at: .end)
    expectEqual(found.origin, .keyframe(30))
    #expect(found.notes.map(\.sequence) == [34, 33] && found.notes.allSatisfy(\.isKeyframe))
    #expect(found.notes[0].description.hasPrefix("the keyframe at event 34 is not used: its body cannot be read"))
    #expect(found.notes[1].description.hasPrefix("the keyframe at event 33 is not used: it belongs to another history"))
    let other = try journal.history(LedgerMachine<NextRules>.self).state(at: .sequence(31))
    expectEqual(other.origin, .beginning)
    expectEqual(
      other.notes,
      [
        CheckpointNote(sequence: 30, refusal: .otherReducer(recorded: 3, current: 4), isKeyframe: true)
      ])
  }

  @Test("A reopened store continues the existing keyframes")
  func continued() throws {
    let journal = try journal(every: 10, 35)
    let store = try journal.open(Ledger.self) { $0.keyframeInterval = 10 }
    try write(35..<55, to: store)
    try store.close()
    let history = try journal.history(Ledger.self)
    try expectEqual(sequences(history), [10, 20, 30, 40, 50])
    try expectEqual(history.check().keyframesCompared, 5)
    try expectEveryState(history)
  }

  @Test("Keyframes of given-up events are refused, and removed when the next one is written")
  func givenUp() throws {
    let journal = try journal(every: 10, 45, segmentSize: 1 << 20)
    // Event 25 is damaged: everything from there on is given up.
    var cursor = try JournalReader(path: journal.path).cursor(after: 24)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("no event")
      return
    }
    try journal.damage(event.file, at: event.offset + 20)
    var store = try journal.open(Ledger.self) {
      $0.keyframeInterval = 10
      $0.onDamage = .continueAfterVerifiedPrefix
    }
    expectEqual(store.lastSequence, 24)
    try write(24..<29, to: store, saying: "afterwards")
    var history = try journal.history(Ledger.self)
    history.goesBeyondDamage = true
    try expectEqual(sequences(history), [10, 20, 30, 40])
    try expectEqual(history.state(at: .end).state, store.state)
    try write(29..<43, to: store, saying: "afterwards")
    let state = store.state
    try store.close()
    history = try journal.history(Ledger.self)
    history.goesBeyondDamage = true
    try expectEqual(sequences(history), [10, 20, 30, 40])
    try expectEqual(history.check().keyframesCompared, 4)
    try expectEqual(history.state(at: .end).state, state)
    try expectEveryState(history)
    store = try journal.open(Ledger.self)
    expectEqual(store.state, state)
    try store.close()
  }

  private func sequences(_ history: History<Ledger>) throws -> [UInt64] {
    guard let file = try history.reader.keyframes() else { return [] }
    var sequences: [UInt64] = []
    var step = file.next(after: nil)
    while case .entry(let found)? = step {
      sequences.append(found.sequence)
      step = file.next(after: step)
    }
    return sequences
  }

  @Test("Rebuilt keyframes equal those a store writes, and an open store prevents rebuilding")
  func rebuilt() throws {
    let journal = try journal(every: 10, 45)
    let whole = try journal.contents("KEYFRAMES")
    try journal.write([1, 2, 3], to: "KEYFRAMES")
    try expectEqual(journal.history(Ledger.self).rebuildKeyframes(every: 10), 4)
    try expectEqual(journal.contents("KEYFRAMES"), whole)
    let store = try journal.open(Ledger.self)
    let error = #expect(throws: HistoryError.self) { try journal.history(Ledger.self).rebuildKeyframes(every: 5) }
    expectEqual(error?.message.contains("has the journal open for writing"), true)
    try store.close()
    try expectEqual(journal.contents("KEYFRAMES"), whole)
    #expect(!journal.files.contains("KEYFRAMES.tmp"))
  }

  @Test("No keyframe is written without an interval or before the first one is due")
  func none() throws {
    #expect(try !journal(every: 0).files.contains("KEYFRAMES"))
    #expect(try !journal(every: 61).files.contains("KEYFRAMES"))
  }

  @Test("Closing writes a keyframe after half an interval, later if the state is large")
  func closing() {
    var spacing = KeyframeSpacing(every: 2000, after: 50)
    expectEqual(spacing.dueOnClosing, 1050)
    spacing.advance(after: 700, bodyLength: 164_096)
    expectEqual(spacing.dueOnClosing, 10_700)
    expectEqual(KeyframeSpacing(every: 5, after: 50).dueOnClosing, 562)
    spacing.end()
    #expect(spacing.dueOnClosing == .max && KeyframeSpacing(every: 0, after: 3).dueOnClosing == .max)
  }

  @Test("Large states are stored less often")
  func largeStates() {
    var spacing = KeyframeSpacing(every: 100, after: 50)
    expectEqual(spacing.due, 100)
    spacing.advance(after: 103, bodyLength: 1000)
    expectEqual(spacing.due, 200)
    spacing.advance(after: 200, bodyLength: 164_096)
    expectEqual(spacing.due, 10_200)
    spacing.advance(after: .max - 5, bodyLength: 0)
    expectEqual(spacing.due, .max)
    expectEqual(KeyframeSpacing(every: 0, after: 3).due, .max)
  }
}
