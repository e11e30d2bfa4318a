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
  /// is named, and nothing is removed. So is a subscription that has not come as far or has parked such an event, whether or not a
  /// program has it open; ``removeSubscription(_:)`` forgets one that will not be opened again.
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
        // Commands go on meanwhile, and so do subscriptions.
        let last = try lastUnneeded(by: checks, before: sequence, keepingStates)
        // No subscription begins between asking all of them and removing the events.
        let turn = try last.first.map { (_) throws(HistoryError) in try retirementTurn() }
        defer { turn?.end() }
        if let first = last.first, let refusal = try refusalOfSubscriptions(from: first, upTo: last.sequence) {
          throw .journal(refusal)
        }
        if let first = try remove(before: sequence, keepingStates, upTo: last.sequence) {
          updateStreams(dropsRetired: true)
          return first
        }
      }
    }
  }

  /// Lets each check keep what it needs of the events that would go, and writes the checkpoint that is to replace them.
  ///
  /// - Returns: The last of these events, and the first one that is there now; `nil` if none would go.
  private func lastUnneeded(
    by checks: [RetirementCheck<Machine>], before sequence: UInt64, _ keepingStates: Bool
  ) throws(HistoryError) -> (sequence: UInt64, first: UInt64?) {
    if writer.withLock({ $0.phase }) == .suspended { throw .journal(.suspended) }
    let history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
    let plan = try history.retirementPlan(before: sequence, keepingStates: keepingStates)
    if let refusal = plan.refusal { throw .journal(refusal) }
    let last = plan.removal.firstSequence - 1
    guard !plan.removal.segments.isEmpty else { return (last, nil) }
    for check in checks {
      if let refusal = check.refusal(history, last) { throw .journal(refusal) }
    }
    if let body = plan.body {
      // Asked again when none can begin.
      if let refusal = try refusalOfSubscriptions(from: history.firstSequence, upTo: last) { throw .journal(refusal) }
      try writer.withLock { (writer) throws(HistoryError) in
        if writer.phase == .suspended { throw .journal(.suspended) }
        _ = try write(body, at: plan.checkpointSequence, writer.journal)
      }
    }
    return (last, history.firstSequence)
  }

  private func write(
    _ body: StateCheckpoint, at sequence: UInt64, _ journal: JournalWriter
  ) throws(HistoryError) -> Checkpoint {
    do throws(JournalError) {
      return try journal.writeCheckpoint(sequence: sequence, body: body.encode())
    } catch {
      throw .journal(error)
    }
  }

  private func retirementTurn() throws(HistoryError) -> RetirementTurn {
    do throws(FileLock.Failure) {
      return try RetirementTurn(in: path, fileSystem)
    } catch {
      switch error {
      case .held(let holder):
        throw .journal(
          JournalError(
            .subscription, "no event can be retired while \(holder) begins a subscription", remedy: "retire again"))
      case .system(let error): throw .journal(.system(error, file: "\(path)/\(RetirementTurn.fileName)"))
      }
    }
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
      // Not there, or no longer, if another one has replaced the one that was written.
      let written = try plan.body.map { (body) throws(HistoryError) in
        try write(body, at: plan.checkpointSequence, writer.journal)
      }
      guard let checkpoint = written ?? plan.checkpoint else { return plan.removal.firstSequence }
      do throws(JournalError) {
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
