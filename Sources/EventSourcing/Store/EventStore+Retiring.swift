import Journal

extension EventStore {
  /// Removes events that are no longer needed from the front of the journal: whole segments of events that precede
  /// `sequence`, after a checkpoint that replaces them.
  ///
  /// Nothing brings them back. ``History/retirementPlan(before:keepingStates:)`` says beforehand what this would do; read
  /// it first where a person decides:
  ///
  /// - **Events**: requesting a removed one throws ``HistoryError/beforeKeptRange(requested:first:)``. Salvage cannot find
  ///   it in this journal any more.
  /// - **States and times** before the oldest usable checkpoint throw
  ///   ``HistoryError/beforeKeptRange(requested:first:)``, ``HistoryError/timeBeforeKeptRange(wallNanoseconds:first:)`` or
  ///   ``HistoryError/noStartingState(first:newer:)``; so do forks that begin there.
  /// - **Programs** of another ``Reducer/revision`` have nothing left to replay: one of an earlier revision can no longer
  ///   open the journal, one of a later only if its ``Reducer/migrate(_:)`` takes over the states of this one. Keep that
  ///   method for as long as journals may hold such states.
  /// - **Checks** begin at that checkpoint.
  ///
  /// Each of the store's projections keeps its state after the removed events beside the journal; one that has not come as far
  /// is named, and nothing is removed. So is a subscription of this program that has not come as far, or has parked such an
  /// event.
  ///
  /// What this program left out because it does not know it is not given up: where no checkpoint that stays would hold it,
  /// nothing is removed (``RetirementPlan/losses``). So it is with the versions of entities (``RetirementPlan/lostKinds``).
  ///
  /// Without `keepingStates`, all usable checkpoints remain usable, and at least one is always kept: only events that the
  /// oldest one covers go, and events that stay before it have no states. To remove more, write a ``checkpoint()`` first
  /// and keep fewer of them (``StoreOptions/keptCheckpointCount``). Later checkpoints replace the oldest ones, and the
  /// states before those that are left go with them.
  ///
  /// - Parameters:
  ///   - sequence: The first event to keep.
  ///   - keepingStates: Whether a checkpoint is first written right before the first event that stays, unless it is there,
  ///     so that every event that stays keeps its states. Checkpoints before it are removed.
  /// - Returns: The first event actually kept.
  /// - Throws: ``HistoryError/journal(_:)`` if no checkpoint is usable, what this program left out or versions of entities would
  ///   be lost, a projection or a subscription needs the events, or the device fails; with `keepingStates` also why
  ///   the state there is unknown. The journal stays intact.
  @discardableResult
  public func retire(before sequence: UInt64, keepingStates: Bool = false) throws(HistoryError) -> UInt64 {
    return try retirement.withLock { (checks) throws(HistoryError) -> UInt64 in
      while true {
        // Commands go on meanwhile.
        let last = checks.isEmpty ? .max : try lastUnneeded(by: checks, before: sequence, keepingStates)
        if let first = try remove(before: sequence, keepingStates, upTo: last) {
          updateStreams(dropsRetired: true)
          return first
        }
      }
    }
  }

  /// Lets each check keep what it needs of the events that would go.
  ///
  /// - Returns: The last of these events.
  private func lastUnneeded(
    by checks: [RetirementCheck<Machine>], before sequence: UInt64, _ keepingStates: Bool
  ) throws(HistoryError) -> UInt64 {
    if writer.withLock({ $0.phase }) == .suspended { throw .journal(.suspended) }
    let history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
    let plan = try history.retirementPlan(before: sequence, keepingStates: keepingStates)
    if let refusal = plan.refusal { throw .journal(refusal) }
    let last = plan.removal.firstSequence - 1
    guard !plan.removal.segments.isEmpty else { return last }
    for check in checks {
      if let refusal = check.refusal(history, last) { throw .journal(refusal) }
    }
    return last
  }

  /// Removes the events.
  ///
  /// - Parameter last: The last event that nothing needs.
  /// - Returns: The first event kept; `nil` if more would go now than nothing needs, as another checkpoint was written meanwhile.
  private func remove(
    before sequence: UInt64, _ keepingStates: Bool, upTo last: UInt64
  ) throws(HistoryError) -> UInt64? {
    // Under the lock, so that no other checkpoint replaces this one meanwhile.
    try writer.withLock { (writer) throws(HistoryError) -> UInt64? in
      if writer.phase == .suspended { throw .journal(.suspended) }
      let history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
      let plan = try history.retirementPlan(before: sequence, keepingStates: keepingStates)
      if let refusal = plan.refusal { throw .journal(refusal) }
      guard plan.removal.firstSequence - 1 <= last else { return nil }
      do throws(JournalError) {
        let written = try plan.body.map { (body) throws(JournalError) in
          try writer.journal.writeCheckpoint(sequence: plan.checkpointSequence, body: body.encode())
        }
        guard let checkpoint = written ?? plan.checkpoint else { return plan.removal.firstSequence }
        let first = try writer.journal.retire(before: sequence, after: checkpoint)
        for old in plan.obsoleteCheckpoints {
          // A checkpoint that cannot be removed does no harm.
          try? fileSystem.remove(path + "/" + old.file)
        }
        return first
      } catch {
        throw .journal(error)
      }
    }
  }
}

/// Asked before the events up to a position are retired.
struct RetirementCheck<Machine: Decider>: Sendable {
  /// Asks no more once this is gone.
  private(set) weak var owner: (any AnyObject & Sendable)?
  /// Makes sure that the owner no longer needs the events, or says why not.
  let refusal: @Sendable (_ history: History<Machine>, _ position: UInt64) -> JournalError?
}
