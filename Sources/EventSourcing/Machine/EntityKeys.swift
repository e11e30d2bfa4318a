import Journal
import WireFormat

/// Which fields of a domain's events are the keys of entities: what ``EventTypes/keyed(_:by:)`` says.
public struct EntityKeys: Sendable {
  /// The kinds, in the order in which they were named.
  private(set) var kinds: [Kind] = []
  /// The keys of each type.
  private var fields: [UInt32: [Field]] = [:]
  /// The versions of all types that this program writes: only their bodies are read as they stand.
  private var currentVersions: [UInt32: UInt32] = [:]
  /// The types and versions that earlier lists of types read.
  private var earlier: [(type: UInt32, version: UInt32)] = []

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
    /// Whether zero refers to nothing.
    let isReference: Bool
    /// The entity that an absent field names.
    var absent: EntityID?
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
    _ kind: String, by fields: KeyValuePairs<String, String>, in catalog: EventCatalog,
    _ absentFields: (UInt32) -> [UInt8]
  ) -> [DomainMistake] {
    guard 1...Self.maximumKindLength ~= kind.utf8.count else {
      return [DomainMistake("the kind of entities \"\(kind)\" does not have 1 to \(Self.maximumKindLength) bytes")]
    }
    for entry in catalog.entries { currentVersions[entry.number] = max(1, entry.version) }
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
      if let fault = add(field, as: kind, of: entry, absentFields(entry.number)) {
        mistakes.append(DomainMistake(in: type, fault))
      }
    }
    return mistakes
  }

  /// Adds a key.
  ///
  /// - Parameter absentFields: What absent fields mean.
  /// - Returns: What is wrong with it, as a clause.
  private mutating func add(
    _ field: FieldDescriptor, as kind: String, of entry: EventDescriptor, _ absentFields: [UInt8]
  ) -> String? {
    guard !field.isPersonal else { return "\(field.place) is personal, and the key of \(kind): a key is never sealed" }
    let isNumber: Bool
    var isReference = false
    switch field.type {
    case .unsigned: isNumber = true
    case .reference: (isNumber, isReference) = (true, true)
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
    var key = Field(
      number: field.number, kind: place, isNumber: isNumber, isRepeated: field.cardinality == .repeated,
      isReference: isReference)
    key.absent = absentFields.withUnsafeBytes { bytes in
      (try? Self.ids(of: key, in: bytes)).flatMap { $0.only ?? $0.listed.last }
    }
    if !fields[entry.number, default: []].contains(key) { fields[entry.number, default: []].append(key) }
    return nil
  }

  /// Records which events an earlier list of types reads: their keys are those of what they stand for.
  mutating func addEarlier(_ catalog: EventCatalog) {
    for entry in catalog.entries { earlier.append((entry.number, entry.version)) }
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
        writer.writePresent(6, unsigned: UInt64(currentVersions[type] ?? 0))
        writer.writePresent(7, unsigned: UInt64(field.number))
        writer.write(8, bool: field.isReference)
        if let absent = field.absent {
          writer.writePresent(9, unsigned: absent.high)
          writer.writePresent(10, unsigned: absent.low)
        }
      }
    }
    for (type, version) in earlier {
      writer.writePresent(11, unsigned: UInt64(type))
      writer.writePresent(12, unsigned: UInt64(version))
    }
  }

  /// An entity in its short form; `nil` if no event of the domain is about such entities.
  func id(of entity: Entity) -> EntityID? {
    guard let kind = kinds.firstIndex(where: { $0.name == entity.kind }) else { return nil }
    switch (entity.key, kinds[kind].isNumber) {
    case (.number(let number), true): return EntityID(kind: kind, high: 0, low: number)
    case (.guid(let guid), false): return EntityID(kind: kind, high: guid.high, low: guid.low)
    case (.number, false), (.guid, true): return nil
    }
  }

  /// The entity with this short form.
  func entity(_ id: EntityID) -> Entity {
    let kind = kinds[id.kind]
    return Entity(kind.name, kind.isNumber ? .number(id.low) : .guid(GUID(high: id.high, low: id.low)))
  }

  /// Whether events of a type are about entities.
  func hasKeys(_ type: UInt32) -> Bool { fields[type] != nil }

  /// Whether a type has this version in this program.
  func isCurrent(_ version: UInt32, of type: UInt32) -> Bool { currentVersions[type] == version }

  /// Calls `found` with each entity that an event of its type's current version is about, possibly more than once.
  ///
  /// - Parameter body: Its body. One that cannot be read names none.
  func forEach(ofType type: UInt32, in body: UnsafeRawBufferPointer, _ found: (EntityID) -> Void) {
    for field in fields[type] ?? [] {
      guard let ids = try? Self.ids(of: field, in: body) else { continue }
      if let only = ids.only { found(only) }
      for id in ids.listed { found(id) }
    }
  }

  /// The entities that a field names: that of one which occurs once, and those of a list.
  private static func ids(
    of field: Field, in body: UnsafeRawBufferPointer
  ) throws(WireError) -> (only: EntityID?, listed: [EntityID]) {
    var ids: (only: EntityID?, listed: [EntityID]) = (nil, [])
    var reader = WireReader(body)
    var isAbsent = true
    while let next = try reader.nextField() {
      guard next.number == field.number else {
        try reader.skip(next)
        continue
      }
      isAbsent = false
      // The last one counts of a field that occurs once.
      ids.only = nil
      var id = EntityID(kind: field.kind, high: 0, low: 0)
      if field.isNumber {
        id.low = try reader.unsigned(next)
        if id.low == 0, field.isReference { continue }
      } else {
        let bytes = try reader.rawBytes(next)
        guard bytes.count == 16 else { continue }
        id.high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        id.low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      if field.isRepeated { ids.listed.append(id) } else { ids.only = id }
    }
    if isAbsent { ids.only = field.absent }
    return ids
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
    writer.withBytes { keys.forEach(ofType: type, in: $0, found) }
  }

  /// Calls `found` with each entity that a recorded event is about, possibly more than once.
  static func forEachEntity(in fields: EnvelopeFields, _ found: (EntityID) -> Void) {
    guard fields.features.unknown.isEmpty else { return }
    let keys = entityKeys
    if keys.isCurrent(fields.version, of: fields.type) {
      return keys.forEach(ofType: fields.type, in: fields.body, found)
    }
    // Fields of another version may mean something else: the keys are those of the event that it stands for.
    var reader = WireReader(fields.body)
    let event = try? decode(type: fields.type, version: fields.version, body: &reader)
    event?.forEachEntity(found)
  }
}
