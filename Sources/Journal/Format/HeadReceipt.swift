/// One slot of `HEAD`: a place up to which the journal was synced, written after the sync.
///
/// It may lag behind what is durable, because it is not synced itself, and never claims more.
struct HeadReceipt: Hashable, Sendable {
  var generation: UInt64
  /// The segment that held the end; zero before the first.
  var ordinal: UInt64
  var offset: UInt64
  var sequence: UInt64
  var chain: UInt32
  /// Whether the journal was closed here and its file ends here.
  var isClean: Bool
  /// Whether the device failed to sync what lies behind this place. Until it is written again elsewhere, reading it back
  /// proves nothing: the system may have dropped it, and say of a second sync that it went well.
  var isSyncFailed = false

  /// Bound to the journal, so that the receipt of another one proves nothing here.
  private static func seed(_ id: JournalID) -> UInt32 { Checksum.crc32(0, id.bytes) }

  func encoded(for id: JournalID) -> [UInt8] {
    var record = FixedRecord(size: Format.headSlotSize)
    record.set(Format.headMagic, at: 0)
    record.set(generation, at: 8)
    record.set(ordinal, at: 16)
    record.set(offset, at: 24)
    record.set(sequence, at: 32)
    record.set(chain, at: 40)
    record.set((isClean ? UInt32(1) : 0) | (isSyncFailed ? 2 : 0), at: 44)
    record.seal(seed: Self.seed(id))
    return record.bytes
  }

  init(
    generation: UInt64, ordinal: UInt64, offset: UInt64, sequence: UInt64, chain: UInt32, isClean: Bool,
    isSyncFailed: Bool = false
  ) {
    self.isSyncFailed = isSyncFailed
    self.generation = generation
    self.ordinal = ordinal
    self.offset = offset
    self.sequence = sequence
    self.chain = chain
    self.isClean = isClean
  }

  /// Reads a slot; `nil` when it does not verify.
  init?(_ bytes: [UInt8], of id: JournalID) {
    guard let record = FixedRecord(bytes, size: Format.headSlotSize),
      record.integer(at: 0, as: UInt64.self) == Format.headMagic, record.isSealed(seed: Self.seed(id)),
      [8, 16, 32].allSatisfy({ record.integer(at: $0, as: UInt64.self) < Format.numberLimit })
    else { return nil }
    let flags = record.integer(at: 44, as: UInt32.self)
    self.init(
      generation: record.integer(at: 8), ordinal: record.integer(at: 16), offset: record.integer(at: 24),
      sequence: record.integer(at: 32), chain: record.integer(at: 40),
      isClean: flags & 1 != 0, isSyncFailed: flags & 2 != 0)
  }

  /// Whether any slot of a `HEAD` file says that the journal was closed, also one that a newer one overrules.
  static func saysClosed(_ bytes: [UInt8], of id: JournalID) -> Bool {
    Format.headSlotOffsets.contains { offset in
      let end = offset + Format.headSlotSize
      return bytes.count >= end && HeadReceipt(Array(bytes[offset..<end]), of: id)?.isClean == true
    }
  }

  /// What a whole `HEAD` file says: the newest slot, and what is wrong with the file.
  static func read(_ bytes: [UInt8], of id: JournalID) -> (newest: HeadReceipt?, faults: [(Range<Int>, String)]) {
    var newest: HeadReceipt?
    var faults: [(Range<Int>, String)] = []
    for (index, offset) in Format.headSlotOffsets.enumerated() {
      let range = offset..<offset + Format.headSlotSize
      guard bytes.count >= range.upperBound, let slot = HeadReceipt(Array(bytes[range]), of: id) else {
        faults.append((range, "the checksum of slot \(index) is wrong"))
        continue
      }
      if slot.generation > (newest?.generation ?? 0) { newest = slot }
    }
    let gap = Format.headSlotSize..<Format.headSlotOffsets[1]
    if bytes.count >= gap.upperBound, bytes[gap].contains(where: { $0 != 0 }) {
      faults.append((gap, "the bytes between the slots are not zero"))
    }
    if bytes.count > Format.headSize {
      faults.append((Format.headSize..<bytes.count, "there are bytes behind its end"))
    }
    return (newest, faults)
  }
}
