import Journal
import WireFormat

/// A part of the file `STREAMS`: which events of one segment are about which entities. <doc:Entities> says what its bytes are.
struct StreamSection: Equatable, Sendable {
  /// What it is bound to.
  struct Binding: Equatable, Sendable {
    /// The journal and the keys.
    var id: [UInt8]
    var fingerprint: [UInt8]
    var stretch: SegmentStretch
  }

  static let headerSize = 80
  static let entrySize = 16
  private static let magic: [UInt8] = [0x8a, 0x50, 0x4a, 0x45, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let version: UInt32 = 1
  private static let maximumBucketCount = 1 << 16
  /// How many entities share a bucket, about.
  private static let entitiesPerBucket = 32

  var binding: Binding
  var bucketCount: Int
  /// With the header.
  var length: UInt64
  /// The bytes that every bucket's digest begins with.
  private var head: [UInt8]

  /// Reads a header; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.headerSize, bytes.starts(with: Self.magic),
      Digest.sha256(Array(bytes[..<72])).begins(with: bytes[72...])
    else { return nil }
    func number(_ offset: Int, _ size: Int) -> UInt64 {
      bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let count = Int(number(12, 4))
    guard number(8, 4) == Self.version, 1...Self.maximumBucketCount ~= count, count & (count - 1) == 0 else {
      return nil
    }
    head = Array(bytes[..<72])
    bucketCount = count
    length = number(64, 8)
    binding = Binding(
      id: Array(bytes[16..<32]), fingerprint: Array(bytes[32..<40]),
      stretch: SegmentStretch(
        first: number(40, 8), next: number(48, 8), chainBefore: UInt32(number(56, 4)), chainAfter: UInt32(number(60, 4))
      ))
    guard length >= UInt64(Self.headerSize + count * Self.entrySize) else { return nil }
  }

  /// The bytes of a section; `nil` for one that does not fit its numbers.
  static func encoded(_ events: [EntityID: [UInt64]], _ binding: Binding) -> [UInt8]? {
    var count = 1
    while count < maximumBucketCount, count * entitiesPerBucket < events.count { count *= 2 }
    var buckets = [WireWriter](repeating: WireWriter(), count: count)
    for id in events.keys.sorted() {
      var numbers = WireWriter()
      var previous = binding.stretch.first - 1
      for sequence in events[id] ?? [] {
        numbers.append(number: sequence - previous)
        previous = sequence
      }
      let place = id.bucket(of: count)
      for number in [UInt64(id.kind), id.high, id.low, UInt64(numbers.count)] { buckets[place].append(number: number) }
      buckets[place].append(encoded: numbers.bytes)
    }
    let size = headerSize + count * entrySize + buckets.reduce(0) { $0 + $1.count }
    guard size <= UInt32.max else { return nil }
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    let stretch = binding.stretch
    let head =
      magic + bytes(version) + bytes(UInt32(count)) + binding.id + binding.fingerprint + bytes(stretch.first)
      + bytes(stretch.next) + bytes(stretch.chainBefore) + bytes(stretch.chainAfter) + bytes(UInt64(size))
    var table: [UInt8] = []
    var content: [UInt8] = []
    for (place, bucket) in buckets.enumerated() {
      table += bytes(UInt32(headerSize + count * entrySize + content.count)) + bytes(UInt32(bucket.count))
      table += Digest.sha256(head + bytes(UInt32(place)) + bucket.bytes).prefix
      content += bucket.bytes
    }
    return head + Digest.sha256(head).prefix + table + content
  }

  /// Whether all buckets of the section are as they were written.
  func isSound(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == Int(length) else { return false }
    return (0..<bucketCount).allSatisfy { place in
      let start = Self.headerSize + place * Self.entrySize
      let entry = Array(bytes[start..<(start + Self.entrySize)])
      guard let bucket = bucket(of: entry) else { return false }
      let content = Array(bytes[Int(bucket.offset)..<(Int(bucket.offset) + bucket.length)])
      return isDigest(of: content, at: place, entry)
    }
  }

  private func isDigest(of bucket: [UInt8], at place: Int, _ entry: [UInt8]) -> Bool {
    let number = withUnsafeBytes(of: UInt32(place).littleEndian) { Array($0) }
    return Digest.sha256(head + number + bucket).begins(with: entry[8...])
  }

  /// Where the entry of an entity's bucket stands in the section.
  func entryOffset(of id: EntityID) -> Int { Self.headerSize + id.bucket(of: bucketCount) * Self.entrySize }

  /// Where the bucket is that an entry describes; `nil` if that cannot be.
  func bucket(of entry: [UInt8]) -> (offset: UInt64, length: Int)? {
    guard entry.count == Self.entrySize else { return nil }
    let numbers = stride(from: 0, to: 8, by: 4).map { place in
      entry[place..<(place + 4)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let (end, overflows) = numbers[0].addingReportingOverflow(numbers[1])
    guard !overflows, end <= length else { return nil }
    return (numbers[0], Int(numbers[1]))
  }

  /// The events that are about an entity, from its bucket; `nil` if that is not what the entry says.
  func events(of id: EntityID, in bucket: [UInt8], _ entry: [UInt8]) -> [UInt64]? {
    guard isDigest(of: bucket, at: id.bucket(of: bucketCount), entry) else { return nil }
    var found: [UInt64] = []
    let isRead = forEach(in: bucket[...]) { other, sequence in
      if other == id { found.append(sequence) }
      return other == id || found.isEmpty
    }
    return isRead ? found : nil
  }

  /// What a section that is sound says of all entities; `nil` if there is no room for it.
  ///
  /// - Parameter room: How much memory to use, in bytes.
  func mentions(in bytes: [UInt8], upTo room: Int) -> EntityMentions? {
    var mentions = EntityMentions(from: binding.stretch.first)
    var hasRoom = true
    let isRead = forEach(in: bytes[(Self.headerSize + bucketCount * Self.entrySize)...]) { id, sequence in
      hasRoom = mentions.add(id, at: sequence) && mentions.size <= room
      return hasRoom
    }
    return isRead && hasRoom ? mentions : nil
  }

  /// Calls `body` with each entity in one or more buckets and each of its events, until it returns `false`.
  ///
  /// - Returns: Whether all of them can be read, as far as they were.
  private func forEach(in buckets: ArraySlice<UInt8>, _ body: (EntityID, UInt64) -> Bool) -> Bool {
    buckets.withUnsafeBytes { bytes in
      let isRead = try? WireReader.decode(bytes) { (numbers) throws(WireError) -> Bool in
        while !numbers.isAtEnd {
          guard let kind = Int(exactly: try numbers.number()) else { return false }
          let id = EntityID(kind: kind, high: try numbers.number(), low: try numbers.number())
          var events = try numbers.part()
          var sequence = binding.stretch.first - 1
          while !events.isAtEnd {
            let step = try events.number()
            guard step > 0, step < binding.stretch.next - sequence else { return false }
            sequence += step
            guard body(id, sequence) else { return true }
          }
        }
        return true
      }
      return isRead ?? false
    }
  }
}

extension EntityID {
  /// The place of the entity's bucket among `count`, a power of two.
  func bucket(of count: Int) -> Int {
    Int(truncatingIfNeeded: Self.mix(key &+ UInt64(kind)) & UInt64(count - 1))
  }

  /// A hash that tells entities apart in memory.
  var tag: UInt32 { UInt32(truncatingIfNeeded: Self.mix(key &+ UInt64(kind) &* 0xd6e8_feb8_6659_fd93)) }

  private var key: UInt64 { low ^ high &* 0x9e37_79b9_7f4a_7c15 }

  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
