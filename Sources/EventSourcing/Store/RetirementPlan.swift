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
  /// What only the removed events and checkpoints hold, in words such as `the slice notes`: this program left it out, and a
  /// program that knows it could no longer compute it. ``EventStore/retire(before:keepingStates:)`` refuses such a plan.
  public let losses: [String]
  /// The kinds of entities whose versions only the removed events and checkpoints hold.
  /// ``EventStore/retire(before:keepingStates:)`` refuses such a plan.
  public let lostKinds: [String]
  /// The body of the checkpoint that is written first.
  let body: StateCheckpoint?

  /// Whether anything is removed.
  public var isEmpty: Bool { removal.segments.isEmpty && removal.leftovers.isEmpty }
  /// Whether the checkpoint is written first.
  public var writesCheckpoint: Bool { checkpoint == nil && !removal.segments.isEmpty }

  /// Why the plan is not carried out; `nil` where nothing prevents it.
  public var refusal: JournalError? {
    func refusal(_ message: String, _ remedy: String) -> JournalError {
      JournalError(
        .badCheckpoint, message + ": nothing is removed", remedy: remedy, file: removal.segments.first?.file,
        sequence: removal.events?.upperBound)
    }
    func others(than names: [String]) -> String { names.count > 1 ? " and more (\(names.count - 1))" : "" }
    if let first = losses.first {
      return refusal(
        "this program left out \(first)\(others(than: losses)), and no checkpoint that stays would hold it",
        "let a program that knows it retire the events, or write a checkpoint")
    }
    guard let first = lostKinds.first else { return nil }
    return refusal(
      "no checkpoint that stays holds the versions of entities of the kind \(first)\(others(than: lostKinds))",
      "write a checkpoint first; if events cannot be read, salvage the journal before")
  }
}

extension History {
  /// What ``EventStore/retire(before:keepingStates:)`` with the same arguments would do now. Reads, and writes nothing; a
  /// store may have the journal open.
  ///
  /// - Throws: ``HistoryError/journal(_:)`` if no checkpoint can replace the events; with `keepingStates` also why the state
  ///   that one would hold is unknown.
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
      return try plan(reader.removal(before: min(sequence, oldest.sequence + 1)), after: oldest.sequence, oldest)
    }
    let removal = reader.removal(before: sequence)
    let start = removal.firstSequence - 1
    guard !removal.segments.isEmpty else {
      let oldest = oldestUsableCheckpoint()
      return try plan(removal, after: oldest?.sequence ?? start, oldest)
    }
    return try plan(
      removal, after: start, reader.checkpoints().first { $0.sequence == start && (try? restore($0)) != nil })
  }

  private func plan(
    _ removal: SegmentRemoval, after sequence: UInt64, _ checkpoint: Checkpoint?
  ) throws(HistoryError) -> RetirementPlan {
    guard !removal.segments.isEmpty else {
      return RetirementPlan(
        removal: removal, checkpointSequence: sequence, checkpoint: checkpoint, obsoleteCheckpoints: [],
        revision: revision(of: checkpoint), losses: [], lostKinds: [], body: nil)
    }
    let body = checkpoint == nil ? try self.checkpoint(at: sequence) : nil
    let own = reader.checkpoints().reversed().filter { !reader.isOverruled($0) }
    // One that is written takes the place of one of the same event.
    let (start, replaced) = (removal.firstSequence - 1, body == nil ? nil : sequence)
    let kept = own.filter { $0.sequence >= start && $0.sequence != replaced }
    return RetirementPlan(
      removal: removal, checkpointSequence: sequence, checkpoint: checkpoint,
      obsoleteCheckpoints: own.filter { $0.sequence < start }, revision: revision(of: checkpoint),
      losses: losses(
        own.filter { $0.sequence < start || $0.sequence == replaced }.compactMap(soundBody),
        kept.compactMap(soundBody) + (body.map { [$0] } ?? [])),
      lostKinds: try lostKinds(keeping: kept, body), body: body)
  }

  private func revision(of checkpoint: Checkpoint?) -> UInt32 {
    checkpoint.flatMap { try? body(of: $0).reducerRevision } ?? Machine.revision
  }

  /// The body of a checkpoint of this history, whichever program stored it; `nil` for any other.
  private func soundBody(of found: Checkpoint) -> StateCheckpoint? {
    guard (try? chain(at: found.sequence)) == found.chain else { return nil }
    return try? body(of: found)
  }

  /// What every state that stays lacks, and an event or a state that goes holds.
  private func losses(_ gone: [StateCheckpoint], _ kept: [StateCheckpoint]) -> [String] {
    guard var lacking = kept.first?.leftOut else { return [] }
    lacking.keep { part in
      kept.allSatisfy { $0.leftOut.contains(part) }
        // Otherwise it was lost before.
        && (firstSequence == 1 || gone.contains { !$0.leftOut.contains(part) })
    }
    return lacking.texts(in: Machine.self)
  }
}
