import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

@Suite("Events that a program does not understand")
struct UnknownEventTests {
  private func envelope(_ type: UInt32, version: UInt32 = 1, _ rule: UnknownReaderRule, _ body: [UInt8] = [])
    -> Envelope
  {
    var envelope = Envelope(type: type, at: .seconds(50))
    envelope.version = version
    envelope.unknownReaders = rule
    envelope.body = body
    return envelope
  }

  /// A journal with one good event before and one after the one in question, which is event 2.
  private func history(around envelope: Envelope) throws -> (TemporaryJournal, History<Ledger>) {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.note(["before"]), at: .seconds(1))
    try store.close()
    try journal.appendRaw([envelope, self.envelope(3, .ignorable, [10, 1, 0x61])])
    return (journal, try journal.history(Ledger.self))
  }

  /// The body of a `money.moved` whose first field is a string.
  private static let broken: [UInt8] = [10, 1, 0x61]

  @Test(
    "An event that may be left out is returned with its error, and the state stays known",
    arguments: [
      (77, 1, [], RecordedEvent<LedgerEvent>.Content.unknownType, "type 77"),
      (2, 9, [], .unknownVersion, "money.moved"),
      (3, 1, [8, 1], .undecodable(WireError(.wrongWireType(field: 1), at: 0)), "note.added"),
    ] as [(UInt32, UInt32, [UInt8], RecordedEvent<LedgerEvent>.Content, String)])
  func ignorable(
    type: UInt32, version: UInt32, body: [UInt8], content: RecordedEvent<LedgerEvent>.Content, name: String
  ) throws {
    let (journal, history) = try history(around: envelope(type, version: version, .ignorable, body))
    var cursor = try history.cursor(after: .sequence(1))
    guard case .event(let step)? = try cursor.next() else {
      Issue.record("there is no event")
      return
    }
    expectEqual(step.record.content, content)
    expectEqual(step.record.typeName, name)
    #expect(step.record.event == nil && step.record.obstacle == nil)
    #expect(step.before == step.after && step.changes?.isEmpty == true)
    try expectEqual(history.state(at: .end).state.notes, ["before", "a"])
    #expect(try history.check().isSound)
    // A store goes on with it, too.
    let store = try journal.open(Ledger.self)
    expectEqual(store.state.notes, ["before", "a"])
    try store.close()
  }

  @Test(
    "An event that must be understood makes the state unknown, and later events are still returned",
    arguments: [
      (77, 1, [], HistoryError.unknownType(sequence: 2, type: 77, version: 1)),
      (2, 9, [], .unknownVersion(sequence: 2, name: "money.moved", version: 9)),
      (2, 1, broken, .undecodable(sequence: 2, name: "money.moved", WireError(.wrongWireType(field: 1), at: 0))),
    ] as [(UInt32, UInt32, [UInt8], HistoryError)])
  func mustUnderstand(type: UInt32, version: UInt32, body: [UInt8], error: HistoryError) throws {
    let (journal, history) = try history(around: envelope(type, version: version, .mustUnderstand, body))
    expectEqual(error.lastDerivable, 1)
    try expectEqual(history.state(at: .sequence(1)).state.notes, ["before"])
    for position in [Position.sequence(2), .sequence(3), .end, .time(.max)] {
      #expect(throws: error) { try history.state(at: position) }
    }
    #expect(throws: error) { try history.lastWrites(to: "/notes") }
    let report = try history.check()
    #expect(report.obstacle == error && !report.isSound && report.lastSequence == 1)
    var cursor = try history.cursor()
    var steps: [HistoryStep<Ledger>] = []
    while case .event(let step)? = try cursor.next() { steps.append(step) }
    expectEqual(steps.map(\.record.sequence), [1, 2, 3])
    expectEqual(steps.map { $0.changes != nil }, [true, false, false])
    #expect(steps[1].before != nil && steps[1].after == nil && steps[2].before == nil)
    #expect(cursor.obstacle == error && cursor.state == nil && cursor.lastDerivable == 1)
    #expect(throws: error) { try journal.open(Ledger.self) }
  }

  @Test("An event of a known type that must be understood is not left out because its writer allows it to others")
  func undecodable() throws {
    let (journal, history) = try history(around: envelope(2, .ignorable, Self.broken))
    let error = HistoryError.undecodable(
      sequence: 2, name: "money.moved", WireError(.wrongWireType(field: 1), at: 0))
    #expect(throws: error) { try history.state(at: .end) }
    try expectEqual(history.check().obstacle, error)
    #expect(throws: error) { try journal.open(Ledger.self) }
  }

  @Test("An event that needs an unknown feature is refused even if it may be left out, and nothing is written")
  func unknownFeatures() throws {
    var envelope = envelope(3, .ignorable, [10, 1, 0x61])
    envelope.features = EnvelopeFeatures(rawValue: 1 << 63 | 1 << 9)
    let (journal, history) = try history(around: envelope)
    let features = EnvelopeFeatures(rawValue: 1 << 63 | 1 << 9)
    let error = HistoryError.unknownFeatures(sequence: 2, name: "note.added", features)
    expectEqual(
      error.description,
      "event 2, note.added, needs the features of bits 9 and 63, which this program does not know. "
        + "Use a newer program, or ask for position 1 or an earlier one.")
    #expect(throws: error) { try history.state(at: .end) }
    try expectEqual(history.state(at: .sequence(1)).state.notes, ["before"])
    try expectEqual(history.check().obstacle, error)
    var cursor = try history.cursor()
    var steps: [HistoryStep<Ledger>] = []
    while case .event(let step)? = try cursor.next() { steps.append(step) }
    #expect(steps.map(\.record.sequence) == [1, 2, 3] && cursor.obstacle == error)
    #expect(steps[1].record.content == .unknownFeatures(features) && steps[1].record.typeName == "note.added")
    #expect(!steps[1].record.isDescribed && steps[1].after == nil)
    let before = try journal.stamps()
    #expect(throws: error) { try journal.open(Ledger.self) }
    try expectEqual(journal.stamps(), before)
  }

  @Test("A payload without an envelope is returned with its bytes and makes the state unknown")
  func foreign() throws {
    let journal = try TemporaryJournal()
    try journal.create(Ledger.self).close()
    try journal.appendRaw(payloads: [[0xff, 0xff], [16, 1]])
    let history = try journal.history(Ledger.self)
    let error = HistoryError.foreignPayload(sequence: 1, WireError(.truncated, at: 0))
    #expect(throws: error) { try history.state(at: .end) }
    var cursor = try history.events()
    guard case .event(let first)? = try cursor.next(), case .event(let second)? = try cursor.next() else {
      Issue.record("there are no events")
      return
    }
    expectEqual(first.record.content, .foreign(WireError(.truncated, at: 0)))
    expectEqual(first.record.envelope.body, [0xff, 0xff])
    expectEqual(first.record.fields.error?.code, .truncated)
    expectEqual(second.record.content, .foreign(WireError(.missing(field: 1), at: 2)))
  }

  @Test("An event that does not fit the state changes nothing")
  func outOfPlace() throws {
    var writer = WireWriter()
    LedgerEvent.moved(from: 8, to: 9, amount: 5).encodeBody(into: &writer)
    let (journal, history) = try history(around: envelope(2, .mustUnderstand, writer.bytes))
    var cursor = try history.cursor(after: .sequence(1))
    guard case .event(let step)? = try cursor.next() else {
      Issue.record("there is no event")
      return
    }
    expectEqual(step.record.event, .moved(from: 8, to: 9, amount: 5))
    expectEqual(step.changes, StateDiff())
    withExtendedLifetime(journal) {}
  }

  @Test("An unknown event's body is printed by its field numbers, and a known one's by its description")
  func printing() throws {
    let (journal, history) = try history(around: envelope(77, .ignorable, [16, 5]))
    var cursor = try history.events()
    guard case .event(let known)? = try cursor.next(), case .event(let unknown)? = try cursor.next() else {
      Issue.record("there are no events")
      return
    }
    expectEqual(known.record.fields["text"]?.values, [.text("before")])
    expectEqual(unknown.record.fields.fields.map(\.number), [2])
    expectEqual(unknown.record.fields.fields.first?.values, [.unknown(.varint, [16, 5])])
    withExtendedLifetime(journal) {}
  }
}
