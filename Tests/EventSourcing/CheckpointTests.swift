import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

@Suite("Checkpoints")
struct CheckpointTests {
  /// A journal with the story in it and checkpoints after 6 and 14 events, the latter's body changed.
  private func journal(_ change: (inout StateCheckpoint) -> Void) throws -> TemporaryJournal {
    let temporary = try TemporaryJournal()
    let store = try temporary.create(Ledger.self)
    try store.tell(story.prefix(5))
    try store.checkpoint()
    try store.tell(story.dropFirst(5))
    var digester = StateDigester<LedgerState>()
    var body = StateCheckpoint(
      of: store.state, digest: digester.digest(of: store.state), window: IdempotencyWindow(), by: Ledger.self)
    change(&body)
    _ = try store.journal.writeCheckpoint(sequence: storyLength, body: body.encode())
    try store.close()
    return temporary
  }

  @Test("A checkpoint that fits is used, by the store and by the history")
  func used() throws {
    let temporary = try journal { _ in }
    let store = try temporary.open(Ledger.self)
    #expect(store.opening.checkpoint == storyLength && store.opening.replayedEvents == 0)
    #expect(store.opening.checkpointNotes.isEmpty)
    try expectEqual(temporary.history(Ledger.self).state(at: .end).state, store.state)
    try store.close()
    let without = try temporary.open(Ledger.self) { $0.usesCheckpoints = false }
    #expect(without.opening.checkpoint == nil && without.opening.replayedEvents == storyLength)
    expectEqual(without.state, store.state)
    try without.close()
  }

  @Test("Encoded and decoded, a checkpoint is the same, and unknown fields do not matter")
  func roundTrip() throws {
    var window = IdempotencyWindow()
    window.record(key: [1], fingerprint: [2], sequence: 3)
    window.record(key: [1], fingerprint: [2], sequence: 4)
    window.record(key: [5], fingerprint: [], sequence: 9)
    var state = LedgerState()
    state.notes = ["a"]
    let checkpoint = StateCheckpoint(of: state, digest: StateDigest(of: state), window: window, by: Ledger.self)
    expectEqual(window.inOrder.map(\.last), [4, 9])
    for suffix in [[], [0x7a, 0x01, 0x00]] as [[UInt8]] {
      let decoded = try WireReader.decode(checkpoint.encode() + suffix) { (reader) throws(WireError) in
        try StateCheckpoint(from: &reader)
      }
      expectEqual(decoded, checkpoint)
      try expectEqual(decoded.restore(as: Ledger.self), state)
    }
  }

  private static let misfits: [(@Sendable (inout StateCheckpoint) -> Void, String)] = [
    (
      { @Sendable (body: inout StateCheckpoint) in body.reducerRevision = 2 },
      "it was computed by revision 2 of the rules, and this program has revision 3"
    ),
    (
      { @Sendable (body: inout StateCheckpoint) in body.slices[2].name = "remarks" },
      "its state has the part remarks, which this program does not know and must understand"
    ),
    (
      { @Sendable (body: inout StateCheckpoint) in body.slices.removeLast() }, "its state has the digest"
    ),
    (
      { $0.slices[0].bytes = [0xff] },
      "its part accounts cannot be read: byte 0: the message ends in the middle of a value"
    ),
    ({ @Sendable (body: inout StateCheckpoint) in body.slices[1].bytes = [8, 9] }, "its state has the digest"),
    (
      { @Sendable (body: inout StateCheckpoint) in (body.stateDigest, body.storedDigest) = ([], []) },
      "and none that can be read is recorded"
    ),
  ]

  @Test(
    "A checkpoint that does not fit is skipped with its reason, an older one is used, and the file stays",
    arguments: misfits)
  func refused(change: @Sendable (inout StateCheckpoint) -> Void, reason: String) throws {
    let temporary = try journal(change)
    let before = temporary.files
    let store = try temporary.open(Ledger.self)
    #expect(store.opening.checkpoint == 6 && store.opening.replayedEvents == 8)
    expectEqual(store.opening.checkpointNotes.count, 1)
    let note = try #require(store.opening.checkpointNotes.first)
    expectEqual(note.sequence, storyLength)
    #expect(note.description.hasPrefix("the checkpoint at event 14 is not used: "))
    #expect(note.description.contains(reason), "\(note.description)")
    let replayed = try temporary.history(Ledger.self).state(at: .end).state
    expectEqual(store.state, replayed)
    expectEqual(temporary.files, before)
    try store.close()
  }

  @Test("A body that is not a checkpoint's, and one of another history, are skipped")
  func foreignBodies() throws {
    let temporary = try TemporaryJournal()
    let store = try temporary.create(Ledger.self)
    try store.tell()
    _ = try store.journal.writeCheckpoint(sequence: storyLength, body: [0xff])
    let state = store.state
    try store.close()
    let opened = try temporary.open(Ledger.self)
    expectEqual(opened.opening.checkpointNotes.map(\.refusal), [.unreadableBody(WireError(.truncated, at: 0))])
    #expect(opened.opening.checkpoint == nil && opened.state == state)
    try opened.close()
  }

  @Test("The checkpoint of a longer history with the same identity is refused by its chain or for its missing event")
  func otherHistory() throws {
    let one = try TemporaryJournal()
    let store = try one.create(Ledger.self)
    try store.tell()
    try store.checkpoint()
    try store.close()
    let other = try TemporaryJournal()
    let different = try other.create(Ledger.self)
    for _ in 0..<storyLength { try different.append(.note(["x"]), at: .seconds(1)) }
    try different.close()
    try one.copy("00000000000000000014.ckpt", to: other)
    let opened = try other.open(Ledger.self)
    let refusal = try #require(opened.opening.checkpointNotes.first?.refusal)
    expectEqual(refusal, .otherChain(recorded: store.version.chain, actual: different.version.chain))
    #expect(refusal.description.hasPrefix("it belongs to another history: its chain is "))
    expectEqual(opened.state, different.state)
    try opened.close()
  }

  @Test("Flipped bytes in a checkpoint's file cost only a replay")
  func damaged() throws {
    for offset in stride(from: UInt64(0), to: 200, by: 7) {
      let temporary = try journal { _ in }
      try temporary.damage("00000000000000000014.ckpt", at: offset)
      let found = try temporary.history(Ledger.self).state(at: .end)
      expectEqual(found.position.sequence, storyLength)
      expectEqual(found.state, (try statesFromNothing(temporary.history(Ledger.self))).last)
    }
  }

  @Test("Writing a checkpoint removes the oldest ones beyond the number to keep", arguments: [0, 1, 2, 3])
  func pruning(kept: Int) throws {
    let temporary = try TemporaryJournal()
    let store = try temporary.create(Ledger.self) { $0.keptCheckpointCount = kept }
    for number in 1...5 {
      try store.append(.note(["\(number)"]), at: .seconds(1))
      try expectEqual(store.checkpoint(), UInt64(number))
    }
    try store.close()
    let expected = (1...5).suffix(max(1, kept)).map { "0000000000000000000\($0).ckpt" }
    expectEqual(temporary.files.filter { $0.hasSuffix(".ckpt") }, expected)
  }

  @Test("No checkpoint is written for an empty history")
  func empty() throws {
    let temporary = try TemporaryJournal()
    let store = try temporary.create(Ledger.self)
    try expectEqual(store.checkpoint(), 0)
    #expect(!temporary.files.contains { $0.hasSuffix(".ckpt") })
    try store.close()
  }
}
