import WireFormat

/// The last event of every entity, up to a position of a history. <doc:Entities> says how a checkpoint holds them.
@usableFromInline
struct EntityVersions: Equatable, Sendable {
  private(set) var versions: [EntityID: UInt64] = [:]
  /// The last event that was looked at.
  private(set) var sequence: UInt64 = 0
  /// The journal's chain after it.
  private(set) var chain: UInt32 = 0

  init() {}

  /// The last event of an entity; 0 if it has none.
  subscript(id: EntityID) -> UInt64 { versions[id] ?? 0 }

  /// Records that an event is about an entity. Events come in order.
  mutating func record(_ id: EntityID, at sequence: UInt64) { versions[id] = sequence }

  /// Records that all events up to one have been looked at.
  mutating func advance(to sequence: UInt64, chain: UInt32) { (self.sequence, self.chain) = (sequence, chain) }
}

extension EntityVersions {
  /// The versions as a checkpoint holds them.
  func encoded(_ keys: EntityKeys) -> [UInt8] {
    var writer = WireWriter()
    writer.write(1, bytes: keys.fingerprint)
    let ids = versions.keys.sorted()
    var next = 0
    for (place, kind) in keys.kinds.enumerated() {
      var numbers = PackedNumbers()
      var previous: UInt64 = 0
      while next < ids.count, ids[next].kind == place {
        let id = ids[next]
        if !kind.isNumber { numbers.append(id.high) }
        numbers.append(kind.isNumber ? id.low - previous : id.low)
        numbers.append(self[id])
        previous = id.low
        next += 1
      }
      writer.write(
        2,
        message: {
          $0.write(1, string: kind.name)
          $0.write(2, bool: kind.isNumber)
          $0.write(3, bytes: numbers.bytes)
        })
    }
    return writer.bytes
  }

  /// The versions in a checkpoint.
  ///
  /// - Parameters:
  ///   - isSame: Whether only a program that names the same keys may have stored them. What another one stored is known of kinds
  ///     that both name.
  /// - Returns: `nil` for what cannot be read or is not of this program's keys.
  init?(_ stored: [UInt8], _ keys: EntityKeys, upTo sequence: UInt64, chain: UInt32, isSame: Bool) {
    do throws(WireError) {
      var isOwn = false
      let isWhole = try WireReader.decode(stored) { (reader) throws(WireError) in
        while let field = try reader.nextField() {
          switch field.number {
          case 1: isOwn = try reader.bytes(field) == keys.fingerprint
          case 2:
            let isSound = try reader.message(field) { (inner) throws(WireError) in
              try addKind(from: &inner, keys, upTo: sequence)
            }
            guard isSound else { return false }
          default: try reader.skip(field)
          }
        }
        return true
      }
      guard isWhole, isOwn || !isSame else { return nil }
    } catch {
      return nil
    }
    advance(to: sequence, chain: chain)
  }

  /// Reads the entities of a kind; `false` for what no program writes.
  private mutating func addKind(
    from reader: inout WireReader, _ keys: EntityKeys, upTo last: UInt64
  ) throws(WireError) -> Bool {
    var kind = EntityKeys.Kind(name: "", isNumber: false)
    var numbers = PackedReader([])
    while let field = try reader.nextField() {
      switch field.number {
      case 1: kind.name = try reader.string(field)
      case 2: kind.isNumber = try reader.bool(field)
      case 3: numbers = PackedReader(try reader.bytes(field))
      default: try reader.skip(field)
      }
    }
    guard let place = keys.kinds.firstIndex(of: kind) else { return true }
    var previous: EntityID?
    while !numbers.isAtEnd {
      guard let high = kind.isNumber ? 0 : numbers.next(), let low = numbers.next(), let version = numbers.next(),
        1...max(1, last) ~= version
      else { return false }
      var id = EntityID(kind: place, high: high, low: low)
      if kind.isNumber, let previous {
        let (sum, overflows) = low.addingReportingOverflow(previous.low)
        guard !overflows else { return false }
        id.low = sum
      }
      guard previous.map({ $0 < id }) ?? true else { return false }
      record(id, at: version)
      previous = id
    }
    return true
  }

  /// Only the entities whose last event precedes one, up to the event before that.
  func before(_ first: UInt64, chain: UInt32) -> EntityVersions {
    var earlier = self
    earlier.versions = versions.filter { $0.value < first }
    earlier.advance(to: first - 1, chain: chain)
    return earlier
  }
}
