import Journal
import WireFormat

extension History {
  /// Replays the whole history from nothing and compares it with every recorded state digest, every checkpoint and every
  /// keyframe.
  ///
  /// A reducer that was changed without raising its revision shows as a mismatch at the first event that it folds
  /// differently. What another revision recorded is left out and counted. The report also says where the replay had to
  /// stop: damage is not an error here.
  ///
  /// - Throws: ``HistoryError`` when the journal cannot be read, or when its first events are gone and no checkpoint
  ///   stands in for them.
  public func check() throws(HistoryError) -> CheckReport {
    var check = Check<Machine>(from: try origin().replay, checkpoints: reader.checkpoints().reversed())
    var keyframes = KeyframesInOrder(of: reader)
    keyframes.advance(noting: &check)
    do throws(HistoryError) {
      try forEachRaw(after: check.replay.sequence) { (event) throws(HistoryError) in
        try check.fold(event)
        if check.isCheckpointNext {
          check.compareCheckpoint { (found) throws(CheckpointRefusal) in try body(of: found) }
        }
        while let found = keyframes.current, found.sequence <= event.sequence {
          check.compare(found) { () throws(CheckpointRefusal) in
            guard let file = keyframes.file else { throw .eventMissing }
            return try Self.body(in: file, of: found)
          }
          keyframes.advance(noting: &check)
        }
      }
    } catch {
      if case .journal = error { throw error }
      check.report.obstacle = error
    }
    if let keyframe = keyframes.current { check.noteUnseen(keyframe.sequence, isKeyframe: true) }
    return check.finish()
  }
}

/// The keyframes of a journal, one after the other.
private struct KeyframesInOrder {
  private(set) var file: KeyframeFile?
  private(set) var current: Keyframe?
  private var last: KeyframeStep?
  private var failure: JournalError?

  init(of reader: JournalReader) {
    do throws(JournalError) {
      file = try reader.keyframes()
    } catch {
      failure = error
    }
  }

  /// Goes on to the next one; what cannot be read before it is noted.
  mutating func advance<Machine: Reducer>(noting check: inout Check<Machine>) {
    let before = current?.sequence ?? 0
    current = nil
    if let failure { check.note(before, .unreadableFile(failure), isKeyframe: true) }
    failure = nil
    while let file, let step = file.next(after: last) {
      last = step
      switch step {
      case .entry(let keyframe):
        current = keyframe
        return
      case .unreadable(_, let error): check.note(before, .unreadableFile(error), isKeyframe: true)
      }
    }
  }
}

/// A check under way.
private struct Check<Machine: Reducer> {
  var replay: Replay<Machine>
  var report: CheckReport
  private var digester = StateDigester<Machine.State>()
  private var checkpoints: ArraySlice<Checkpoint>
  /// The position with which the replay began.
  private let start: UInt64
  /// The last position and state that agreed with what was recorded.
  private var agreed: StateVersion<Machine.State>.Contents
  /// The revision of the rules by which everything from here on was recorded, when it is known to be another one.
  private var otherRevision: UInt32?

  init(from replay: Replay<Machine>, checkpoints: [Checkpoint]) {
    self.replay = replay
    self.checkpoints = checkpoints.drop { $0.sequence <= replay.sequence }
    start = replay.sequence
    agreed = StateVersion<Machine.State>.Contents(state: replay.state, sequence: replay.sequence)
    report = CheckReport(stateDigest: digester.digest(of: replay.state))
  }

  /// Whether a checkpoint is at the position of the replay, or was to be before it.
  var isCheckpointNext: Bool { checkpoints.first.map { $0.sequence <= replay.sequence } ?? false }

  /// Folds an event, and compares the digest that it carries.
  mutating func fold(_ event: JournalEvent) throws(HistoryError) {
    // Where it lies in the event.
    var recorded = UnsafeRawBufferPointer(start: nil, count: 0)
    var isProcessStart = false
    try replay.fold(event) { fields in
      recorded = fields.stateDigest
      isProcessStart = fields.type == Machine.processStart
    }
    if isProcessStart, let start = RecordedEvent<Machine.Event>(event).event,
      let revision = Machine.recordedRevision(in: start)
    {
      otherRevision = revision == Machine.revision ? nil : revision
    }
    if !recorded.isEmpty { compare(digest: recorded) }
  }

  private mutating func compare(digest recorded: UnsafeRawBufferPointer) {
    if let otherRevision {
      report.digestsOfOtherRevisions += 1
      let place = report.otherRevisions.firstIndex { $0 >= otherRevision } ?? report.otherRevisions.endIndex
      if place == report.otherRevisions.endIndex || report.otherRevisions[place] != otherRevision {
        report.otherRevisions.insert(otherRevision, at: place)
      }
      return
    }
    // After the first disagreement every later digest disagrees as well.
    guard report.mismatch == nil else { return }
    report.digestsCompared += 1
    let contents = StateVersion<Machine.State>.Contents(state: replay.state, sequence: replay.sequence)
    if digester.combined(of: contents).begins(with: recorded) {
      agreed = contents
    } else {
      report.mismatch = mismatch(recorded: [UInt8](recorded), computed: digester.digest(of: contents.state))
    }
  }

  mutating func compareCheckpoint(_ load: (Checkpoint) throws(CheckpointRefusal) -> StateCheckpoint) {
    while let found = checkpoints.first, found.sequence <= replay.sequence {
      checkpoints.removeFirst()
      guard report.mismatch?.evidence == nil else { continue }
      do throws(CheckpointRefusal) {
        try compare(found.sequence, found.chain) { () throws(CheckpointRefusal) in try load(found) }
        report.checkpointsCompared += 1
      } catch {
        note(found.sequence, error, isKeyframe: false)
      }
    }
  }

  mutating func compare(_ keyframe: Keyframe, _ load: () throws(CheckpointRefusal) -> StateCheckpoint) {
    guard report.mismatch?.evidence == nil, keyframe.sequence > start else { return }
    do throws(CheckpointRefusal) {
      try compare(keyframe.sequence, keyframe.chain, load)
      report.keyframesCompared += 1
    } catch {
      note(keyframe.sequence, error, isKeyframe: true)
    }
  }

  /// Notes a stored state that could not be compared; of keyframes in a row with one reason the first.
  mutating func note(_ sequence: UInt64, _ refusal: CheckpointRefusal, isKeyframe: Bool) {
    if isKeyframe, let last = report.notes.last(where: \.isKeyframe), last.refusal == refusal { return }
    report.notes.append(CheckpointNote(sequence: sequence, refusal: refusal, isKeyframe: isKeyframe))
  }

  /// Notes a stored state at whose position the replay did not come by.
  mutating func noteUnseen(_ sequence: UInt64, isKeyframe: Bool) {
    // Where the replay had to stop, nothing tells whether the journal has the event.
    note(sequence, report.obstacle == nil ? .eventMissing : .notReached, isKeyframe: isKeyframe)
  }

  /// Compares a stored state with the replay's.
  private mutating func compare(
    _ sequence: UInt64, _ chain: UInt32, _ load: () throws(CheckpointRefusal) -> StateCheckpoint
  ) throws(CheckpointRefusal) {
    guard sequence == replay.sequence else { throw .eventMissing }
    guard chain == replay.chain else { throw .otherChain(recorded: chain, actual: replay.chain) }
    let stored = try load()
    let recorded = try stored.restore(as: Machine.self)
    // Paths alone are no proof: what differs in the canonical encoding only differs too.
    let computed = digester.digest(of: replay.state)
    guard stored.stateDigest != computed.combined.bytes else {
      if report.mismatch == nil {
        agreed = StateVersion<Machine.State>.Contents(state: replay.state, sequence: replay.sequence)
      }
      return
    }
    if report.mismatch == nil { report.mismatch = mismatch(recorded: [], computed: computed) }
    report.mismatch?.evidence = CheckReport.Mismatch.Evidence(
      sequence: sequence, diff: recorded.changes(to: replay.state))
  }

  mutating func finish() -> CheckReport {
    for found in checkpoints { noteUnseen(found.sequence, isKeyframe: false) }
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
