import Journal

extension EventStore {
  /// Removes events that are no longer needed from the front of the journal: whole segments of events that precede
  /// `sequence` and are covered by the oldest usable checkpoint.
  ///
  /// All usable checkpoints remain usable, and at least one is always kept. Positions before the oldest of them, and
  /// the removed events, are gone for good: requesting them throws ``HistoryError/beforeKeptRange(requested:first:)``
  /// or ``HistoryError/noStartingState(first:)``. To remove more, write a ``checkpoint()`` first and keep fewer of them
  /// (``StoreOptions/keptCheckpointCount``).
  ///
  /// - Parameter sequence: The first event to keep.
  /// - Returns: The first event actually kept.
  /// - Throws: ``HistoryError/journal(_:)`` if no checkpoint is usable or the device fails. The journal stays
  ///   intact.
  @discardableResult
  public func retire(before sequence: UInt64) throws(HistoryError) -> UInt64 {
    // Under the lock, so that no other checkpoint replaces this one meanwhile.
    try writer.withLock { (_) throws(HistoryError) -> UInt64 in
      let history = try History<Machine>(at: path, fileSystem: fileSystem)
      let usable = history.reader.checkpoints().reversed().first { found in
        !history.reader.isOverruled(found) && (try? history.restore(found)) != nil
      }
      do throws(JournalError) {
        guard let usable else {
          throw JournalError(
            .badCheckpoint, "no usable checkpoint covers the events to retire",
            remedy: "write a checkpoint first", file: path)
        }
        return try journal.retire(before: sequence, behind: usable)
      } catch {
        throw .journal(error)
      }
    }
  }
}
