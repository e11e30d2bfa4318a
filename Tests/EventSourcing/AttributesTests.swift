import Expectations
import EventSourcing
import Testing
import WireFormat

@Suite("What an app attaches to a command")
struct AttributesTests {
  private static let full = CommandAttributes(
    origin: CommandOrigin(process: 4711, at: Moment(wallNanoseconds: -5, uptimeNanoseconds: 9)), stream: "inbox/7",
    metadata: [MetadataEntry("request", "7f3a"), MetadataEntry("empty", "")])

  private static func bytes(_ envelope: Envelope) -> [UInt8] {
    var writer = WireWriter()
    envelope.encode(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ bytes: [UInt8]) throws -> Envelope {
    try WireReader.decode(bytes) { (reader) throws(WireError) in try Envelope(from: &reader) }
  }

  @Test(
    "An envelope with every field is read as it was written, its fields in the order of their numbers",
    arguments: zip([StateDigest.Scheme.canonical, .merkle, .listed], [10, 13, 18]))
  func roundTrip(scheme: StateDigest.Scheme, digest: Int) throws {
    var envelope = Envelope(type: 3, at: Moment(wallNanoseconds: 7, uptimeNanoseconds: 8))
    (envelope.version, envelope.cause, envelope.correlation, envelope.process) = (2, 3, 4, 5)
    (envelope.idempotencyKey, envelope.commandFingerprint) = ([6], [7])
    envelope.digest = RecordedDigest([9], as: scheme)
    envelope.features = EnvelopeFeatures(rawValue: 1 << 63 | 5)
    envelope.attributes = Self.full
    envelope.keyCheck = [8, 7, 6, 5, 4, 3, 2, 1]
    envelope.body = [10, 1, 0x61]
    let bytes = Self.bytes(envelope)
    try expectEqual(Self.decoded(bytes), envelope)
    var numbers: [Int] = []
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      while let field = try reader.nextField() {
        numbers.append(field.number)
        try reader.skip(field)
      }
    }
    expectEqual(numbers, ([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 17, 17, 19] + [digest]).sorted())
    expectEqual(Set(Envelope.descriptor.fields.map(\.number)), Set(numbers + [10, 13, 18]))
  }

  @Test(
    "Attributes that do not hold what they should make the envelope unreadable",
    arguments: [
      [8, 1, 0x72, 2, 8, 0x80], [8, 1, 0x82, 1, 1, 0xff], [8, 1, 0x8a, 1, 3, 10, 1, 0xff], [8, 1, 0x60 | 2, 1, 0],
      [8, 1, 0x9a, 1, 2, 1, 2],
    ] as [[UInt8]])
  func unreadable(bytes: [UInt8]) {
    #expect(throws: WireError.self) { try Self.decoded(bytes) }
  }

  @Test("Every event of a command carries its attributes, and the next command's events carry none")
  func appended() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.note(["a", "b"]), at: .seconds(1), attributes: Self.full)
    try store.append(.note(["c"]), at: .seconds(2))
    try store.append(.note(["d"]), at: .seconds(3), attributes: CommandAttributes())
    let records = try store.recordedEvents(after: 0)
    expectEqual(records.map(\.envelope.attributes), [Self.full, Self.full, nil, nil])
    #expect(records.map(\.content).allSatisfy { if case .known = $0 { true } else { false } })
    try store.close()
    #expect(try journal.history(Ledger.self).check().isSound)
  }

  @Test("The longest attributes and the longest idempotency key are read back, and recognised after a restart")
  func longest() throws {
    let journal = try TemporaryJournal()
    let key = [UInt8](repeating: 7, count: EventStore<Ledger>.maximumKeyLength)
    let full = CommandAttributes(
      stream: String(repeating: "s", count: CommandAttributes.maximumStreamLength),
      metadata: (0..<CommandAttributes.maximumEntryCount).map { number in
        let name = "\(number)"
        return MetadataEntry(
          name + String(repeating: "k", count: CommandAttributes.maximumKeyLength - name.utf8.count),
          String(repeating: "ä", count: CommandAttributes.maximumValueLength / 2))
      })
    var store = try journal.create(Ledger.self)
    try store.append(.note(["a"]), at: .seconds(1), idempotencyKey: key, attributes: full)
    try store.checkpoint()
    try store.close()
    store = try journal.open(Ledger.self)
    try store.append(.note(["a"]), at: .seconds(2), idempotencyKey: key, attributes: full)
    try expectEqual(store.recordedEvents(after: 0).map(\.envelope.attributes), [full])
    #expect(throws: StoreError<LedgerRejection>.keyTooLong(bytes: key.count + 1)) {
      try store.append(.note(["a"]), at: .seconds(3), idempotencyKey: key + [7])
    }
    try store.close()
  }

  @Test("Submitted commands keep their own attributes, written together or not")
  func submitted() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = try? await store.submit(
            .note(["\(number)"]), at: .seconds(1),
            attributes: number % 2 == 0 ? CommandAttributes(stream: "\(number)") : nil)
        }
      }
    }
    let records = try store.recordedEvents(after: 0)
    expectEqual(records.count, 20)
    for record in records {
      guard case .noted(let text)? = record.event else { continue }
      expectEqual(record.envelope.attributes?.stream, Int(text).map { $0 % 2 == 0 } == true ? text : nil)
    }
    try store.close()
  }

  @Test(
    "Attributes beyond a limit are refused by name, and nothing is written",
    arguments: [
      (CommandAttributes(stream: String(repeating: "s", count: 256)), .streamTooLong(bytes: 256)),
      (CommandAttributes(metadata: (0..<17).map { MetadataEntry("k\($0)", "") }), .tooManyEntries(count: 17)),
      (CommandAttributes(metadata: [MetadataEntry("", "")]), .keyInvalid("")),
      (CommandAttributes(metadata: [MetadataEntry("a b", "")]), .keyInvalid("a b")),
      (CommandAttributes(metadata: [MetadataEntry("a", ""), MetadataEntry("a", "")]), .keyRepeated("a")),
      (
        CommandAttributes(metadata: [MetadataEntry("a", String(repeating: "ä", count: 513))]),
        .valueTooLong(key: "a", bytes: 1026)
      ),
    ] as [(CommandAttributes, CommandAttributes.Problem)])
  func limits(attributes: CommandAttributes, problem: CommandAttributes.Problem) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    #expect(throws: StoreError<LedgerRejection>.attributes(problem)) {
      try store.append(.note(["a"]), at: .seconds(1), attributes: attributes)
    }
    expectEqual(store.lastSequence, 0)
    try store.append(.note(["a"]), at: .seconds(1))
    #expect(try store.recordedEvents(after: 0).first?.envelope.attributes == nil)
    try store.close()
  }
}
