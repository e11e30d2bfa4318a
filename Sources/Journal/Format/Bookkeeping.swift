/// The smallest and the largest label of some events; everything when a label is not known.
struct LabelRange: Hashable, Sendable {
  var minimum: Int64
  var maximum: Int64

  /// Holds no event yet: joining it with another range returns that range.
  static let empty = LabelRange(minimum: .max, maximum: .min)
  /// Events whose labels were not recorded.
  static let unknown = LabelRange(minimum: .min, maximum: .max)

  mutating func include(_ label: Int64) {
    minimum = min(minimum, label)
    maximum = max(maximum, label)
  }

  mutating func include(_ other: LabelRange) {
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }
}

/// The content of an ANCHOR frame: a summary of the block of frames before it.
struct Anchor: Hashable, Sendable {
  var blockStart: UInt64
  var eventCount: UInt32
  var blockChecksum: UInt32
  var chain: UInt32
  var labels: LabelRange
  /// `nil` when the journal keeps no history digest.
  var digest: [UInt8]?

  private static let hasDigest: UInt32 = 1

  func encoded() -> [UInt8] {
    var record = FixedRecord(size: Format.anchorSize)
    record.set(blockStart, at: 0)
    record.set(eventCount, at: 8)
    record.set(blockChecksum, at: 12)
    record.set(chain, at: 16)
    record.set(digest == nil ? 0 : Self.hasDigest, at: 20)
    record.set(labels.minimum, at: 24)
    record.set(labels.maximum, at: 32)
    record.set(digest ?? HistoryDigest.initial, at: 40)
    return record.bytes
  }

  init(
    blockStart: UInt64, eventCount: UInt32, blockChecksum: UInt32, chain: UInt32, labels: LabelRange, digest: [UInt8]?
  ) {
    self.blockStart = blockStart
    self.eventCount = eventCount
    self.blockChecksum = blockChecksum
    self.chain = chain
    self.labels = labels
    self.digest = digest
  }

  init?(_ payload: [UInt8]) {
    guard let record = FixedRecord(payload, size: Format.anchorSize) else { return nil }
    let flags = record.integer(at: 20, as: UInt32.self)
    self.init(
      blockStart: record.integer(at: 0), eventCount: record.integer(at: 8), blockChecksum: record.integer(at: 12),
      chain: record.integer(at: 16),
      labels: LabelRange(minimum: record.integer(at: 24), maximum: record.integer(at: 32)),
      digest: flags & Self.hasDigest != 0 ? record.slice(at: 40, count: 32) : nil)
  }
}

/// The content of a MARK frame: how much was durable when it was written.
struct Mark: Hashable, Sendable {
  /// Bytes of this segment before this offset, and every earlier segment, were synced.
  var durableOffset: UInt64
  /// The last event before that offset.
  var durableSequence: UInt64

  func encoded() -> [UInt8] {
    var record = FixedRecord(size: Format.markSize)
    record.set(durableOffset, at: 0)
    record.set(durableSequence, at: 8)
    return record.bytes
  }

  init(durableOffset: UInt64, durableSequence: UInt64) {
    self.durableOffset = durableOffset
    self.durableSequence = durableSequence
  }

  init?(_ payload: [UInt8]) {
    guard let record = FixedRecord(payload, size: Format.markSize) else { return nil }
    self.init(durableOffset: record.integer(at: 0), durableSequence: record.integer(at: 8))
  }
}

/// One block of a sealed segment, as the footer lists it.
struct IndexEntry: Hashable, Sendable {
  var firstSequence: UInt64
  var offset: UInt64
  /// The chain value before the block's first event.
  var chain: UInt32
  var eventCount: UInt32
  var labels: LabelRange
}

/// The content of a FOOTER frame: the sparse index of a sealed segment, and its totals.
struct Footer: Hashable, Sendable {
  var firstSequence: UInt64
  var eventCount: UInt64
  var chain: UInt32
  var labels: LabelRange
  var digest: [UInt8]?
  var entries: [IndexEntry]

  private static let hasDigest: UInt32 = 1

  func encoded() -> [UInt8] {
    var record = FixedRecord(size: Format.footerSize + entries.count * Format.indexEntrySize)
    record.set(firstSequence, at: 0)
    record.set(eventCount, at: 8)
    record.set(chain, at: 16)
    record.set(digest == nil ? 0 : Self.hasDigest, at: 20)
    record.set(labels.minimum, at: 24)
    record.set(labels.maximum, at: 32)
    record.set(digest ?? HistoryDigest.initial, at: 40)
    record.set(UInt32(entries.count), at: 72)
    record.set(UInt32(Format.indexEntrySize), at: 76)
    for (index, entry) in entries.enumerated() {
      let start = Format.footerSize + index * Format.indexEntrySize
      record.set(entry.firstSequence, at: start)
      record.set(entry.offset, at: start + 8)
      record.set(entry.chain, at: start + 16)
      record.set(entry.eventCount, at: start + 20)
      record.set(entry.labels.minimum, at: start + 24)
      record.set(entry.labels.maximum, at: start + 32)
    }
    return record.bytes
  }

  init(
    firstSequence: UInt64, eventCount: UInt64, chain: UInt32, labels: LabelRange, digest: [UInt8]?,
    entries: [IndexEntry]
  ) {
    self.firstSequence = firstSequence
    self.eventCount = eventCount
    self.chain = chain
    self.labels = labels
    self.digest = digest
    self.entries = entries
  }

  /// Reads a payload; `nil` when its counts do not fit its length.
  init?(_ payload: [UInt8]) {
    guard let record = FixedRecord(payload, size: payload.count), payload.count >= Format.footerSize else { return nil }
    let count = Int(record.integer(at: 72, as: UInt32.self))
    let size = Int(record.integer(at: 76, as: UInt32.self))
    guard size >= Format.indexEntrySize, size <= 4096, count <= (payload.count - Format.footerSize) / size else {
      return nil
    }
    let flags = record.integer(at: 20, as: UInt32.self)
    self.init(
      firstSequence: record.integer(at: 0), eventCount: record.integer(at: 8), chain: record.integer(at: 16),
      labels: LabelRange(minimum: record.integer(at: 24), maximum: record.integer(at: 32)),
      digest: flags & Self.hasDigest != 0 ? record.slice(at: 40, count: 32) : nil, entries: [])
    entries.reserveCapacity(count)
    for index in 0..<count {
      let start = Format.footerSize + index * size
      entries.append(
        IndexEntry(
          firstSequence: record.integer(at: start), offset: record.integer(at: start + 8),
          chain: record.integer(at: start + 16), eventCount: record.integer(at: start + 20),
          labels: LabelRange(minimum: record.integer(at: start + 24), maximum: record.integer(at: start + 32))))
    }
  }
}

/// The last 24 bytes of a sealed segment: where its footer is.
enum Trailer {
  static func encoded(footerOffset: UInt64, seed: UInt32) -> [UInt8] {
    var record = FixedRecord(size: Format.trailerSize)
    record.set(Format.trailerMagic, at: 0)
    record.set(footerOffset, at: 8)
    record.seal(seed: seed)
    return record.bytes
  }

  /// The footer's offset; `nil` when the bytes are not a trailer.
  static func footerOffset(_ bytes: [UInt8], seed: UInt32) -> UInt64? {
    guard bytes.count == Format.trailerSize, let record = FixedRecord(bytes, size: Format.trailerSize),
      record.integer(at: 0, as: UInt64.self) == Format.trailerMagic, record.isSealed(seed: seed)
    else { return nil }
    return record.integer(at: 8)
  }
}
