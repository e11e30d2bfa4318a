import Journal
import WireFormat

/// A check in progress, of a whole history or a part of it.
@usableFromInline
struct Check<Machine: Reducer>: Sendable {
  @usableFromInline var replay: Replay<Machine>
  @usableFromInline var report: CheckReport
  @usableFromInline var digester = StateDigester<Machine.State>()
  @usableFromInline var digestsCompared: UInt64 = 0
  private var checkpoints: ArraySlice<Checkpoint>
  /// The event of the first checkpoint not yet compared; the maximum value if none is left.
  @usableFromInline private(set) var nextCheckpoint: UInt64
  /// The position at which the replay began.
  private let start: UInt64
  /// The last position whose state matched what was recorded.
  @usableFromInline var agreed: UInt64
  /// The last position whose whole state did: a program that had fewer slices recorded digests of these alone.
  @usableFromInline var wholeAgreed: UInt64
  /// The revision of the rules that recorded what follows, if known to differ from this program's.
  @usableFromInline var otherRevision: UInt32?
  /// How the last recorded digest was computed.
  @usableFromInline var scheme = Machine.State.digestScheme
  /// The programs that wrote the history, and where among them the replay is.
  private let writers: Writers
  private var span: Writers.Span?
  /// The first event of the next one; the maximum value if none follows.
  @usableFromInline private(set) var nextSpan: UInt64 = 0
  /// What the digests of the current one cover; `nil` for all slices.
  @usableFromInline private(set) var slices: [Int]?
  /// What the current one says of its digests, kept apart: looking into an optional span copies it.
  @usableFromInline private(set) var isSpanComparable = true
  @usableFromInline private(set) var isSpanOfOther = false
  /// Whether the digests of the current one can be compared.
  @usableFromInline var isComparable: Bool {
    // What was left out here may have changed any slice there.
    isSpanComparable && !(isSpanOfOther && replay.leftOut.concernsKnownSlices)
  }
  /// The event type that records the start of a process, looked up once.
  @usableFromInline let processStart = Machine.processStart

  init(
    from replay: Replay<Machine>, _ digester: StateDigester<Machine.State> = StateDigester(),
    checkpoints: ArraySlice<Checkpoint>, by writers: Writers = Writers()
  ) {
    self.replay = replay
    self.digester = digester
    self.writers = writers
    self.checkpoints = checkpoints.drop { $0.sequence <= replay.sequence }
    nextCheckpoint = self.checkpoints.first?.sequence ?? .max
    start = replay.sequence
    (agreed, wholeAgreed) = (replay.sequence, replay.sequence)
    let combined = self.digester.combined(following: &self.replay.state)
    report = CheckReport(stateDigest: StateDigest(slices: [], combined: combined, as: Machine.State.digestScheme))
  }

  /// A check of a later part of the same history, from a state stored there. The whole check adopts the part when it
  /// reaches it.
  init(partOf whole: Check, from replay: Replay<Machine>, _ digester: StateDigester<Machine.State>) {
    self.init(from: replay, digester, checkpoints: whole.checkpoints, by: whole.writers)
    scheme = whole.scheme
    otherRevision = whole.otherRevision
  }

  /// Whether a checkpoint is due at or before the replay's position.
  @inlinable var isCheckpointNext: Bool { nextCheckpoint <= replay.sequence }

  /// Folds an event and compares the digest it carries.
  @inlinable
  mutating func fold(_ event: JournalEvent) throws(HistoryError) {
    // The digest's place within the event.
    var recorded = UnsafeRawBufferPointer(start: nil, count: 0)
    var scheme = scheme
    var isProcessStart = false
    if event.sequence >= nextSpan { enterSpan(of: event.sequence) }
    let processStart = processStart
    try replay.fold(event) { fields in
      recorded = fields.digest
      scheme = fields.digestScheme
      isProcessStart = fields.type == processStart
    }
    if isProcessStart { recordRevision(in: event) }
    if !recorded.isEmpty { compare(digest: recorded, as: scheme) }
  }

  /// Notes which program wrote the following events.
  @usableFromInline
  mutating func enterSpan(of sequence: UInt64) {
    let place = writers.place(of: sequence)
    span = place.map { writers.spans[$0] }
    slices = span?.slices
    isSpanComparable = span?.isComparable ?? true
    isSpanOfOther = span?.isOfOther ?? false
    nextSpan = place.flatMap { $0 + 1 < writers.spans.count ? writers.spans[$0 + 1].first : nil } ?? .max
    if let revision = span?.revision { otherRevision = Self.isReproduced(revision) ? nil : revision }
  }

  /// Records the revision of the rules that computed the states after a process start, where no catalogue says so.
  @usableFromInline
  mutating func recordRevision(in event: JournalEvent) {
    guard span?.revision == nil else { return }
    guard let start = RecordedEvent<Machine.Event>(event).event, let revision = Machine.recordedRevision(in: start)
    else { return }
    otherRevision = Self.isReproduced(revision) ? nil : revision
  }

  private static func isReproduced(_ revision: UInt32) -> Bool {
    Machine.earliestKeptRevision <= revision && revision <= Machine.revision
  }

  @inlinable
  mutating func compare(digest recorded: UnsafeRawBufferPointer, as scheme: StateDigest.Scheme) {
    self.scheme = scheme
    if let otherRevision {
      countDigest(of: otherRevision)
      return
    }
    guard isComparable else {
      countUncomparable()
      return
    }
    // After the first mismatch, every later digest differs too. A pattern, because comparing the mismatch would copy it.
    if case .some = report.mismatch { return }
    digestsCompared += 1
    let computed =
      if let slices {
        digester.combined(of: replay.state, as: scheme, slices: slices)
      } else {
        digester.combined(following: &replay.state, as: scheme)
      }
    if computed.begins(with: recorded) {
      agreed = replay.sequence
      if slices == nil { wholeAgreed = agreed }
    } else {
      recordMismatch(recorded: recorded)
    }
  }

  @usableFromInline
  mutating func countDigest(of otherRevision: UInt32) {
    report.digestsOfOtherRevisions += 1
    addRevision(otherRevision)
  }

  @usableFromInline
  mutating func countUncomparable() {
    report.digestsOfOtherPrograms += 1
  }

  private mutating func addRevision(_ otherRevision: UInt32) {
    let place = report.otherRevisions.firstIndex { $0 >= otherRevision } ?? report.otherRevisions.endIndex
    if place == report.otherRevisions.endIndex || report.otherRevisions[place] != otherRevision {
      report.otherRevisions.insert(otherRevision, at: place)
    }
  }

  @usableFromInline
  mutating func recordMismatch(recorded: UnsafeRawBufferPointer) {
    report.mismatch = mismatch(recorded: [UInt8](recorded), computed: digester.digest(of: replay.state, as: scheme))
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
        addNote(found.sequence, error, isKeyframe: false)
      }
    }
  }

  /// - Parameter restored: The digest of the keyframe's state, if already restored.
  mutating func compare(
    _ keyframe: Keyframe, restored: Digest?, _ load: () throws(CheckpointRefusal) -> StateCheckpoint
  ) {
    guard report.mismatch?.evidence == nil, keyframe.sequence > start else { return }
    do throws(CheckpointRefusal) {
      try compare(keyframe.sequence, keyframe.chain, restored: restored, load)
      report.keyframesCompared += 1
    } catch {
      addNote(keyframe.sequence, error, isKeyframe: true)
    }
  }

  /// Adds a note about a stored state that could not be compared; of consecutive keyframes with the same reason, only the first.
  mutating func addNote(_ sequence: UInt64, _ refusal: CheckpointRefusal, isKeyframe: Bool) {
    if isKeyframe, let last = report.notes.last(where: \.isKeyframe), last.refusal == refusal { return }
    report.notes.append(CheckpointNote(sequence: sequence, refusal: refusal, isKeyframe: isKeyframe))
  }

  /// Adds a note about a stored state whose position the replay did not reach.
  mutating func addUnseen(_ sequence: UInt64, isKeyframe: Bool) {
    // Where the replay had to stop, it is unknown whether the journal has the event.
    addNote(sequence, report.obstacle == nil ? .eventMissing : .notReached, isKeyframe: isKeyframe)
  }

  /// Compares a stored state with the replayed one.
  private mutating func compare(
    _ sequence: UInt64, _ chain: UInt32, restored: Digest? = nil,
    _ load: () throws(CheckpointRefusal) -> StateCheckpoint
  ) throws(CheckpointRefusal) {
    guard sequence == replay.sequence else { throw .eventMissing }
    guard chain == replay.chain else { throw .otherChain(recorded: chain, actual: replay.chain) }
    // Comparing paths is not enough: the canonical encodings may differ where the trees do not.
    if let restored, restored == digester.combined(following: &replay.state) { return agree() }
    let stored = try load()
    let recorded = try stored.restore(as: Machine.self)
    let computed = digester.digest(of: replay.state, as: stored.scheme)
    // The recorded digest was that of the slices its program had.
    let isWhole = stored.slices.map(\.name) == Machine.State.sliceNames
    let digest = isWhole ? stored.stateDigest : StateDigest(of: recorded, as: stored.scheme).combined.bytes
    guard digest != computed.combined.bytes else { return agree() }
    let isOwn = stored.catalogFingerprint == Machine.Event.catalog.fingerprint().bytes
    if replay.leftOut.concernsKnownSlices, !isOwn { throw .unknownEvents }
    if report.mismatch == nil {
      // Where the event's own digest agrees, the difference is in what that does not cover.
      if agreed == sequence { agreed = min(wholeAgreed, sequence - 1) }
      report.mismatch = mismatch(recorded: [], computed: computed)
    }
    report.mismatch?.evidence = CheckReport.Mismatch.Evidence(
      sequence: sequence, diff: recorded.changes(to: replay.state))
  }

  private mutating func agree() {
    guard report.mismatch == nil else { return }
    (agreed, wholeAgreed) = (replay.sequence, replay.sequence)
  }

  /// Ends the check where the replay must stop.
  @usableFromInline
  mutating func stop(_ obstacle: HistoryError) {
    report.obstacle = obstacle
  }

  @usableFromInline
  mutating func finish(_ keyframes: KeyframesInOrder) -> CheckReport {
    if let keyframe = keyframes.current { addUnseen(keyframe.sequence, isKeyframe: true) }
    for found in checkpoints { addUnseen(found.sequence, isKeyframe: false) }
    report.events = replay.count
    report.digestsCompared = digestsCompared
    report.lastSequence = replay.sequence
    report.stateDigest = digester.digest(of: replay.state, as: scheme)
    return report
  }

  private func mismatch(recorded: [UInt8], computed: StateDigest) -> CheckReport.Mismatch {
    CheckReport.Mismatch(
      sequence: replay.sequence, lastAgreement: agreed, recordedDigest: recorded, computedDigest: computed,
      suspects: [], evidence: nil)
  }

  // MARK: - Parts

  /// Everything that, together with the remaining records, determines how the check continues while all agrees.
  var place: Place {
    mutating get {
      Place(
        sequence: replay.sequence, chain: replay.chain, digest: digester.combined(following: &replay.state),
        otherRevision: otherRevision, state: replay.state)
    }
  }

  /// The position and state of a check.
  struct Place: Equatable, Sendable {
    let sequence: UInt64
    let chain: UInt32
    let digest: Digest
    let otherRevision: UInt32?
    /// The state itself: it may hold what its encoding, and so the digest, leaves out.
    let state: Machine.State
  }

  /// Whether the check found nothing to report, so that a part can be adopted unchanged.
  private var isPlain: Bool { report.mismatch == nil && report.notes.isEmpty }

  /// Continues after a part. Returns `false`, and does nothing, if this check would not have found the same.
  ///
  /// - Parameters:
  ///   - start: Where the part began.
  ///   - nextKeyframe: The event of the next keyframe to compare with this check.
  mutating func adopt(_ part: Check, from start: Place, before nextKeyframe: UInt64) -> Bool {
    guard part.isPlain, report.mismatch == nil, nextKeyframe >= part.replay.sequence, start == place else {
      return false
    }
    if part.agreed > replay.sequence { agreed = part.agreed }
    if part.wholeAgreed > replay.sequence { wholeAgreed = part.wholeAgreed }
    let before = replay
    replay = part.replay
    replay.count += before.count
    replay.hasSeenMigration = replay.hasSeenMigration || before.hasSeenMigration
    digester = part.digester
    otherRevision = part.otherRevision
    // A part without a digest knows the scheme only as of when it was handed out.
    if part.digestsCompared + part.report.digestsOfOtherRevisions + part.report.digestsOfOtherPrograms > 0 {
      scheme = part.scheme
    }
    checkpoints = part.checkpoints
    nextCheckpoint = part.nextCheckpoint
    digestsCompared += part.digestsCompared
    report.checkpointsCompared += part.report.checkpointsCompared
    report.digestsOfOtherRevisions += part.report.digestsOfOtherRevisions
    report.digestsOfOtherPrograms += part.report.digestsOfOtherPrograms
    span = part.span
    slices = part.slices
    isSpanComparable = part.isSpanComparable
    isSpanOfOther = part.isSpanOfOther
    nextSpan = part.nextSpan
    for revision in part.report.otherRevisions { addRevision(revision) }
    return true
  }
}
