extension HeadWriter {
  /// Opens `HEAD`, creating it when it is not there.
  init(_ directory: JournalDirectory, _ catalog: JournalCatalog) throws(JournalError) {
    do throws(FileSystemError) {
      let file = try directory.fileSystem.open(directory.path(of: Format.headName), .createOrUpdate)
      self.init(
        directory: directory, id: catalog.identity.id, file: file, generation: catalog.receipt?.generation ?? 0)
    } catch {
      throw JournalError.system(error, file: Format.headName)
    }
  }

  /// Notes where a writer begins: the journal is open from here on.
  ///
  /// Durably where a power cut could otherwise leave a HEAD that looks damaged: while a slot still says that the journal
  /// was closed, while only one of them verifies, and when a fresh segment overrules what one may still claim. Where it is
  /// to be durable, a note that cannot be written is an error as well: behind a receipt that says *closed* bytes that do
  /// not verify, and acknowledged events behind them, would not count as a loss. Elsewhere HEAD goes on saying less than
  /// is true, as it may at any time.
  ///
  /// - Parameters:
  ///   - leavesSegment: whether the last segment is left as it was found, also where there is no room for a fresh one.
  ///   - isDurable: whether the segment's name was not known to be durable, and is: HEAD is what says so.
  mutating func note(
    _ core: borrowing WriterCore, _ catalog: JournalCatalog, leavesSegment: Bool, isDurable: Bool
  ) throws(JournalError) {
    // Without room for a fresh segment the journal ends with the last one.
    let ordinal = core.lastOrdinal
    let end = core.segment?.end ?? core.predecessor.validLength
    let wasClosed = catalog.receipt?.isClean ?? false
    let wasSound = catalog.receipt != nil && !catalog.findings.contains { $0.file == Format.headName }
    // A crash while a closed journal was opened leaves an older receipt that still says so.
    guard catalog.hasClosedReceipt || !wasSound || leavesSegment || isDurable else {
      return write(ordinal: ordinal, offset: end, sequence: core.sequence, chain: core.chain)
    }
    for _ in 0..<(wasClosed ? 2 : 1) {
      try put(ordinal: ordinal, offset: end, sequence: core.sequence, chain: core.chain)
    }
    try sync()
  }

  /// Notes durably that the journal is closed.
  ///
  /// In both slots: then a slot that does not verify beside one that says so is damage, and not a torn write. A receipt
  /// that the device took in part only is tried once more, so that none is left like that.
  mutating func noteClosed(_ core: borrowing WriterCore) throws(JournalError) {
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
    do throws(FileSystemError) {
      try directory.fileSystem.sync(file)
    } catch {
      throw JournalError.system(error, file: Format.headName)
    }
  }
}
