/// Writes `HEAD`. Belongs to whoever is syncing.
struct HeadWriter {
  let directory: JournalDirectory
  let id: JournalID
  var file: OpenFile?
  var generation: UInt64

  /// Notes that everything up to a place was synced.
  ///
  /// Failing to is not failing to be durable: readers then know less than is true, and never more.
  mutating func write(
    ordinal: UInt64, offset: UInt64, sequence: UInt64, chain: UInt32, isClean: Bool = false
  ) {
    guard let file else { return }
    generation += 1
    let receipt = HeadReceipt(
      generation: generation, ordinal: ordinal, offset: offset, sequence: sequence, chain: chain, isClean: isClean)
    let slot = Format.headSlotOffsets[Int(generation % 2)]
    try? directory.writeAll(file, receipt.encoded(for: id), at: UInt64(slot))
  }
}
