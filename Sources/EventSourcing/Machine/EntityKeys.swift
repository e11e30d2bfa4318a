import Journal
import WireFormat

/// Which fields of a domain's events are the keys of entities: what ``EventTypes/keyed(_:by:)`` says.
public struct EntityKeys: Sendable {
  /// The kinds, in the order in which they were named.
  private(set) var kinds: [Kind] = []
  /// The keys of each type.
  private var fields: [UInt32: [Field]] = [:]
  /// The versions of these types that are read as they stand.
  private var versions: [UInt32: UInt32] = [:]

  /// The types and versions that earlier lists of types read.
  private var earlier: [UInt32] = []

  struct Kind: Equatable, Sendable {
    var name: String
    /// Whether its keys are numbers, and not GUIDs.
    var isNumber: Bool
  }

  private struct Field: Equatable, Sendable {
    let number: Int
    let kind: Int
    let isNumber: Bool
    let isRepeated: Bool
    /// Whether zero is a key, and an absent field means it.
    let hasZero: Bool
  }

  /// The longest name of a kind, in bytes.
  private static var maximumKindLength: Int { 63 }

  init() {}

  /// Whether no event is about an entity.
  var isEmpty: Bool { kinds.isEmpty }

  /// Adds the keys of a kind of entities.
  ///
  /// - Returns: What is wrong with them.
  mutating func add(
    _ kind: String, by fields: KeyValuePairs<String, String>, in catalog: EventCatalog
  ) -> [DomainMistake] {
    guard 1...Self.maximumKindLength ~= kind.utf8.count else {
      return [DomainMistake("the kind of entities \"\(kind)\" does not have 1 to \(Self.maximumKindLength) bytes")]
    }
    var mistakes: [DomainMistake] = []
    for (type, name) in fields {
      guard let entry = catalog.entries.first(where: { $0.name == type }) else {
        mistakes.append(DomainMistake("the kind of entities \(kind) has keys in \(type), which is not among the types"))
        continue
      }
      guard let field = entry.body.fields.first(where: { $0.name == name }) else {
        mistakes.append(DomainMistake(in: type, "the key of \(kind) is the field \(name), which is not there"))
        continue
      }
      if let fault = add(field, as: kind, of: entry) { mistakes.append(DomainMistake(in: type, fault)) }
    }
    return mistakes
  }

  /// Adds a key.
  ///
  /// - Returns: What is wrong with it, as a clause.
  private mutating func add(_ field: FieldDescriptor, as kind: String, of entry: EventDescriptor) -> String? {
    guard !field.isPersonal else { return "\(field.place) is personal, and the key of \(kind): a key is never sealed" }
    let isNumber: Bool
    var hasZero = false
    switch field.type {
    case .unsigned: (isNumber, hasZero) = (true, field.cardinality == .single)
    case .reference: isNumber = true
    case .guid, .bytes: isNumber = false
    case .bool, .signed, .string, .json, .time, .duration, .sequence, .enumeration, .message:
      return "\(field.place) is the key of \(kind), and holds neither an unsigned number nor sixteen bytes"
    }
    if let known = kinds.first(where: { $0.name == kind }), known.isNumber != isNumber {
      return
        "\(field.place) is the key of \(kind), whose other keys are \(known.isNumber ? "numbers" : "sixteen bytes")"
    }
    let place = kinds.firstIndex { $0.name == kind } ?? kinds.count
    if place == kinds.count { kinds.append(Kind(name: kind, isNumber: isNumber)) }
    let key = Field(
      number: field.number, kind: place, isNumber: isNumber, isRepeated: field.cardinality == .repeated,
      hasZero: hasZero)
    if !fields[entry.number, default: []].contains(key) { fields[entry.number, default: []].append(key) }
    versions[entry.number] = max(1, entry.version)
    return nil
  }

  /// Records which events an earlier list of types reads: their keys are those of what they stand for.
  mutating func addEarlier(_ catalog: EventCatalog) {
    for entry in catalog.entries { earlier += [entry.number, entry.version] }
  }

  /// Tells the keys of a kind from others, so that what is stored of its entities is only used with the same.
  ///
  /// - Parameter revision: That of the reducer, which is raised when events come to mean something else.
  func fingerprint(ofKind place: Int, revision: UInt32) -> [UInt8] {
    var writer = WireWriter()
    write(place, revision: revision, to: &writer)
    return writer.withBytes { Digest.sha256($0).prefix }
  }

  /// Tells the keys of all kinds from others.
  func fingerprint(revision: UInt32) -> [UInt8] {
    var writer = WireWriter()
    for place in kinds.indices { write(place, revision: revision, to: &writer) }
    return writer.withBytes { Digest.sha256($0).prefix }
  }

  /// Writes all that decides which events are about the entities of a kind.
  private func write(_ place: Int, revision: UInt32, to writer: inout WireWriter) {
    writer.writePresent(1, string: kinds[place].name)
    writer.write(2, bool: kinds[place].isNumber)
    writer.writePresent(3, unsigned: UInt64(revision))
    // Events that need other features name no entity.
    writer.writePresent(4, unsigned: EnvelopeFeatures.known.rawValue)
    for type in fields.keys.sorted() {
      for field in fields[type] ?? [] where field.kind == place {
        writer.writePresent(5, unsigned: UInt64(type))
        writer.writePresent(6, unsigned: UInt64(versions[type] ?? 0))
        writer.writePresent(7, unsigned: UInt64(field.number))
        writer.write(8, bool: field.hasZero)
      }
    }
    for number in earlier { writer.writePresent(9, unsigned: UInt64(number)) }
  }

  /// An entity in its short form; `nil` if no event of the domain is about such entities.
  func id(of entity: Entity) -> EntityID? {
    guard let kind = kinds.firstIndex(where: { $0.name == entity.kind }) else { return nil }
    switch (entity.key, kinds[kind].isNumber) {
    case (.number(let number), true): return EntityID(kind: kind, high: 0, low: number)
    case (.guid(let high, let low), false): return EntityID(kind: kind, high: high, low: low)
    case (.number, false), (.guid, true): return nil
    }
  }

  /// The entity with this short form.
  func entity(_ id: EntityID) -> Entity {
    let kind = kinds[id.kind]
    return Entity(kind.name, kind.isNumber ? .number(id.low) : .guid(high: id.high, low: id.low))
  }

  /// Whether events of a type are about entities.
  func hasKeys(_ type: UInt32) -> Bool { fields[type] != nil }

  /// Calls `found` with each entity that an event is about, possibly more than once.
  ///
  /// - Parameters:
  ///   - version: That of its type. One that this program does not know names no entity.
  ///   - body: Its body. One that cannot be read names none either.
  func forEach(ofType type: UInt32, version: UInt32, in body: UnsafeRawBufferPointer, _ found: (EntityID) -> Void) {
    guard let fields = fields[type], version >= 1, version <= versions[type] ?? 0 else { return }
    for field in fields {
      for id in (try? Self.ids(of: field, in: body)) ?? [] { found(id) }
    }
  }

  private static func ids(of field: Field, in body: UnsafeRawBufferPointer) throws(WireError) -> [EntityID] {
    var ids: [EntityID] = []
    var reader = WireReader(body)
    var isAbsent = true
    while let next = try reader.nextField() {
      guard next.number == field.number else {
        try reader.skip(next)
        continue
      }
      isAbsent = false
      // The last one counts of a field that occurs once.
      if !field.isRepeated { ids = [] }
      if field.isNumber {
        let number = try reader.unsigned(next)
        if number > 0 || field.hasZero || field.isRepeated {
          ids.append(EntityID(kind: field.kind, high: 0, low: number))
        }
      } else {
        let bytes = try reader.rawBytes(next)
        guard bytes.count == 16 else { continue }
        ids.append(
          EntityID(
            kind: field.kind, high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
      }
    }
    if isAbsent, field.hasZero { ids.append(EntityID(kind: field.kind, high: 0, low: 0)) }
    return ids
  }
}

/// An entity whose kind is a number: its place among those of ``EntityKeys``.
struct EntityID: Hashable, Comparable, Sendable {
  var kind: Int
  var high: UInt64
  var low: UInt64

  static func < (one: EntityID, other: EntityID) -> Bool {
    (one.kind, one.high, one.low) < (other.kind, other.high, other.low)
  }
}

extension JournaledEvent {
  /// An entity in its short form.
  ///
  /// - Throws: `outOfRange` if no event of the domain is about such entities.
  static func entityID(of entity: Entity) throws(JournalError) -> EntityID {
    if let id = entityKeys.id(of: entity) { return id }
    throw JournalError(
      .outOfRange, "no event of the domain \"\(domain)\" is about an entity such as \(entity)",
      remedy: "name the keys of the kind \"\(entity.kind)\" in 'types', and use such keys")
  }

  /// Calls `found` with each entity that the event is about, possibly more than once.
  func forEachEntity(_ found: (EntityID) -> Void) {
    let keys = Self.entityKeys
    let type = type
    guard keys.hasKeys(type) else { return }
    var writer = WireWriter()
    encodeBody(into: &writer)
    writer.withBytes { keys.forEach(ofType: type, version: 1, in: $0, found) }
  }

  /// Calls `found` with each entity that a recorded event is about, possibly more than once.
  static func forEachEntity(in fields: EnvelopeFields, _ found: (EntityID) -> Void) {
    guard fields.features.unknown.isEmpty else { return }
    guard isUpcast(type: fields.type, version: fields.version) else {
      return entityKeys.forEach(ofType: fields.type, version: fields.version, in: fields.body, found)
    }
    // The keys are those of the event that the recorded one stands for.
    var reader = WireReader(fields.body)
    let event = try? decode(type: fields.type, version: fields.version, body: &reader)
    event?.forEachEntity(found)
  }
}
