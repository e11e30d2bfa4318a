import EventSourcing
import Expectations
import Testing

/// Who came through which door.
private enum Visit: EventList {
  case entered(door: UInt64 = 0)

  static let types = EventTypes<Visit>("hall", .entered())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Visit {
    switch self {
    case .entered(let door): try list.event(1, "door.entered", .entered(door: list.field(1, "door", door)))
    }
  }
}

/// The state of the program that wrote the journal.
private struct Hall: Aggregate {
  var entries: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "entries", &entries) }

  mutating func apply(_ visit: Visit, _ context: EventContext) { entries += 1 }
}

/// One that also counts what earlier events say, whose revision should have been raised.
private struct CountedHall: Aggregate {
  var entries: UInt64 = 0
  var doors: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "entries", &entries)
    try field(2, "doors", &doors)
  }

  mutating func apply(_ visit: Visit, _ context: EventContext) {
    if case .entered(let door) = visit { doors += door }
    entries += 1
  }
}

@Suite("A check of a history whose digests cover fewer slices than the rules have")
struct AddedSliceCheckTests {
  @Test("Digests that agree for the slices they cover do not place a difference in a slice that they do not")
  func place() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Hall.self)
    for door in 1...5 { try store.append(.entered(door: UInt64(door)), at: Moment(wallNanoseconds: Int64(door))) }
    try store.checkpoint()
    try store.close()
    expectEqual(try journal.history(Hall.self).check().isSound, true)
    let report = try journal.history(CountedHall.self).check()
    let mismatch = try #require(report.mismatch)
    expectEqual(mismatch.sequence, 5)
    expectEqual(mismatch.lastAgreement, 0)
    expectEqual(mismatch.evidence?.sequence, 5)
    expectEqual(mismatch.suspects.map(\.path).contains("/doors"), true)
  }
}
