import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

@Suite("The keys of a sealed journal, and others")
struct KeyCheckTests {
  /// What the envelopes of a journal's events record.
  private static func recorded(_ journal: TemporaryJournal) throws -> [[UInt8]] {
    var cursor = try History<Customers>(at: journal.path).events()
    var checks: [[UInt8]] = []
    while let item = try cursor.next() {
      if case .event(let step) = item { checks.append(step.record.envelope.keyCheck) }
    }
    return checks
  }

  private static func open(
    _ journal: TemporaryJournal, _ keys: TestKeys?
  ) throws -> EventStore<Customers> {
    try journal.open(Customers.self) { $0.sealing = keys?.sealing }
  }

  /// A journal with sealed events from two openings.
  private static func journal(_ keys: TestKeys, checkpoint: Bool) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    try store.append(.greet("Ada", email: "ada@example.com"), at: .seconds(1))
    try store.append(.greet("Bob", email: "bob@example.com"), at: .seconds(2), idempotencyKey: [1])
    if checkpoint { try store.checkpoint() }
    try store.close()
    let again = try open(journal, keys)
    try again.append(.rename("Bob", to: "Robert"), at: .seconds(3))
    try again.close()
    return journal
  }

  @Test("Other keys and none are refused by name, and no byte of the journal changes", arguments: [false, true])
  func others(checkpoint: Bool) throws {
    let keys = TestKeys(seed: 1)
    let journal = try Self.journal(keys, checkpoint: checkpoint)
    let before = try journal.stamps()
    let other = TestKeys(seed: 2)
    _ = try other.keyForSealing(0)
    for (wrong, error) in [(other, SealingError.otherKeys), (TestKeys(seed: 3), .lostKeys)] {
      #expect(throws: HistoryError.sealing(error)) { try Self.open(journal, wrong) }
    }
    try expectEqual(journal.stamps(), before)
    let store = try Self.open(journal, keys)
    try store.close()
  }

  @Test("The check is recorded once, with the first event that is sealed, and never without keys")
  func once() throws {
    let keys = TestKeys()
    let checks = try Self.recorded(Self.journal(keys, checkpoint: false))
    // Two greetings of two events each, and a new name.
    expectEqual(checks, [try keys.sealing.keyCheck(), [], [], [], []])
    let plain = try TemporaryJournal()
    let store = try plain.create(Customers.self)
    try store.append(.greet("Ada", email: "ada@example.com"), at: .seconds(1))
    try store.close()
    expectEqual(try Self.recorded(plain), [[], []])
    // What was plain is sealed from here on.
    let later = try Self.open(plain, keys)
    try later.append(.deposit("Ada", 5), at: .seconds(2))
    try later.append(.deposit("Ada", 5), at: .seconds(3), idempotencyKey: [7])
    try later.close()
    expectEqual(try Self.recorded(plain).map(\.count), [0, 0, 0, 8])
  }

  @Test("A suspended store that is resumed with other keys in the store's place is refused")
  func resumed() throws {
    let keys = TestKeys()
    let journal = try Self.journal(keys, checkpoint: false)
    let store = try Self.open(journal, keys)
    try store.suspend()
    keys.destroy(0)
    #expect(throws: HistoryError.sealing(.lostKeys)) { try store.resume() }
  }

  @Test("A command that was not written records nothing, and the next one does")
  func refusedCommand() throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    #expect(throws: (any Error).self) {
      try store.append(.greet(String(repeating: "x", count: 9 << 20), email: "ada@example.com"), at: .seconds(1))
    }
    try store.append(.greet("Ada", email: "ada@example.com"), at: .seconds(2))
    try store.close()
    expectEqual(try Self.recorded(journal), [try keys.sealing.keyCheck(), []])
  }

  /// A journal that was sealed by a program that records no check.
  private static func earlier(_ keys: TestKeys) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    keys.destroy(0)
    try store.append(.greet("Ada", email: "ada@example.com"), at: .seconds(1))
    try store.close()
    keys.revive(0)
    _ = try keys.keyForSealing(0)
    expectEqual(try recorded(journal), [[], []])
    return journal
  }

  @Test("A journal without the check takes that of keys that open it, and not that of others")
  func earlier() throws {
    let keys = TestKeys()
    let journal = try Self.earlier(keys)
    // A key store that has no key of hers may be that of a journal whose people were erased.
    let other = TestKeys(seed: 4)
    let wrong = try Self.open(journal, other)
    try wrong.append(.greet("Bob", email: "bob@example.com"), at: .seconds(2), idempotencyKey: [1])
    try wrong.close()
    let right = try Self.open(journal, keys)
    try right.append(.greet("Eve", email: "eve@example.com"), at: .seconds(3))
    try right.close()
    expectEqual(try Self.recorded(journal), [[], [], [], [], try keys.sealing.keyCheck(), []])
    #expect(throws: HistoryError.sealing(.otherKeys)) { try Self.open(journal, other) }
  }

  @Test("Keys that open nothing of a journal without the check, although they are there, are refused")
  func earlierOthers() throws {
    let journal = try Self.earlier(TestKeys())
    let other = TestKeys(seed: 4)
    _ = try other.keyForSealing(1)
    #expect(throws: HistoryError.sealing(.otherKeys)) { try Self.open(journal, other) }
  }
}
