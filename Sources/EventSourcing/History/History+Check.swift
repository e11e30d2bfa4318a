import Journal
import WireFormat

extension History {
  /// Replays the whole history from nothing and compares it with every recorded state digest and every checkpoint.
  ///
  /// A reducer that was changed without raising its revision shows as a mismatch at the first event that it folds
  /// differently. The report also says where the replay had to stop: damage is not an error here.
  ///
  /// - Throws: ``HistoryError`` when the journal cannot be read, or when its first events are gone and no checkpoint
  ///   stands in for them.
  public func check() throws(HistoryError) -> CheckReport {
    var check = Check<Machine>(from: try origin(), checkpoints: reader.checkpoints().reversed())
    do throws(HistoryError) {
      try forEachRaw(after: check.replay.sequence) { (event) throws(HistoryError) in
        var recorded: [UInt8] = []
        try check.replay.fold(event) { fields in
          if !fields.stateDigest.isEmpty { recorded = [UInt8](fields.stateDigest) }
        }
        if !recorded.isEmpty { check.compare(digest: recorded) }
        if check.isCheckpointNext {
          check.compareCheckpoint { (found) throws(CheckpointRefusal) in try body(of: found) }
        }
      }
    } catch {
      if case .journal = error { throw error }
      check.report.obstacle = error
    }
    return check.finish()
  }
}

/// A check under way.
private struct Check<Machine: Reducer> {
  var replay: Replay<Machine>
  var report: CheckReport
  private var digester = StateDigester<Machine.State>()
  private var checkpoints: ArraySlice<Checkpoint>
  /// The last position and state that agreed with what was recorded.
  private var agreed: (sequence: UInt64, state: Machine.State)

  init(from replay: Replay<Machine>, checkpoints: [Checkpoint]) {
    self.replay = replay
    self.checkpoints = checkpoints.drop { $0.sequence <= replay.sequence }
    agreed = (replay.sequence, replay.state)
    report = CheckReport(stateDigest: digester.digest(of: replay.state))
  }

  /// Whether a checkpoint is at the position of the replay, or was to be before it.
  var isCheckpointNext: Bool { checkpoints.first.map { $0.sequence <= replay.sequence } ?? false }

  mutating func compare(digest recorded: [UInt8]) {
    // After the first disagreement every later digest disagrees as well.
    guard report.mismatch == nil else { return }
    report.digestsCompared += 1
    let computed = digester.digest(of: replay.state)
    if computed.combined.begins(with: recorded) {
      agreed = (replay.sequence, replay.state)
    } else {
      report.mismatch = mismatch(recorded: recorded, computed: computed)
    }
  }

  mutating func compareCheckpoint(_ load: (Checkpoint) throws(CheckpointRefusal) -> StateCheckpoint) {
    while let found = checkpoints.first, found.sequence <= replay.sequence {
      checkpoints.removeFirst()
      guard report.mismatch?.evidence == nil else { continue }
      do throws(CheckpointRefusal) {
        guard found.sequence == replay.sequence else { throw .eventMissing }
        guard found.chain == replay.chain else { throw .otherChain(recorded: found.chain, actual: replay.chain) }
        let recorded = try load(found).restore(as: Machine.self)
        report.checkpointsCompared += 1
        let diff = recorded.changes(to: replay.state)
        // Paths alone are no proof: what differs in the canonical encoding only differs too.
        guard StateDigest(of: recorded) != digester.digest(of: replay.state) else {
          if report.mismatch == nil { agreed = (replay.sequence, replay.state) }
          continue
        }
        if report.mismatch == nil {
          report.mismatch = mismatch(recorded: [], computed: digester.digest(of: replay.state))
        }
        report.mismatch?.evidence = CheckReport.Mismatch.Evidence(sequence: found.sequence, diff: diff)
      } catch {
        report.notes.append(CheckpointNote(sequence: found.sequence, refusal: error))
      }
    }
  }

  mutating func finish() -> CheckReport {
    for found in checkpoints {
      report.notes.append(CheckpointNote(sequence: found.sequence, refusal: .eventMissing))
    }
    report.events = replay.count
    report.lastSequence = replay.sequence
    report.stateDigest = digester.digest(of: replay.state)
    return report
  }

  private func mismatch(recorded: [UInt8], computed: StateDigest) -> CheckReport.Mismatch {
    CheckReport.Mismatch(
      sequence: replay.sequence, lastAgreement: agreed.sequence, recordedDigest: recorded, computedDigest: computed,
      suspects: agreed.state.changes(to: replay.state).changes, evidence: nil)
  }
}
