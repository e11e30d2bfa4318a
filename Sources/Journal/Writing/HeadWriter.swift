/// Writes `HEAD`. Used only by the thread that is syncing.
struct HeadWriter {
  let directory: JournalDirectory
  let id: JournalID
  var file: OpenFile?
  var generation: UInt64
  /// Whether the journal is not finished yet.
  var isUnfinished = false

  /// Records that everything up to a place was synced.
  ///
  /// A failure here does not affect durability: readers then know less than is true, never more.
  mutating func write(
    ordinal: UInt64, offset: UInt64, sequence: UInt64, chain: UInt32, isClean: Bool = false, isSyncFailed: Bool = false
  ) {
    // A failure here only makes the durable end less well known.
    try? put(
      ordinal: ordinal, offset: offset, sequence: sequence, chain: chain, isClean: isClean, isSyncFailed: isSyncFailed)
  }

  /// Writes the next receipt, or throws the reason why it cannot.
  mutating func put(
    ordinal: UInt64, offset: UInt64, sequence: UInt64, chain: UInt32, isClean: Bool = false, isSyncFailed: Bool = false
  ) throws(JournalError) {
    guard let file else { return }
    generation += 1
    let receipt = HeadReceipt(
      generation: generation, ordinal: ordinal, offset: offset, sequence: sequence, chain: chain, isClean: isClean,
      isSyncFailed: isSyncFailed, isUnfinished: isUnfinished)
    let slot = Format.headSlotOffsets[Int(generation % 2)]
    do throws(FileSystemError) {
      try directory.fileSystem.writeAll(file, receipt.encoded(for: id), at: UInt64(slot))
    } catch {
      // The slot may be half written: the next receipt goes there again, and not over the whole one.
      generation -= 1
      throw JournalError.system(error, file: Format.headName, offset: UInt64(slot))
    }
  }
}
