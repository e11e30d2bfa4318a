import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

/// Two versions of a domain's program may describe the same journal, as long as no number means two things.
@Suite("Catalogues that contradict each other")
struct CatalogCompatibilityTests {
  private static func field(_ type: FieldType, _ cardinality: FieldDescriptor.Cardinality = .single) -> FieldDescriptor
  { FieldDescriptor(1, "amount", type, cardinality, "what") }

  private static func catalog(
    _ fields: FieldDescriptor..., name: String = "money.deposited", version: UInt32 = 1
  ) -> EventCatalog {
    EventCatalog([EventDescriptor(2, name, version: version, body: MessageDescriptor("Body", fields), meaning: "it")])
  }

  private static func coins(_ members: (UInt64, String)...) -> EventCatalog {
    catalog(
      field(.enumeration(EnumerationDescriptor("Coin\(members.count)", members.map { (number: $0.0, name: $0.1) }))))
  }

  private static func part(_ field: FieldDescriptor) -> EventCatalog {
    catalog(self.field(.message(MessageDescriptor("Part", [field]))))
  }

  @Test(
    "A number that means two things is a contradiction",
    arguments: [
      (catalog(), catalog(name: "money.withdrawn"), #"event type 2 is "money.deposited", not "money.withdrawn""#),
      (
        catalog(field(.unsigned)), catalog(FieldDescriptor(1, "fee", .unsigned, .single, "what")),
        #"in money.deposited, field 1 is "amount", not "fee""#
      ),
      (
        catalog(field(.unsigned)), catalog(field(.signed), version: 2),
        "in money.deposited, field 1, amount, is of type unsigned, not signed"
      ),
      (
        catalog(field(.unsigned)), catalog(field(.unsigned, .repeated)),
        "in money.deposited, field 1, amount, is not repeated"
      ),
      (
        catalog(field(.reference(ReferenceDescriptor("account", prefix: "a")))),
        catalog(field(.reference(ReferenceDescriptor("wipe", prefix: "a")))),
        "in money.deposited, field 1, amount, is of type reference to account, not reference to wipe"
      ),
      (
        coins((1, "cent"), (2, "euro")), coins((2, "dollar"), (3, "yen")),
        #"in money.deposited, member 2 of amount is "euro", not "dollar""#
      ),
      (
        part(field(.string)), part(field(.bytes)),
        "in money.deposited, in amount, field 1, amount, is of type string, not bytes"
      ),
    ])
  func contradictions(one: EventCatalog, other: EventCatalog, why: String) {
    expectEqual(one.contradiction(to: other), why)
    #expect(other.contradiction(to: one) != nil)
    #expect(one.contradiction(to: one) == nil && other.contradiction(to: other) == nil)
  }

  @Test(
    "Additions, older versions and other words contradict nothing",
    arguments: [
      (EventCatalog([]), catalog()),
      (catalog(), catalog(field(.unsigned), version: 3)),
      (
        catalog(field(.unsigned)),
        catalog(field(.unsigned, .optional), FieldDescriptor(9, "fee", .unsigned, .single, "what"))
      ),
      (coins((1, "cent")), coins((0, "none"), (1, "cent"), (9, "euro"))),
      (
        catalog(field(.reference(ReferenceDescriptor("account", prefix: "a")))),
        catalog(field(.reference(ReferenceDescriptor("account", prefix: "acc"))))
      ),
      (part(field(.string)), part(FieldDescriptor(1, "amount", .string, .single, privacy: .secret, "other words"))),
    ])
  func compatible(one: EventCatalog, other: EventCatalog) {
    #expect(one.contradiction(to: other) == nil)
    #expect(other.contradiction(to: one) == nil)
  }

  /// A journal of the ledger's own domain name whose second segment begins with another catalogue.
  private static func journal(_ catalog: [UInt8], _ body: (TemporaryJournal) throws -> Void) throws {
    let temporary = try TemporaryJournal()
    let store = try temporary.create()
    try store.tell()
    try store.close()
    var options = JournalOptions()
    options.domain = try JournalDomain(name: LedgerEvent.domain, catalog: catalog)
    let journal = try JournalWriter.open(at: temporary.path, options: options)
    var envelope = Envelope(type: 1, at: .seconds(900))
    envelope.body = [8, 42]
    var writer = WireWriter()
    envelope.encode(into: &writer)
    var batch = JournalBatch()
    try batch.append(payload: writer.bytes, label: 1)
    try journal.append(&batch)
    try journal.close()
    try body(temporary)
  }

  private static let otherMeaning = EventCatalog([
    EventDescriptor(
      1, "ship.sailed", body: MessageDescriptor("Sailed", [FieldDescriptor(1, "miles", .unsigned, .single, "how far")]),
      meaning: "A ship sailed.")
  ])

  @Test(
    "A journal of the domain's name with a catalogue of another meaning is refused, not written to and not folded",
    arguments: [
      (otherMeaning.encode(), "\"ship.sailed\", not \"account.opened\""), ([8, 0], "cannot read the catalogue"),
    ])
  func refused(catalog: [UInt8], why: String) throws {
    try Self.journal(catalog) { journal in
      let before = try journal.files.filter { $0 != "LOCK" }.map { try journal.contents($0) }
      let error = #expect(throws: HistoryError.self) { _ = try journal.open() }
      expectEqual(error?.description.contains(why), true, "\(String(describing: error))")
      try expectEqual(journal.files.filter { $0 != "LOCK" }.map { try journal.contents($0) }, before)
      let history = try journal.history()
      #expect(history.isOfOtherDomain)
      for position in [Position.sequence(3), .end] {
        #expect(throws: HistoryError.self) { _ = try history.state(at: position) }
      }
      #expect(throws: HistoryError.self) { _ = try history.check() }
    }
  }

  @Test("Its events are described by the catalogues inside it, not by the program's own")
  func described() throws {
    try Self.journal(Self.otherMeaning.encode()) { journal in
      var names: [String] = []
      var cursor = try journal.history().events()
      while let item = try cursor.next() {
        guard case .event(let step) = item else { continue }
        names.append(step.record.typeName)
        #expect(step.record.event == nil)
        if step.record.typeName == "ship.sailed" {
          expectEqual(step.record.fields["miles"]?.values, [.unsigned(42)])
        }
      }
      #expect(names.last == "ship.sailed" && names.dropLast().contains(LedgerEvent.catalog.entries[0].name))
      expectEqual(names.count, Int(storyLength) + 1)
    }
  }

  @Test("A journal of the domain's name that an older or a newer version of the program wrote opens")
  func compatibleJournals() throws {
    for extra in [[], [EventDescriptor(4_000, "later.added", body: MessageDescriptor("Later", []), meaning: "new")]] {
      let temporary = try TemporaryJournal()
      var options = JournalOptions()
      let entries = extra.isEmpty ? Array(LedgerEvent.catalog.entries.prefix(1)) : LedgerEvent.catalog.entries + extra
      options.domain = try JournalDomain(name: LedgerEvent.domain, catalog: EventCatalog(entries).encode())
      try JournalWriter.create(at: temporary.path, id: TemporaryJournal.id, createdNanoseconds: 1, options: options)
        .close()
      let store = try temporary.open()
      try store.tell()
      try store.close()
      try expectEqual(temporary.history().state(at: .end).position.sequence, storyLength)
    }
  }

  @Test(
    "A journal of the domain's name without any catalogue, as a salvage that found none writes it, opens by that name")
  func withoutCatalog() throws {
    let temporary = try TemporaryJournal()
    let store = try temporary.create()
    try store.tell()
    try store.close()
    for segment in try JournalReader(path: temporary.path).segments { try temporary.damage(segment.file, at: 300) }
    let copy = temporary.path + "-salvaged"
    defer { for name in (try? PosixFileSystem().list(copy)) ?? [] { try? PosixFileSystem().remove(copy + "/" + name) } }
    let report = try Salvage(of: [temporary.path]).write(to: copy)
    #expect(report.lacksCatalog && report.identity.domain == LedgerEvent.domain)
    try expectEqual(History<Ledger>(at: copy).state(at: .end).position.sequence, storyLength)
    let history = try History<CountingMachine>(at: copy)
    #expect(history.isOfOtherDomain)
    var cursor = try history.events()
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      #expect(step.record.content == .unknownType && step.record.typeName.hasPrefix("type "))
    }
    let opened = try EventStore<Ledger>.open(at: copy)
    try opened.append(.note(["later"]), at: .seconds(2_000))
    try opened.close()
    let reader = try JournalReader(path: copy)
    #expect(try reader.catalog(at: 1) == nil)
    try expectEqual(reader.catalog(at: .max), Ledger.journalDomain().catalog)
    try expectEqual(reader.verify().findings, [])
  }
}
