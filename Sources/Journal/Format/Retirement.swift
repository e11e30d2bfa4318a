/// The content of the file `KEPT`: a journal's first events were retired on purpose, and are not lost.
public struct Retirement: Hashable, Sendable {
  /// The first event that is kept.
  public var firstSequence: UInt64
  /// The last event in the checkpoint that replaces the retired ones.
  public var checkpointSequence: UInt64
  /// The number of the first segment that is kept; those before it are no longer part of the journal.
  var firstOrdinal: UInt64
  /// The chain value before the first event that is kept.
  var chainIn: UInt32
  /// The chain value after the checkpoint's event.
  var checkpointChain: UInt32

  func encoded(for id: JournalID) -> [UInt8] {
    var record = FixedRecord(size: Format.keptSize)
    record.set(Format.keptMagic, at: 0)
    record.set(Format.majorVersion, at: 8)
    record.set(Format.minorVersion, at: 10)
    record.set(UInt32(Format.keptSize), at: 12)
    record.set(id.bytes, at: 16)
    record.set(firstOrdinal, at: 32)
    record.set(firstSequence, at: 40)
    record.set(checkpointSequence, at: 48)
    record.set(chainIn, at: 56)
    record.set(checkpointChain, at: 60)
    record.seal()
    return record.bytes
  }

  init(
    firstOrdinal: UInt64, firstSequence: UInt64, chainIn: UInt32, checkpointSequence: UInt64, checkpointChain: UInt32
  ) {
    self.firstOrdinal = firstOrdinal
    self.firstSequence = firstSequence
    self.chainIn = chainIn
    self.checkpointSequence = checkpointSequence
    self.checkpointChain = checkpointChain
  }

  /// The beginning of the file; a newer version may have made the file longer.
  static func header(_ bytes: [UInt8]) -> SmallHeader {
    SmallHeader.check(bytes, magic: Format.keptMagic, size: Format.keptSize, flags: 64)
  }

  /// Reads the file; `nil` when it does not verify, needs a newer program, or belongs to another journal.
  init?(_ bytes: [UInt8], of id: JournalID) {
    guard bytes.count == Format.keptSize, case .sound(let record, id) = Self.header(bytes),
      [32, 40, 48].allSatisfy({ (1..<Format.numberLimit).contains(record.integer(at: $0, as: UInt64.self)) })
    else { return nil }
    self.init(
      firstOrdinal: record.integer(at: 32), firstSequence: record.integer(at: 40), chainIn: record.integer(at: 56),
      checkpointSequence: record.integer(at: 48), checkpointChain: record.integer(at: 60))
  }
}
