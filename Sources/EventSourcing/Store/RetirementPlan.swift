import Journal

/// What retiring events would do, computed without writing anything: see ``EventStore/retire(before:keepingStates:)``.
public struct RetirementPlan: Equatable, Sendable {
  /// The segments that go, and the first event that stays.
  public let removal: SegmentRemoval
  /// The event after which the first state is known afterwards, from a checkpoint.
  public let checkpointSequence: UInt64
  /// That checkpoint; `nil` if it has to be written first, or nothing is removed.
  public let checkpoint: Checkpoint?
  /// The checkpoints of this history that go, oldest first: no state can be computed from them without the removed events.
  public let obsoleteCheckpoints: [Checkpoint]
  /// The revision of the rules that computed the checkpoint. A program of a later one can open the journal only if its
  /// ``Reducer/migrate(_:)`` takes over states of this one; programs of an earlier one can no longer open it.
  public let revision: UInt32

  /// Whether anything is removed.
  public var isEmpty: Bool { removal.segments.isEmpty && removal.leftovers.isEmpty }
  /// Whether the checkpoint is written first.
  public var writesCheckpoint: Bool { checkpoint == nil && !removal.segments.isEmpty }
}

extension History {
  /// What ``EventStore/retire(before:keepingStates:)`` with the same arguments would do now. Reads, and writes nothing; a
  /// store may have the journal open.
  ///
  /// - Throws: ``HistoryError/journal(_:)`` if no checkpoint can replace the events.
  public func retirementPlan(
    before sequence: UInt64, keepingStates: Bool = false
  ) throws(HistoryError) -> RetirementPlan {
    guard keepingStates else {
      guard let oldest = oldestUsableCheckpoint() else {
        throw .journal(
          JournalError(
            .badCheckpoint, "no usable checkpoint covers the events to retire", remedy: "write a checkpoint first",
            file: reader.path))
      }
      return plan(reader.removal(before: min(sequence, oldest.sequence + 1)), behind: oldest.sequence, oldest)
    }
    let removal = reader.removal(before: sequence)
    let start = removal.firstSequence - 1
    guard !removal.segments.isEmpty else {
      let oldest = oldestUsableCheckpoint()
      return plan(removal, behind: oldest?.sequence ?? start, oldest)
    }
    return plan(
      removal, behind: start, reader.checkpoints().first { $0.sequence == start && (try? restore($0)) != nil })
  }

  private func plan(
    _ removal: SegmentRemoval, behind sequence: UInt64, _ checkpoint: Checkpoint?
  ) -> RetirementPlan {
    let obsolete = reader.checkpoints().reversed().filter { $0.sequence < removal.firstSequence - 1 }
    return RetirementPlan(
      removal: removal, checkpointSequence: sequence, checkpoint: checkpoint,
      obsoleteCheckpoints: removal.segments.isEmpty ? [] : obsolete.filter { !reader.isOverruled($0) },
      revision: checkpoint.flatMap { try? body(of: $0).reducerRevision } ?? Machine.revision)
  }
}
