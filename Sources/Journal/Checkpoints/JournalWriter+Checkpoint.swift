extension JournalWriter {
  /// Writes a checkpoint: bytes derived from the events up to one of them. Durable when this returns.
  ///
  /// The journal does not interpret the body. It makes the events durable first, so that the checkpoint is evidence
  /// of them: if they are ever missing, the loss is noticed.
  ///
  /// - Parameters:
  ///   - sequence: the last event that went into the body; in a fork also the last one that it shares with its parent.
  ///   - body: at most 1 GiB.
  /// - Throws: `outOfRange` when the event does not exist; `tooLarge`, `noSpace`, `inputOutput`, `poisoned`,
  ///   `closed`.
  @discardableResult
  public func writeCheckpoint(sequence: UInt64, body: [UInt8]) throws(JournalError) -> Checkpoint {
    let (last, chain) = try core.withLock { (core) throws(JournalError) in
      try core.checkUsable()
      return (core.sequence, core.chain)
    }
    let start = identity.parent?.sequence ?? 0
    guard sequence <= last, sequence >= max(start, 1) else {
      throw JournalError(
        .outOfRange, "there is no event \(sequence)", remedy: "name an event that was appended", file: directory.path,
        sequence: sequence)
    }
    try Checkpoint.checkLength(body.count, sequence: sequence)
    try makeDurable(sequence)
    let known =
      sequence == last ? chain : sequence == start ? identity.parent?.chain ?? 0 : try readChain(at: sequence)
    return try upkeep.withLock { (durable) throws(JournalError) in
      // Only now, because a failed sync may have replaced the segment that held these events, and another writer may
      // take over once the journal is closed.
      let ordinal = try core.withLock { (core) throws(JournalError) in
        try core.checkUsable()
        // A number without a segment would later belong to the next segment, which could then not overrule the
        // checkpoint.
        return core.lastOrdinal
      }
      let checkpoint = Checkpoint(sequence: sequence, ordinal: ordinal, chain: known, body: body)
      directory.fileSystem.close(try directory.install(checkpoint.file, checkpoint.header(for: id), body))
      durable.insert(sequence)
      return checkpoint
    }
  }

  func readChain(at sequence: UInt64) throws(JournalError) -> UInt32 {
    try JournalReader(directory: directory, catalog: try JournalCatalog(directory)).chain(at: sequence)
  }
}

extension Checkpoint {
  /// - Throws: `tooLarge` for a body that no reader takes.
  static func checkLength(_ length: Int, sequence: UInt64) throws(JournalError) {
    guard length > Format.maximumCheckpointLength else { return }
    throw JournalError(
      .tooLarge, "the checkpoint has \(length) bytes, and 1 GiB is allowed", remedy: "replay instead",
      file: name(sequence), sequence: sequence)
  }
}
