extension JournalWriter {
  /// Removes whole segments from the journal's front: those that hold only events before `sequence` that are also in a
  /// checkpoint.
  ///
  /// From then on the checkpoint replaces the removed events, so it is read back and compared with the history
  /// first, from the device as far as the system lets a program ask it; it must be kept. The file `KEPT` durably records the removal before it begins: a process that dies
  /// in between leaves a sound journal, and the next call removes what it left. Readers past the removed events notice
  /// nothing; a reader before them fails.
  ///
  /// ``JournalReader/removal(before:)`` says beforehand what would go.
  ///
  /// All that takes room for `KEPT`, and for a second copy of a checkpoint that this writer has not written itself:
  /// nothing proves that its name is durable, and it has no other name under which it would count while it is moved.
  ///
  /// - Parameters:
  ///   - sequence: the first event that is still wanted. Earlier events stay if they share a segment with one that
  ///     stays.
  ///   - checkpoint: its state replaces the removed events; events after it are always kept.
  /// - Returns: the first event that is kept.
  /// - Throws: `badCheckpoint` when the checkpoint has changed, or belongs to another history; `inputOutput`,
  ///   `noSpace`, `closed`, `poisoned`. The journal is sound after each of them.
  @discardableResult
  public func retire(before sequence: UInt64, after checkpoint: Checkpoint) throws(JournalError) -> UInt64 {
    try upkeep.withLock { (durable) throws(JournalError) in
      let lastOrdinal = try core.withLock { (core) throws(JournalError) in
        try core.checkUsable()
        return core.lastOrdinal
      }
      let catalog = try JournalCatalog(directory)
      try catalog.requireFiles()
      guard let first = catalog.segments.first else { return catalog.retirement?.firstSequence ?? 1 }
      // The directory may show a segment that this writer failed to install: its name need not last, so it keeps nothing.
      let kept = catalog.firstKept(before: min(sequence, checkpoint.sequence + 1), upTo: lastOrdinal) ?? first
      guard kept.header.ordinal > first.header.ordinal else {
        // The process that wrote KEPT may have failed to make its name durable; nothing would then replace the retired
        // events.
        if !catalog.retired.isEmpty { try directory.installAgain(Format.keptName, limit: Format.keptSize) }
        try remove(catalog.retired)
        return first.header.firstSequence
      }
      try prove(checkpoint, catalog)
      if !durable.contains(checkpoint.sequence) {
        try directory.installAgain(checkpoint.file, limit: .max)
        durable.insert(checkpoint.sequence)
      }
      let record = Retirement(
        firstOrdinal: kept.header.ordinal, firstSequence: kept.header.firstSequence, chainIn: kept.header.chainIn,
        checkpointSequence: checkpoint.sequence, checkpointChain: checkpoint.chain)
      directory.fileSystem.close(try directory.install(Format.keptName, record.encoded(for: id)))
      try remove(catalog.retired + catalog.segments.prefix { $0.header.ordinal < kept.header.ordinal })
      return record.firstSequence
    }
  }

  /// Reads a checkpoint back from the device, and compares it with the history.
  private func prove(_ checkpoint: Checkpoint, _ catalog: JournalCatalog) throws(JournalError) {
    let bytes = try directory.read(checkpoint.file, limit: Format.checkpointHeaderSize)?.bytes ?? []
    guard Checkpoint(bytes, file: checkpoint.file, of: id) == checkpoint else {
      throw JournalError(
        .badCheckpoint, "it is not there any more, or is another one", remedy: "write another checkpoint first",
        file: checkpoint.file, sequence: checkpoint.sequence)
    }
    _ = try directory.body(of: checkpoint, onDevice: true)
    guard checkpoint.sequence <= durableSequence,
      !catalog.isOverruled(ordinal: checkpoint.ordinal, sequence: checkpoint.sequence),
      try readChain(at: checkpoint.sequence) == checkpoint.chain
    else {
      throw JournalError(
        .badCheckpoint, "it is of another history", remedy: "write another checkpoint first", file: checkpoint.file,
        sequence: checkpoint.sequence)
    }
  }

  /// Removes segments that no longer belong to the journal, in order.
  private func remove(_ segments: [SegmentEntry]) throws(JournalError) {
    guard !segments.isEmpty else { return }
    var current = directory.path
    do throws(FileSystemError) {
      for entry in segments.sorted(by: { $0.header.ordinal < $1.header.ordinal }) {
        current = entry.file
        try directory.fileSystem.remove(directory.path(of: entry.file))
      }
      current = directory.path
      try directory.fileSystem.syncDirectory(directory.path)
    } catch {
      throw JournalError.system(error, file: current)
    }
  }
}
