import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

@Suite("Opening a store from a keyframe")
struct KeyframeOpeningTests {
  /// A journal of 23 events with a keyframe every five, whose commands have keys in `keyed`, and a checkpoint after one.
  private func journal(keyed: Range<Int> = 0..<0, checkpointAfter checkpoint: Int? = nil) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.keyframeInterval = 5 }
    for number in 1...23 {
      try store.append(
        .note(["note \(number)"]), at: .seconds(Int64(number)),
        idempotencyKey: keyed.contains(number) ? key(number) : [])
      if number == checkpoint { try store.checkpoint() }
    }
    try store.close()
    return journal
  }

  private func key(_ number: Int) -> [UInt8] { [UInt8(number)] }

  /// Opens the store, expects the state of a replay from nothing, and says where the opening began.
  private func opening(_ journal: TemporaryJournal) throws -> OpeningReport {
    var history = try journal.history(Ledger.self)
    history.usesCheckpoints = false
    let store = try journal.open(Ledger.self)
    try expectEqual(store.state, history.state(at: .end).state)
    expectEqual(store.lastSequence, 23)
    try store.close()
    return store.opening
  }

  @Test("A store continues from a keyframe that is later than every checkpoint", arguments: [nil, 7])
  func later(checkpoint: Int?) throws {
    let report = try opening(journal(checkpointAfter: checkpoint))
    #expect(report.keyframe == 20 && report.checkpoint == nil && report.replayedEvents == 3)
    #expect(report.checkpointNotes.isEmpty)
  }

  @Test("A checkpoint as late as the keyframe is used", arguments: [20, 22])
  func checkpoint(place: Int) throws {
    let report = try opening(journal(checkpointAfter: place))
    #expect(report.checkpoint == UInt64(place) && report.keyframe == nil)
  }

  @Test("Without checkpoints, the replay starts from nothing")
  func notAsked() throws {
    let store = try journal().open(Ledger.self) { $0.usesCheckpoints = false }
    #expect(store.opening.keyframe == nil && store.opening.replayedEvents == 23)
    try store.close()
  }

  @Test("Commands with a key from before and after a keyframe are recognised")
  func keys() throws {
    let journal = try journal(keyed: 18..<23)
    let store = try journal.open(Ledger.self)
    expectEqual(store.opening.keyframe, 20)
    for number in 18..<23 {
      let again = try store.append(.note(["note \(number)"]), at: .seconds(99), idempotencyKey: key(number))
      #expect(again.isRepetition && again.events.map(\.sequence) == [UInt64(number)])
      #expect(throws: StoreError<Ledger.Rejection>.keyReused(sequence: UInt64(number))) {
        try store.append(.note(["other"]), at: .seconds(99), idempotencyKey: key(number))
      }
    }
    try store.close()
  }

  @Test("A keyframe that does not list every recognised command is not used")
  func manyKeys() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.keyframeInterval = 10 }
    for number in 1...UInt8(IdempotencyWindow.keyframeCapacity + 8) {
      try store.append(.note(["note"]), at: .seconds(1), idempotencyKey: [number])
    }
    try store.close()
    let opened = try journal.open(Ledger.self)
    #expect(opened.opening.keyframe == nil && opened.opening.replayedEvents == opened.lastSequence)
    let again = try opened.append(.note(["note"]), at: .seconds(1), idempotencyKey: [1])
    #expect(again.isRepetition)
    try opened.close()
  }

  @Test("A store closed after many events reopens without replay; one that was not closed replays them")
  func closed() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.note((1...600).map { "note \($0)" }), at: .seconds(1))
    try store.close()
    let again = try journal.open(Ledger.self)
    #expect(again.opening.keyframe == 600 && again.opening.replayedEvents == 0)
    expectEqual(again.state, store.state)
    try again.append(.note((1...100).map { "note \($0)" }), at: .seconds(2))
    try again.close()
    let last = try journal.open(Ledger.self)
    #expect(last.opening.keyframe == 600 && last.opening.replayedEvents == 100)
    expectEqual(last.state, again.state)
    // Closing the journal directly also gives up the right to write its side files.
    try last.append(.note((1...600).map { "note \($0)" }), at: .seconds(3))
    try last.journal.close()
    let before = try journal.contents("KEYFRAMES")
    try last.close()
    try expectEqual(journal.contents("KEYFRAMES"), before)
  }

  @Test("Keyframes of another history, and damaged ones, cost only time")
  func misfits() throws {
    let journal = try journal(checkpointAfter: 7)
    let whole = try journal.contents("KEYFRAMES")
    for place in [whole.count - 4096 + 60, whole.count - 4096 + 80] {
      var damaged = whole
      damaged[place] ^= 1
      try journal.write(damaged, to: "KEYFRAMES")
      let report = try opening(journal)
      #expect(report.keyframe ?? 0 < 20)
    }
    let other = try self.journal(keyed: 1..<24)
    try journal.write(other.contents("KEYFRAMES"), to: "KEYFRAMES")
    #expect(try opening(journal).keyframe == nil)
  }
}
