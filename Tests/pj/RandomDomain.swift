import EventSourcing
import Journal
import JournalSimulation
import WireFormat

/// A domain of which nothing is known but a seed: its catalogues and a journal of its events.
struct RandomDomain {
  let name: String
  /// What its program described its events by, one version after the other.
  let catalogs: [EventCatalog]
  private var random: SeededGenerator

  init(seed: UInt64, named name: String = "random.example") {
    self.name = name
    var random = SeededGenerator(seed: seed)
    catalogs = (0...random.below(3)).map { _ in Self.catalog(&random) }
    self.random = random
  }

  /// The names of all event types.
  var typeNames: Set<String> { Set(catalogs.flatMap { $0.entries.map(\.name) }) }

  /// Writes a journal of events of each catalogue in turn, most of which fit it.
  func write(to path: String, events: Int) throws -> [[UInt8]] {
    var random = random
    var payloads: [[UInt8]] = []
    for (version, catalog) in catalogs.enumerated() {
      var options = JournalOptions()
      options.segmentSizeLimit = 1 << UInt64(10 + random.below(4))
      options.preallocation = 0
      options.syncPolicy = .none
      options.domain = try JournalDomain(name: name, catalog: catalog.encode())
      let journal =
        version == 0
        ? try JournalWriter.create(
          at: path, id: JournalID(bytes: (0..<16).map { _ in UInt8(random.below(256)) }) ?? .none,
          createdNanoseconds: 1, options: options)
        : try JournalWriter.open(at: path, options: options)
      var batch = JournalBatch()
      for _ in 0..<events {
        let payload = Self.payload(catalog, &random)
        try batch.append(payload: payload, label: 1)
        payloads.append(payload)
        if random.oneIn(2) { try journal.append(&batch) }
      }
      if !batch.isEmpty { try journal.append(&batch) }
      try journal.close()
    }
    return payloads
  }

  // MARK: - Catalogues

  private static func catalog(_ random: inout SeededGenerator) -> EventCatalog {
    var messages: [MessageDescriptor] = []
    for index in 0...random.below(5) {
      var number = 0
      let fields = (0..<random.below(6)).map { field in
        number += random.below(3) + 1
        return FieldDescriptor(
          number, "field\(field)", type(&random, messages), [.single, .optional, .repeated][random.below(3)],
          privacy: [.public, .account, .secret][random.below(3)], "meaning \(random.below(4))")
      }
      messages.append(MessageDescriptor("Message\(index)", fields))
    }
    // Among the numbers of app protection's types.
    var number: UInt32 = 0
    return EventCatalog(
      (0...random.below(7)).map { _ in
        number += UInt32(random.below(30)) + 1
        return EventDescriptor(
          number, "made.up\(number)x\(random.below(1000))", version: UInt32(random.below(3) + 1),
          unknownReaders: random.oneIn(2) ? .ignorable : .mustUnderstand, body: messages[random.below(messages.count)],
          meaning: "what \(number) records")
      })
  }

  private static func type(_ random: inout SeededGenerator, _ messages: [MessageDescriptor]) -> FieldType {
    switch random.below(13) {
    case 0: return .bool
    case 1: return .unsigned
    case 2: return .signed
    case 3: return .string
    case 4: return .json
    case 5: return .bytes
    case 6: return .guid
    case 7: return .time
    case 8: return .duration
    case 9: return .sequence
    case 10: return .reference(ReferenceDescriptor("thing\(random.below(3))", prefix: "t"))
    case 11:
      var number: UInt64 = 0
      let members = (0...random.below(4)).map { member in
        number += UInt64(random.below(3))
        defer { number += 1 }
        return (number: number, name: "member\(member)")
      }
      return .enumeration(EnumerationDescriptor("Names", members))
    default: return messages.isEmpty ? .bool : .message(messages[random.below(messages.count)])
    }
  }

  // MARK: - Events

  private static func payload(_ catalog: EventCatalog, _ random: inout SeededGenerator) -> [UInt8] {
    let descriptor = catalog.entries[random.below(catalog.entries.count)]
    var envelope = Envelope(
      type: descriptor.number, at: Moment(wallNanoseconds: 1_700_000_000_000_000_000 + Int64(random.below(1 << 40))))
    envelope.version = 1 + UInt32(random.below(Int(descriptor.version)))
    envelope.unknownReaders = descriptor.unknownReaders
    envelope.cause = random.oneIn(4) ? UInt64(random.below(5)) : 0
    var body = WireWriter()
    write(descriptor.body, into: &body, &random, depth: 0)
    envelope.body = body.bytes
    switch random.below(24) {
    case 0: envelope.body = (0..<random.below(20)).map { _ in UInt8(random.below(256)) }
    case 1: envelope.type = UInt32(200 + random.below(100))
    case 2: envelope.version = descriptor.version + 1
    case 3: return (0...random.below(20)).map { _ in UInt8(random.below(256)) }
    default: break
    }
    var writer = WireWriter()
    envelope.encode(into: &writer)
    return writer.bytes
  }

  private static func write(
    _ message: MessageDescriptor, into body: inout WireWriter, _ random: inout SeededGenerator, depth: Int
  ) {
    for field in message.fields {
      let count = field.cardinality == .repeated ? random.below(4) : random.oneIn(4) ? 0 : 1
      for _ in 0..<count { write(field, into: &body, &random, depth: depth) }
    }
  }

  private static func write(
    _ field: FieldDescriptor, into body: inout WireWriter, _ random: inout SeededGenerator, depth: Int
  ) {
    let (tag, number) = (field.number, random.oneIn(3) ? random.next() : UInt64(random.below(1000)))
    switch field.type {
    case .bool: body.writePresent(tag, unsigned: number & 1)
    case .unsigned, .reference, .sequence: body.writePresent(tag, unsigned: number)
    case .signed: body.writePresent(tag, signed: Int64(bitPattern: number))
    case .duration: body.writePresent(tag, signed: Int64(bitPattern: number))
    case .string: body.writePresent(tag, string: ["", "plain", "two words", "\u{1B}[31m", "ä\n"][random.below(5)])
    case .json: body.writePresent(tag, string: ["{}", "[1,\"x\"]", "null", "{"][random.below(4)])
    case .bytes: body.write(tag, bytes: (0..<random.below(9)).map { _ in UInt8(random.below(256)) })
    case .guid: body.write(tag, bytes: (0..<(random.oneIn(9) ? 15 : 16)).map { _ in UInt8(random.below(256)) })
    case .time: body.writePresent(tag, fixed: 1_600_000_000_000_000_000 &+ Int64(bitPattern: number) % (1 << 50))
    case .enumeration(let names):
      let member = names.members[random.below(names.members.count)].number
      body.writePresent(tag, unsigned: random.oneIn(9) ? member + 1 : member)
    case .message(let part):
      var inner = WireWriter()
      write(part, into: &inner, &random, depth: depth + 1)
      body.write(tag, bytes: inner.bytes)
    }
  }
}
