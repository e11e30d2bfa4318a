import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

/// A journal carries its catalogue, so that a program that knows none of its events can show them.
@Suite("A catalogue's bytes")
struct CatalogCodingTests {
  @Test("A catalogue is read as it was written", arguments: 0..<200 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let catalog = Self.random(&random)
    let read = try EventCatalog(decoding: catalog.encode())
    expectEqual(read.fingerprint(), catalog.fingerprint(), "seed \(seed)")
    expectEqual(read.encode(), catalog.encode(), "seed \(seed)")
    expectEqual(read.state, catalog.state, "seed \(seed)")
    for (one, other) in zip(catalog.entries, read.entries) {
      #expect(one.meaning == other.meaning && one.remedy == other.remedy, "seed \(seed)")
      expectEqual(one.body.fields.map(\.privacy), other.body.fields.map(\.privacy), "seed \(seed)")
    }
  }

  @Test("Any change of its bytes is refused or read as a catalogue, and never traps")
  func changed() throws {
    var random = SeededGenerator(seed: 7)
    let bytes = Self.random(&random).encode()
    for offset in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[offset] ^= 1 << UInt8(bit)
        if let catalog = try? EventCatalog(decoding: changed) { _ = catalog.fingerprint() }
      }
      _ = try? EventCatalog(decoding: Array(bytes[..<offset]))
    }
  }

  @Test("Slices that share a name, and a rule that no reader knows, are refused")
  func slices() {
    for (names, rule) in [(["one", "one"], 0), (["one"], 2), (["a b"], 0)] as [([String], UInt64)] {
      var catalog = WireWriter()
      for name in names {
        catalog.write(
          4,
          message: {
            $0.write(1, string: name)
            $0.write(2, unsigned: rule)
          })
      }
      catalog.write(5, unsigned: 1)
      #expect(throws: CatalogError.self) { try EventCatalog(decoding: catalog.bytes) }
    }
  }

  @Test("Messages that would fill the memory when written out are refused")
  func nested() {
    // Each message holds the one before it in every field.
    var catalog = WireWriter()
    for message in 1...40 as ClosedRange<UInt64> {
      catalog.write(2) { body in
        body.write(1, string: "M\(message)")
        for field in 1...9 as ClosedRange<UInt64> {
          body.write(2) {
            $0.write(1, unsigned: field)
            $0.write(2, string: "f\(field)")
            $0.write(3, unsigned: message == 1 ? 1 : 13)
            $0.write(4, unsigned: message - 1)
          }
        }
      }
    }
    #expect(throws: CatalogError.tooLarge) { try EventCatalog(decoding: catalog.bytes) }
  }

  @Test("Enumerations that would fill the memory when written out at every field are refused, and smaller ones are not")
  func manyMembers() throws {
    func catalog(fields: UInt64) -> [UInt8] {
      var catalog = WireWriter()
      catalog.write(3) { names in
        names.write(1, string: "E")
        for member in 0..<UInt64(2048) {
          names.write(2) {
            $0.write(1, unsigned: member)
            $0.write(2, string: "m\(member)")
          }
        }
      }
      // Two messages of half of the fields each.
      for message in 1...2 as ClosedRange<UInt64> {
        catalog.write(2) { body in
          body.write(1, string: "M\(message)")
          for field in 1...fields / 2 {
            body.write(2) {
              $0.write(1, unsigned: field)
              $0.write(2, string: "f\(field)")
              $0.write(3, unsigned: 12)
              $0.write(4, unsigned: 1)
            }
          }
        }
        catalog.write(1) {
          $0.write(1, unsigned: message)
          $0.write(2, string: "event.m\(message)")
          $0.write(5, unsigned: message)
        }
      }
      return catalog.bytes
    }
    try expectEqual(EventCatalog(decoding: catalog(fields: 512)).entries.count, 2)
    #expect(throws: CatalogError.tooLarge) { try EventCatalog(decoding: catalog(fields: 514)) }
  }

  @Test("Messages that lie too deep in each other are refused")
  func deep() {
    var catalog = WireWriter()
    for message in 1...10_000 as ClosedRange<UInt64> {
      catalog.write(2) { body in
        body.write(1, string: "M\(message)")
        body.write(2) {
          $0.write(1, unsigned: 1)
          $0.write(2, string: "f")
          $0.write(3, unsigned: message == 1 ? 1 : 13)
          $0.write(4, unsigned: message - 1)
        }
      }
    }
    #expect(throws: CatalogError.tooLarge) { try EventCatalog(decoding: catalog.bytes) }
  }

  /// Events whose one body holds messages within each other.
  private enum Nested<Depth: NestingDepth>: JournaledEvent {
    case happened

    static var domain: String { "nested" }
    static var catalog: EventCatalog {
      var body = MessageDescriptor("M1", [])
      for level in 1..<Depth.value {
        body = MessageDescriptor("M\(level + 1)", [FieldDescriptor(1, "f", .message(body), .single, "the one within")])
      }
      return EventCatalog([EventDescriptor(1, "it.happened", body: body, meaning: "It happened.")])
    }

    var type: UInt32 { 1 }
    func encodeBody(into writer: inout WireWriter) {}
    static func decode(type: UInt32, version: UInt32, body: inout WireReader) -> Nested? { .happened }
  }

  private protocol NestingDepth: Sendable { static var value: Int { get } }
  private enum Deepest: NestingDepth { static var value: Int { EventCatalog.maximumDepth } }
  private enum TooDeep: NestingDepth { static var value: Int { EventCatalog.maximumDepth + 1 } }

  @Test("A journal begins with the deepest catalogue that readers take, and with no deeper one")
  func deepest() throws {
    let read = try EventCatalog(decoding: Nested<Deepest>.journalDomain().catalog)
    expectEqual(read.fingerprint(), Nested<Deepest>.catalog.fingerprint())
    let error = #expect(throws: JournalError.self) { try Nested<TooDeep>.journalDomain() }
    #expect(error?.code == .outOfRange && error?.message.contains("\"nested\"") == true)
  }

  @Test("A message that contains itself or a later one is refused", arguments: [1, 2] as [UInt64])
  func recursive(place: UInt64) {
    var catalog = WireWriter()
    catalog.write(2) { body in
      body.write(1, string: "M")
      body.write(2) {
        $0.write(1, unsigned: 1)
        $0.write(2, string: "f")
        $0.write(3, unsigned: 13)
        $0.write(4, unsigned: place)
      }
    }
    #expect(throws: CatalogError.number(place, in: "message of f")) { try EventCatalog(decoding: catalog.bytes) }
  }

  @Test("A name that would disturb a terminal is refused")
  func name() {
    var catalog = WireWriter()
    catalog.write(3) { $0.write(1, string: "\u{1B}[2J") }
    #expect(throws: CatalogError.name("\u{1B}[2J")) { try EventCatalog(decoding: catalog.bytes) }
  }

  /// A catalogue with fields of every type, some of them nested.
  private static func random(_ random: inout SeededGenerator) -> EventCatalog {
    var messages: [MessageDescriptor] = []
    for index in 0..<Int(random.next() % 6 + 1) {
      var number = 0
      let fields = (0..<Int(random.next() % 6)).map { field in
        number += Int(random.next() % 3) + 1
        return FieldDescriptor(
          number, "field\(field)", type(&random, messages),
          [.single, .optional, .repeated][Int(random.next() % 3)],
          privacy: [.public, .account, .secret][Int(random.next() % 3)], "meaning \(random.next() % 4)")
      }
      messages.append(MessageDescriptor("Message\(index)", fields))
    }
    let slices = (0..<random.next() % 3).map {
      StateDescriptor.Slice("slice\($0)", unknownReaders: random.next() % 2 == 0 ? .ignorable : .mustUnderstand)
    }
    let revision = UInt32(random.next() % 3)
    return EventCatalog(
      (1...UInt32(random.next() % 8 + 1)).map { number in
        EventDescriptor(
          number * 3, "event.number\(number)", version: UInt32(random.next() % 3 + 1),
          unknownReaders: random.next() % 2 == 0 ? .ignorable : .mustUnderstand,
          body: messages[Int(random.next() % UInt64(messages.count))], meaning: "what \(number) records",
          remedy: random.next() % 2 == 0 ? "do something" : nil)
      }, state: revision == 0 ? nil : StateDescriptor(revision: revision, slices: slices))
  }

  private static func type(_ random: inout SeededGenerator, _ messages: [MessageDescriptor]) -> FieldType {
    let plain: [FieldType] = [
      .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .sequence,
      .reference(ReferenceDescriptor("thing", prefix: "t")),
      .enumeration(EnumerationDescriptor("Choice", [(0, "none"), (5, "five")])),
    ]
    let choice = Int(random.next() % UInt64(plain.count + 2))
    guard choice >= plain.count, let message = messages.last else { return plain[choice % plain.count] }
    return .message(message)
  }
}
