extension HeadWriter {
  /// Opens `HEAD`, creating it if it is missing.
  init(_ directory: JournalDirectory, _ catalog: JournalCatalog) throws(JournalError) {
    do throws(FileSystemError) {
      let file = try directory.fileSystem.open(directory.path(of: Format.headName), .createOrUpdate)
      self.init(
        directory: directory, id: catalog.identity.id, file: file, generation: catalog.receipt?.generation ?? 0,
        isUnfinished: catalog.isUnfinished)
    } catch {
      throw JournalError.system(error, file: Format.headName)
    }
  }

  /// Records where a writer begins, which opens the journal.
  ///
  /// The record is durable where a power cut could otherwise leave a HEAD that looks damaged: while a slot still says
  /// that the journal was closed, while only one slot verifies, and when a fresh segment overrules what a slot may
  /// still claim. Where it must be durable, failing to write it is an error: bytes that do not verify after a receipt
  /// that says *closed*, and acknowledged events after them, would not count as a loss. Elsewhere HEAD keeps
  /// understating the durable end, as it may at any time.
  ///
  /// - Parameters:
  ///   - leavesSegment: whether the last segment stays as it was found, even where a fresh one finds no room.
  ///   - isDurable: whether the segment's name has just become durable; only HEAD records that.
  mutating func recordOpening(
    _ core: borrowing WriterCore, _ catalog: JournalCatalog, leavesSegment: Bool, isDurable: Bool
  ) throws(JournalError) {
    // Without room for a fresh segment the journal ends with the last one.
    let ordinal = core.lastOrdinal
    let end = core.segment?.end ?? core.predecessor.validLength
    let wasClosed = catalog.receipt?.isClean ?? false
    let wasSound = catalog.receipt != nil && !catalog.findings.contains { $0.file == Format.headName }
    // A crash while a closed journal was being opened leaves an older receipt that still says so.
    guard catalog.hasClosedReceipt || !wasSound || leavesSegment || isDurable else {
      return write(ordinal: ordinal, offset: end, sequence: core.sequence, chain: core.chain)
    }
    for _ in 0..<(wasClosed ? 2 : 1) {
      try put(ordinal: ordinal, offset: end, sequence: core.sequence, chain: core.chain)
    }
    try sync()
  }

  /// Durably records that the journal is closed.
  ///
  /// Written to both slots: a slot that does not verify beside one that says *closed* is then damage and not a torn
  /// write. A receipt that the device took only in part is written once more, so that no partial one remains.
  mutating func recordClosing(_ core: borrowing WriterCore) throws(JournalError) {
    guard let segment = core.segment else { return }
    for _ in 0..<2 {
      do throws(JournalError) {
        try put(
          ordinal: segment.header.ordinal, offset: segment.end, sequence: core.sequence, chain: core.chain,
          isClean: true)
      } catch {
        try put(
          ordinal: segment.header.ordinal, offset: segment.end, sequence: core.sequence, chain: core.chain,
          isClean: true)
      }
    }
    try sync()
  }

  private func sync() throws(JournalError) {
    guard let file else { return }
    try JournalError.translating(file: Format.headName, try directory.fileSystem.sync(file))
  }
}
