import Expectations
import EventSourcing
import Journal
import Testing

/// One journal through the life of an app.
@Suite("Six updates")
struct SixUpdatesTests {
  /// What a journal must say at any time: its events, with the type and the version they were written as.
  private struct Told: Equatable {
    var type: String
    var version: UInt32
    var body: [UInt8]
  }

  /// The journal, and what was appended to it.
  private final class Life {
    var journal: TemporaryJournal
    var told: [Told] = []
    /// The first event that is kept.
    var first: UInt64 = 1

    init() throws { journal = try TemporaryJournal() }

    /// Opens the journal with a program, which finds everything that was told, and appends some events.
    func run<Program: BankProgram>(
      _ program: Program.Type, _ events: [BankEvent<Program>], isNew: Bool = false,
      then use: (EventStore<Bank<Program>>) throws -> Void = { _ in }
    ) throws {
      let small = { (options: inout StoreOptions) in
        options.journal.segmentSizeLimit = 1 << 10
        options.journal.preallocation = 0
        options.keyframeInterval = 8
      }
      let store: EventStore<Bank<Program>> =
        isNew ? try journal.create(Bank<Program>.self, small) : try journal.open(Bank<Program>.self, small)
      if store.lastSequence > UInt64(told.count) { try note(store, program) }
      for event in events { try store.append(event, at: .seconds(Int64(told.count) + 1)); try note(store, program) }
      try use(store)
      let state = store.state
      try store.close()
      try check(program, state)
    }

    /// Adds the events that the journal has and were not told yet.
    private func note<Program: BankProgram>(_ store: EventStore<Bank<Program>>, _ program: Program.Type) throws {
      for record in try records(program, after: UInt64(told.count)) { told.append(record) }
      expectEqual(UInt64(told.count), store.lastSequence)
    }

    private func records<Program: BankProgram>(_ program: Program.Type, after sequence: UInt64) throws -> [Told] {
      var cursor = try journal.history(Bank<Program>.self).events(after: sequence)
      var records: [Told] = []
      while let item = try cursor.next() {
        guard case .event(let step) = item else { continue }
        let envelope = step.record.envelope
        records.append(Told(type: "\(envelope.type)", version: envelope.version, body: envelope.body))
      }
      return records
    }

    /// Nothing is lost: every event that was not retired is there as it was told, the journal is sound, and a reader and
    /// another opening find the same state.
    private func check<Program: BankProgram>(_ program: Program.Type, _ state: Bank<Program>) throws {
      let history = try journal.history(Bank<Program>.self)
      expectEqual(history.firstSequence, first)
      try expectEqual(records(program, after: first - 1), Array(told[(Int(first) - 1)...]))
      try expectEqual(history.state(at: .end).state, state)
      let report = try history.check()
      #expect(report.isSound && report.lastSequence == UInt64(told.count), "program \(Program.number): \(report)")
      try expectEqual(history.reader.verify().findings, [])
      let store = try journal.open(Bank<Program>.self)
      #expect(store.state == state && store.lastSequence == UInt64(told.count))
      try store.close()
    }
  }

  @Test("Nothing is lost while an app is updated six times, goes back once, retires its past and is forked")
  func life() throws {
    let life = try Life()
    let deposits = { (count: Int64) in (1...count).map { BankEvent<Bank1>.deposited(account: 1, amount: $0) } }
    try life.run(
      Bank1.self, [.opened(account: 1, owner: "Ada"), .opened(account: 2, owner: "Bob")] + deposits(30), isNew: true
    ) {
      expectEqual($0.state.accounts[key: 1]?.cents, 46_500)
      try $0.checkpoint()
    }
    // 1: a type and a slice.
    try life.run(Bank2.self, [.noted(text: "a"), .deposited(account: 2, amount: 200)]) {
      #expect($0.state.notes == ["a"] && $0.state.accounts[key: 2]?.cents == 20_000)
    }
    // 2: a version, which is not written yet.
    try life.run(Bank3.self, [.noted(text: "b")]) {
      expectEqual($0.state.notes, ["a", "b"])
      try $0.checkpoint()
    }
    // A step back, further than one program: what that one does not know may be left out.
    try life.run(Bank1.self, [.deposited(account: 2, amount: 1)]) {
      expectEqual($0.state.accounts[key: 2]?.cents, 20_100)
      try $0.checkpoint()
    }
    // 3: forward again, and the past is retired.
    try life.run(Bank3.self, [.deposited(account: 2, amount: 50), .noted(text: "c")]) { store in
      #expect(store.state.notes == ["a", "b", "c"] && store.state.accounts[key: 2]?.cents == 20_150)
      try store.checkpoint()
      life.first = try store.retire(before: 20, keepingStates: true)
      #expect((2...20).contains(life.first))
    }
    // 4: the revision. Of the retired deposits no bonus is known; that of 200 euros is folded by the new rules.
    try life.run(Bank4.self, [.deposited(account: 1, amount: 10_000)]) {
      expectEqual($0.state.accounts[key: 1]?.cents, 56_600)
      #expect($0.state.accounts[key: 2]?.cents == 20_250 && $0.state.notes == ["a", "b", "c"])
    }
    expectEqual(life.told.filter { $0.type == "\(StateMigration.type)" }.count, 1)
    // 5: a type that must be understood, and a field of a slice.
    try life.run(Bank5.self, [.limited(account: 2, cents: 7), .noted(text: "d")]) {
      expectEqual($0.state.accounts[key: 2]?.limit, 7)
      expectEqual($0.state.accounts[key: 1]?.cents, 56_600)
    }
    #expect(throws: HistoryError.self) { try life.journal.open(Bank<Bank4>.self) }
    // Forked, and 6: a slice that must be understood.
    let copy = try TemporaryJournal()
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let place = UInt64(life.told.count) - 1
    try EventStore<Bank<Bank5>>.fork(
      from: life.journal.history(Bank<Bank5>.self), at: place, to: copy.path, journalID: id, createdNanoseconds: 2
    ).close()
    life.journal = copy
    life.told.removeLast()
    life.first = place + 1
    try life.run(Bank6.self, [.closed(account: 2), .noted(text: "e")]) {
      #expect($0.state.closed == [2] && $0.state.notes == ["a", "b", "c", "e"])
      expectEqual($0.state.accounts.map(\.number), [1])
    }
    try life.run(Bank6.self, [.deposited(account: 1, amount: 1)])
    #expect(throws: HistoryError.self) { try life.journal.open(Bank<Bank5>.self) }
  }
}
