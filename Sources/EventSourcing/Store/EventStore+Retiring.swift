import Journal

extension EventStore {
  /// Removes events from the front of the journal that nobody needs any more: whole segments of events that are before
  /// `sequence` and in the oldest usable checkpoint.
  ///
  /// All checkpoints that can be used stay usable, and one always stays. Positions before the oldest of them, and the
  /// removed events, are gone for good: asking for them is ``HistoryError/beforeKeptRange(requested:first:)`` or
  /// ``HistoryError/noStartingState(first:)``. Write a ``checkpoint()`` first, and keep fewer of them
  /// (``StoreOptions/keptCheckpointCount``), to remove more.
  ///
  /// - Parameter sequence: The first event that is still wanted.
  /// - Returns: The first event that is kept.
  /// - Throws: ``HistoryError/journal(_:)`` when there is no usable checkpoint, or the device fails. The journal is sound
  ///   after that.
  @discardableResult
  public func retire(before sequence: UInt64) throws(HistoryError) -> UInt64 {
    // Under the lock, so that no other checkpoint takes the place of this one meanwhile.
    try writer.withLock { (_) throws(HistoryError) -> UInt64 in
      let history = try History<Machine>(at: path, fileSystem: fileSystem)
      let usable = history.reader.checkpoints().reversed().first { found in
        !history.reader.isOverruled(found) && (try? history.restore(found)) != nil
      }
      do throws(JournalError) {
        guard let usable else {
          throw JournalError(
            .badCheckpoint, "no usable checkpoint holds the events that are to be retired",
            remedy: "write a checkpoint first", file: path)
        }
        return try journal.retire(before: sequence, behind: usable)
      } catch {
        throw .journal(error)
      }
    }
  }
}
