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

  /// Reads the file; `nil` when it does not verify, is of another version, or belongs to another journal.
  init?(_ bytes: [UInt8], of id: JournalID) {
    guard bytes.count == Format.keptSize, let record = FixedRecord(bytes, size: Format.keptSize), record.isSealed(),
      record.integer(at: 0, as: UInt64.self) == Format.keptMagic,
      record.integer(at: 8, as: UInt16.self) == Format.majorVersion,
      record.integer(at: 12, as: UInt32.self) == UInt32(Format.keptSize), record.slice(at: 16, count: 16) == id.bytes,
      [32, 40, 48].allSatisfy({ (1..<Format.numberLimit).contains(record.integer(at: $0, as: UInt64.self)) })
    else { return nil }
    self.init(
      firstOrdinal: record.integer(at: 32), firstSequence: record.integer(at: 40), chainIn: record.integer(at: 56),
      checkpointSequence: record.integer(at: 48), checkpointChain: record.integer(at: 60))
  }
}
