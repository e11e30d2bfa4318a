import WireFormat

/// The last event of every entity, up to a position of a history. <doc:Entities> says how a checkpoint holds them.
@usableFromInline
struct EntityVersions: Equatable, Sendable {
  private(set) var versions: [EntityID: UInt64] = [:]
  /// The kinds whose first events were not looked at: an entity of such a kind may have events although no version is here.
  private(set) var incompleteKinds: Set<Int> = []
  /// The last event that was looked at.
  private(set) var sequence: UInt64 = 0
  /// The journal's chain after it.
  private(set) var chain: UInt32 = 0

  /// The versions before the first event.
  init() {}

  /// Nothing is known of the events up to one.
  init(unknownUpTo sequence: UInt64, chain: UInt32, _ keys: EntityKeys) {
    incompleteKinds = Set(keys.kinds.indices)
    advance(to: sequence, chain: chain)
  }

  /// The last event of an entity; 0 if it has none, and `nil` if that is unknown.
  func version(of id: EntityID) -> UInt64? { versions[id] ?? (incompleteKinds.contains(id.kind) ? nil : 0) }

  /// Records that an event is about an entity. Events come in order.
  mutating func record(_ id: EntityID, at sequence: UInt64) { versions[id] = sequence }

  /// Records that all events up to one have been looked at.
  mutating func advance(to sequence: UInt64, chain: UInt32) { (self.sequence, self.chain) = (sequence, chain) }

  /// Takes over what other versions say of the incomplete kinds before an event.
  mutating func complete(from other: EntityVersions, before first: UInt64) {
    for (id, version) in other.versions where version < first && incompleteKinds.contains(id.kind) {
      versions[id] = max(versions[id] ?? 0, version)
    }
    incompleteKinds.formIntersection(other.incompleteKinds)
  }
}

extension EntityVersions {
  /// The versions as a checkpoint holds them.
  ///
  /// - Parameter revision: That of the reducer.
  func encoded(_ keys: EntityKeys, revision: UInt32) -> [UInt8] {
    var writer = WireWriter()
    let ids = versions.keys.sorted()
    var next = 0
    for (place, kind) in keys.kinds.enumerated() {
      var numbers = WireWriter()
      var previous: UInt64 = 0
      while next < ids.count, ids[next].kind == place {
        let id = ids[next]
        if !kind.isNumber { numbers.append(number: id.high) }
        numbers.append(number: kind.isNumber ? id.low - previous : id.low)
        numbers.append(number: versions[id] ?? 0)
        previous = id.low
        next += 1
      }
      writer.write(
        1,
        message: {
          $0.write(1, string: kind.name)
          $0.write(2, bytes: keys.fingerprint(ofKind: place, revision: revision))
          $0.write(3, bytes: numbers.bytes)
          $0.write(4, bool: incompleteKinds.contains(place))
        })
    }
    return writer.bytes
  }

  /// The versions in a checkpoint. Kinds with other keys are incomplete.
  ///
  /// - Returns: `nil` for what cannot be read.
  init?(_ stored: [UInt8], _ keys: EntityKeys, revision: UInt32, upTo sequence: UInt64, chain: UInt32) {
    self.init(unknownUpTo: sequence, chain: chain, keys)
    do throws(WireError) {
      let isSound = try WireReader.decode(stored) { (reader) throws(WireError) in
        while let field = try reader.nextField() {
          guard field.number == 1 else {
            try reader.skip(field)
            continue
          }
          let isSound = try reader.message(field) { (inner) throws(WireError) in
            try addKind(from: &inner, keys, revision: revision)
          }
          guard isSound else { return false }
        }
        return true
      }
      guard isSound else { return nil }
    } catch {
      return nil
    }
  }

  /// Reads the entities of a kind; `false` for what no program writes.
  private mutating func addKind(
    from reader: inout WireReader, _ keys: EntityKeys, revision: UInt32
  ) throws(WireError) -> Bool {
    var name = ""
    var fingerprint: [UInt8] = []
    var numbers = WireReader(UnsafeRawBufferPointer(start: nil, count: 0))
    var isIncomplete = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: name = try reader.string(field)
      case 2: fingerprint = try reader.bytes(field)
      case 3: numbers = WireReader(try reader.rawBytes(field))
      case 4: isIncomplete = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    guard let place = keys.kinds.firstIndex(where: { $0.name == name }),
      keys.fingerprint(ofKind: place, revision: revision) == fingerprint
    else { return true }
    let isNumber = keys.kinds[place].isNumber
    var previous: EntityID?
    while !numbers.isAtEnd {
      let high = isNumber ? 0 : try numbers.number()
      let (low, version) = (try numbers.number(), try numbers.number())
      guard 1...max(1, sequence) ~= version else { return false }
      var id = EntityID(kind: place, high: high, low: low)
      if isNumber, let previous {
        let (sum, overflows) = low.addingReportingOverflow(previous.low)
        guard !overflows else { return false }
        id.low = sum
      }
      guard previous.map({ $0 < id }) ?? true else { return false }
      record(id, at: version)
      previous = id
    }
    if !isIncomplete { incompleteKinds.remove(place) }
    return true
  }
}
