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
  @inlinable
  public func check() throws(HistoryError) -> CheckReport {
    // The caller compiles what is done with every event, for its machine; the rest happens here.
    var check = try beginCheck()
    var keyframes = KeyframesInOrder(of: reader)
    keyframes.advance(noting: &check)
    do throws(HistoryError) {
      try forEachRaw(after: check.replay.sequence) { (event) throws(HistoryError) in
        try check.fold(event)
        if check.isCheckpointNext || keyframes.nextSequence <= event.sequence { compareStored(&check, &keyframes) }
      }
    } catch {
      if case .journal = error { throw error }
      check.stop(error)
    }
    return check.finish(keyframes)
  }

  @usableFromInline
  func beginCheck() throws(HistoryError) -> Check<Machine> {
    Check<Machine>(from: try origin().replay, checkpoints: reader.checkpoints().reversed())
  }

  /// Compares the checkpoint and the keyframe that are at the replay's position, and notes those that were to be before.
  @usableFromInline
  func compareStored(_ check: inout Check<Machine>, _ keyframes: inout KeyframesInOrder) {
    if check.isCheckpointNext {
      check.compareCheckpoint { (found) throws(CheckpointRefusal) in try body(of: found) }
    }
    while let found = keyframes.current, found.sequence <= check.replay.sequence {
      check.compare(found) { () throws(CheckpointRefusal) in
        guard let file = keyframes.file else { throw .eventMissing }
        return try Self.body(in: file, of: found)
      }
      keyframes.advance(noting: &check)
    }
  }
}

/// The keyframes of a journal, one after the other.
@usableFromInline
struct KeyframesInOrder {
  private(set) var file: KeyframeFile?
  private(set) var current: Keyframe?
  /// The event after which the current one is; more than any when there is none.
  @usableFromInline private(set) var nextSequence = UInt64.max
  private var last: KeyframeStep?
  private var failure: JournalError?

  @usableFromInline
  init(of reader: JournalReader) {
    do throws(JournalError) {
      file = try reader.keyframes()
    } catch {
      failure = error
    }
  }

  /// Goes on to the next one; what cannot be read before it is noted.
  @usableFromInline
  mutating func advance<Machine: Reducer>(noting check: inout Check<Machine>) {
    let before = current?.sequence ?? 0
    current = nil
    nextSequence = .max
    if let failure { check.note(before, .unreadableFile(failure), isKeyframe: true) }
    failure = nil
    while let file, let step = file.next(after: last) {
      last = step
      switch step {
      case .entry(let keyframe):
        current = keyframe
        nextSequence = keyframe.sequence
        return
      case .unreadable(_, let error): check.note(before, .unreadableFile(error), isKeyframe: true)
      }
    }
  }
}

/// A check under way.
@usableFromInline
struct Check<Machine: Reducer> {
  @usableFromInline var replay: Replay<Machine>
  @usableFromInline var report: CheckReport
  @usableFromInline var digester = StateDigester<Machine.State>()
  @usableFromInline var digestsCompared: UInt64 = 0
  private var checkpoints: ArraySlice<Checkpoint>
  /// The event after which the first of them is; more than any when there is none.
  @usableFromInline private(set) var nextCheckpoint: UInt64
  /// The position with which the replay began.
  private let start: UInt64
  /// The last position and state that agreed with what was recorded.
  @usableFromInline var agreed: StateVersion<Machine.State>.Contents
  /// The revision of the rules by which everything from here on was recorded, when it is known to be another one.
  @usableFromInline var otherRevision: UInt32?

  init(from replay: Replay<Machine>, checkpoints: [Checkpoint]) {
    self.replay = replay
    self.checkpoints = checkpoints.drop { $0.sequence <= replay.sequence }
    nextCheckpoint = self.checkpoints.first?.sequence ?? .max
    start = replay.sequence
    agreed = StateVersion<Machine.State>.Contents(state: replay.state, sequence: replay.sequence)
    report = CheckReport(stateDigest: digester.digest(of: replay.state))
  }

  /// Whether a checkpoint is at the position of the replay, or was to be before it.
  @inlinable var isCheckpointNext: Bool { nextCheckpoint <= replay.sequence }

  /// Folds an event, and compares the digest that it carries.
  @inlinable
  mutating func fold(_ event: JournalEvent) throws(HistoryError) {
    // Where it lies in the event.
    var recorded = UnsafeRawBufferPointer(start: nil, count: 0)
    var isProcessStart = false
    try replay.fold(event) { fields in
      recorded = fields.stateDigest
      isProcessStart = fields.type == Machine.processStart
    }
    if isProcessStart { noteRevision(in: event) }
    if !recorded.isEmpty { compare(digest: recorded) }
  }

  /// Notes the revision of the rules by which the states from a process's start on were recorded.
  @usableFromInline
  mutating func noteRevision(in event: JournalEvent) {
    guard let start = RecordedEvent<Machine.Event>(event).event, let revision = Machine.recordedRevision(in: start)
    else { return }
    otherRevision = revision == Machine.revision ? nil : revision
  }

  @inlinable
  mutating func compare(digest recorded: UnsafeRawBufferPointer) {
    if let otherRevision {
      noteDigest(of: otherRevision)
      return
    }
    // After the first disagreement every later digest disagrees as well.
    guard report.mismatch == nil else { return }
    digestsCompared += 1
    let contents = StateVersion<Machine.State>.Contents(state: replay.state, sequence: replay.sequence)
    if digester.combined(of: contents).begins(with: recorded) {
      agreed = contents
    } else {
      noteMismatch(recorded: recorded)
    }
  }

  @usableFromInline
  mutating func noteDigest(of otherRevision: UInt32) {
    report.digestsOfOtherRevisions += 1
    let place = report.otherRevisions.firstIndex { $0 >= otherRevision } ?? report.otherRevisions.endIndex
    if place == report.otherRevisions.endIndex || report.otherRevisions[place] != otherRevision {
      report.otherRevisions.insert(otherRevision, at: place)
    }
  }

  @usableFromInline
  mutating func noteMismatch(recorded: UnsafeRawBufferPointer) {
    report.mismatch = mismatch(recorded: [UInt8](recorded), computed: digester.digest(of: replay.state))
  }

  mutating func compareCheckpoint(_ load: (Checkpoint) throws(CheckpointRefusal) -> StateCheckpoint) {
    while let found = checkpoints.first, found.sequence <= replay.sequence {
      checkpoints.removeFirst()
      nextCheckpoint = checkpoints.first?.sequence ?? .max
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

  /// Ends the check where the replay has to stop.
  @usableFromInline
  mutating func stop(_ obstacle: HistoryError) {
    report.obstacle = obstacle
  }

  @usableFromInline
  mutating func finish(_ keyframes: KeyframesInOrder) -> CheckReport {
    if let keyframe = keyframes.current { noteUnseen(keyframe.sequence, isKeyframe: true) }
    for found in checkpoints { noteUnseen(found.sequence, isKeyframe: false) }
    report.events = replay.count
    report.digestsCompared = digestsCompared
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
