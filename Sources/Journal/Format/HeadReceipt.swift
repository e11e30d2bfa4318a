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
  /// Whether the device failed to sync what follows this place. Until it is written again elsewhere, reading it back
  /// proves nothing: the system may have dropped it, and report success for a second sync.
  var isSyncFailed = false
  /// Whether the journal was not finished yet: a second witness beside `JOURNAL` until then.
  var isUnfinished = false

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
    record.set((isClean ? UInt32(1) : 0) | (isSyncFailed ? 2 : 0) | (isUnfinished ? 4 : 0), at: 44)
    record.seal(seed: Self.seed(id))
    return record.bytes
  }

  init(
    generation: UInt64, ordinal: UInt64, offset: UInt64, sequence: UInt64, chain: UInt32, isClean: Bool,
    isSyncFailed: Bool = false, isUnfinished: Bool = false
  ) {
    self.isSyncFailed = isSyncFailed
    self.isUnfinished = isUnfinished
    self.generation = generation
    self.ordinal = ordinal
    self.offset = offset
    self.sequence = sequence
    self.chain = chain
    self.isClean = isClean
  }

  /// Reads a slot; `nil` when it does not verify, or needs a newer program.
  init?(_ bytes: [UInt8], of id: JournalID) {
    guard let record = Self.record(bytes, of: id), Features.unknown(in: record, at: 48) == nil,
      [8, 16, 32].allSatisfy({ record.integer(at: $0, as: UInt64.self) < Format.numberLimit }),
      record.integer(at: 8, as: UInt64.self) > 0
    else { return nil }
    let flags = record.integer(at: 44, as: UInt32.self)
    self.init(
      generation: record.integer(at: 8), ordinal: record.integer(at: 16), offset: record.integer(at: 24),
      sequence: record.integer(at: 32), chain: record.integer(at: 40),
      isClean: flags & 1 != 0, isSyncFailed: flags & 2 != 0, isUnfinished: flags & 4 != 0)
  }

  private static func record(_ bytes: [UInt8], of id: JournalID) -> FixedRecord? {
    guard let record = FixedRecord(bytes, size: Format.headSlotSize),
      record.integer(at: 0, as: UInt64.self) == Format.headMagic, record.isSealed(seed: seed(id))
    else { return nil }
    return record
  }

  /// Something wrong with a `HEAD` file.
  struct Fault {
    var range: Range<Int>
    var cause: String
    /// Whether an interrupted write may have left it, if it is the only fault: one slot, with all its bytes.
    var mayBeTorn: Bool
    /// Whether the slot holds a receipt that belongs to the other one. An interrupted write leaves that only on a
    /// device that returns old bytes of another place.
    var isMisplaced = false
  }

  /// The content of a whole `HEAD` file.
  struct File {
    /// The receipts in their slots, without those that do not verify or belong to the other slot.
    fileprivate(set) var slots: [HeadReceipt] = []
    fileprivate(set) var faults: [Fault] = []
    /// What a slot needs that this program does not know, and where it says so.
    fileprivate(set) var unsupported: (what: String, offset: Int)?

    /// The receipt that counts.
    var newest: HeadReceipt? { slots.max { $0.generation < $1.generation } }
    /// Whether any slot says that the journal was closed, even one that a newer one overrules.
    var saysClosed: Bool { slots.contains(where: \.isClean) }
    /// Whether any slot says that the journal was not finished.
    var saysUnfinished: Bool { slots.contains(where: \.isUnfinished) }
    /// Whether both receipts exist, so that neither hides a later one.
    var isWhole: Bool { slots.count == Format.headSlotOffsets.count }
  }

  /// Reads a whole `HEAD` file.
  static func read(_ bytes: [UInt8], of id: JournalID) -> File {
    var file = File()
    for (index, offset) in Format.headSlotOffsets.enumerated() {
      let range = offset..<offset + Format.headSlotSize
      let record = bytes.count >= range.upperBound ? record(Array(bytes[range]), of: id) : nil
      if let what = record.flatMap({ Features.unknown(in: $0, at: 48) }) {
        file.unsupported = file.unsupported ?? (what, offset + 48)
        continue
      }
      guard bytes.count >= range.upperBound, let slot = HeadReceipt(Array(bytes[range]), of: id) else {
        file.faults.append(
          Fault(
            range: range, cause: "the checksum of slot \(index) is wrong", mayBeTorn: bytes.count >= range.upperBound))
        continue
      }
      // A writer puts even generations into slot 0 and odd ones into slot 1: another device wrote this one here.
      guard slot.generation % UInt64(Format.headSlotOffsets.count) == UInt64(index) else {
        file.faults.append(
          Fault(
            range: range,
            cause: "slot \(index) holds the receipt of generation \(slot.generation), which belongs to the other",
            mayBeTorn: true, isMisplaced: true))
        continue
      }
      file.slots.append(slot)
    }
    let gap = Format.headSlotSize..<Format.headSlotOffsets[1]
    if bytes.count >= gap.upperBound, bytes[gap].contains(where: { $0 != 0 }) {
      file.faults.append(Fault(range: gap, cause: "the bytes between the slots are not zero", mayBeTorn: false))
    }
    if bytes.count > Format.headSize {
      file.faults.append(
        Fault(range: Format.headSize..<bytes.count, cause: "there are bytes after its end", mayBeTorn: false))
    }
    return file
  }
}
