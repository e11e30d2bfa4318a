import Journal
import WireFormat

/// A checkpoint or keyframe that was not used, and why.
public struct CheckpointNote: Equatable, Sendable, CustomStringConvertible {
  /// The event after which the state was stored; for keyframes that cannot be found, the keyframe before them, or 0.
  public let sequence: UInt64
  /// Why it was not used.
  public let refusal: CheckpointRefusal
  /// Whether it concerns a keyframe.
  public let isKeyframe: Bool

  /// `isKeyframe` is `false` for a checkpoint.
  public init(sequence: UInt64, refusal: CheckpointRefusal, isKeyframe: Bool = false) {
    self.sequence = sequence
    self.refusal = refusal
    self.isKeyframe = isKeyframe
  }

  /// One sentence that names the stored state and the reason.
  public var description: String {
    if isKeyframe, case .unreadableFile(let error) = refusal, error.sequence == nil {
      return "keyframes after event \(sequence) are not used: \(error.description)"
    }
    return "the \(isKeyframe ? "keyframe" : "checkpoint") at event \(sequence) is not used: \(refusal.description)"
  }
}

/// Where a replay begins: a state from a checkpoint, or the initial one.
@usableFromInline
struct StartingPoint<Machine: Reducer> {
  @usableFromInline var replay: Replay<Machine>
  @usableFromInline var window = IdempotencyWindow()
  /// Whether the journal may record the keys of its store as its own: they open something, or nothing was sealed yet. Others
  /// would lock out the right ones.
  @usableFromInline var mayRecordKeys = true
  /// The position of the checkpoint used; `nil` if none was.
  @usableFromInline var checkpoint: UInt64?
  /// The position of the keyframe used instead; `nil` if none was.
  @usableFromInline var keyframe: UInt64?
  /// The newer checkpoints that were not used.
  @usableFromInline var notes: [CheckpointNote] = []
  /// When the last event folded was decided, if the state was brought forward.
  @usableFromInline var moment = Moment(wallNanoseconds: 0)
  /// How a store that goes on from here records digests.
  @usableFromInline var digestScheme = Machine.State.digestScheme

  /// A checkpoint of the state, with the commands that are still recognised.
  var stored: StateCheckpoint {
    StateCheckpoint(
      of: replay.state, digest: StateDigest(of: replay.state), window: window, lacking: replay.leftOut,
      by: Machine.self)
  }

  /// Folds the next event, and remembers its command if it had a key.
  @inlinable
  mutating func fold(_ event: JournalEvent) throws(HistoryError) {
    let sequence = event.sequence
    try replay.fold(event) { fields in
      moment = fields.moment
      if !fields.keyCheck.isEmpty { window.keyCheck = [UInt8](fields.keyCheck) }
      guard !fields.idempotencyKey.isEmpty else { return }
      window.record(
        key: [UInt8](fields.idempotencyKey), fingerprint: [UInt8](fields.commandFingerprint), sequence: sequence,
        isSealed: fields.features.contains(.sealedCommand))
    }
  }
}

extension HistoryError {
  /// The error for events lost before `event` without anyone having accepted the loss.
  @usableFromInline
  static func lost(before event: JournalEvent, after sequence: UInt64, isSalvaged: Bool) -> HistoryError {
    .damaged(
      lastDerivable: sequence,
      .lost((sequence + 1)...event.sequence, file: event.file, offset: event.offset, isSalvaged: isSalvaged))
  }
}

extension History {
  /// The history that a store continues after opening its journal.
  @usableFromInline
  init(
    opening journal: JournalWriter, at path: String, of options: JournalOptions, fileSystem: any FileSystem
  ) throws(HistoryError) {
    if let reader = journal.takeReader() {
      self.init(reader)
    } else {
      try self.init(at: path, of: options, fileSystem: fileSystem)
    }
    // Opening the journal has looked at the events already.
    _ = admission.value { nil }
  }

  /// The history of a journal that may not be finished yet, for the program that writes it.
  @usableFromInline
  init(at path: String, of options: JournalOptions, fileSystem: any FileSystem) throws(HistoryError) {
    do throws(JournalError) {
      self.init(try JournalReader(path: path, fileSystem: fileSystem, acceptsUnfinished: options.isUnfinished))
    } catch {
      throw .journal(error)
    }
  }

  /// The state at the end of this history, for a store that has not opened its journal yet.
  ///
  /// - Parameter end: Where the history ends, as the journal's writer will find it.
  /// - Returns: `nil` for damage that may be given up: opening the journal says how far it goes then.
  @inlinable
  func admittedState(
    upTo end: (sequence: UInt64, chain: UInt32), acceptsLost: Bool
  ) throws(HistoryError) -> StartingPoint<Machine>? {
    do throws(HistoryError) {
      return try currentState(upTo: end, acceptsLost: acceptsLost)
    } catch {
      if acceptsLost, case .damaged = error { return nil }
      throw error
    }
  }

  /// The state at the end of this history's journal. It is replayed from a keyframe that is later than every checkpoint
  /// and lists every command still recognised; failing that, as ``startingPoint(notAfter:knowing:)`` says.
  ///
  /// - Parameter acceptsLost: Whether the caller accepts that a salvaged journal lacks events.
  @inlinable
  func currentState(
    upTo end: (sequence: UInt64, chain: UInt32), acceptsLost: Bool
  ) throws(HistoryError) -> StartingPoint<Machine> {
    let scheme = continuedScheme(after: end.sequence)
    if var start = keyframeStart(end), try goOn(from: &start, to: end, acceptsLost: acceptsLost) {
      start.digestScheme = scheme
      return start
    }
    var start = try startingPoint(notAfter: end.sequence, knowing: end)
    start.digestScheme = scheme
    _ = try goOn(from: &start, to: end, acceptsLost: acceptsLost)
    return start
  }

  /// Folds what follows a starting point; `false` if it is a keyframe of another history.
  @inlinable
  func goOn(
    from start: inout StartingPoint<Machine>, to end: (sequence: UInt64, chain: UInt32), acceptsLost: Bool
  ) throws(HistoryError) -> Bool {
    let place = (sequence: start.replay.sequence, chain: start.replay.chain)
    if place.sequence == end.sequence { return start.keyframe == nil || place.chain == end.chain }
    guard start.keyframe != nil else {
      try forEachRaw(after: place.sequence, upTo: end.sequence) { (event) throws(HistoryError) in
        try fold(event, into: &start, acceptsLost: acceptsLost)
      }
      return true
    }
    return try forEachRaw(after: place, upTo: end.sequence) { (event) throws(HistoryError) in
      try fold(event, into: &start, acceptsLost: acceptsLost)
    } == nil
  }

  @inlinable
  func fold(
    _ event: JournalEvent, into start: inout StartingPoint<Machine>, acceptsLost: Bool
  ) throws(HistoryError) {
    if event.payload.isEmpty, !acceptsLost {
      throw .lost(before: event, after: start.replay.sequence, isSalvaged: reader.identity.isSalvaged)
    }
    try start.fold(event)
  }

  @usableFromInline
  func keyframeStart(_ end: (sequence: UInt64, chain: UInt32)) -> StartingPoint<Machine>? {
    // Keyframes are a cache: one that does not fit is skipped without a note.
    // Every opening checks for events that a salvaged journal lacks: no cache decides whether their loss is accepted.
    guard usesCheckpoints, reader.identity.parent == nil, firstSequence <= end.sequence,
      let file = try? reader.keyframes(),
      let found = try? file.last(notAfter: end.sequence), found.sequence >= firstSequence,
      found.sequence > reader.checkpoints().first(where: { $0.sequence <= end.sequence })?.sequence ?? 0,
      let body = try? Self.body(in: file, of: found), body.listsEveryCommand,
      let state = try? body.restore(as: Machine.self),
      (try? requireKnownEvents(before: body, at: found.sequence)) != nil
    else { return nil }
    let replay = replay(from: state, body, after: found.sequence, chain: found.chain)
    return StartingPoint(replay: replay, window: body.window, keyframe: found.sequence)
  }

  /// The newest usable checkpoint at or before `target`, or the state before the first event.
  ///
  /// - Parameter end: A position whose chain is already known and need not be read.
  @usableFromInline
  func startingPoint(
    notAfter target: UInt64?, knowing end: (sequence: UInt64, chain: UInt32)? = nil
  ) throws(HistoryError) -> StartingPoint<Machine> {
    try requireOwnDomain()
    var notes: [CheckpointNote] = []
    if usesCheckpoints || firstSequence > 1 {
      for found in reader.checkpoints() where found.sequence <= target ?? .max {
        do throws(CheckpointRefusal) {
          var start = try startingPoint(from: found, knowing: end)
          start.notes = notes
          return start
        } catch {
          notes.append(CheckpointNote(sequence: found.sequence, refusal: error))
        }
      }
    }
    guard firstSequence > 1 else { return StartingPoint(replay: bounded(Replay()), notes: notes) }
    var start = try lastResort(reader.checkpoints().filter { $0.sequence <= target ?? .max }, knowing: end)
    start.notes = notes
    return start
  }

  /// A replay that begins with a checkpoint.
  private func startingPoint(
    from found: Checkpoint, knowing end: (sequence: UInt64, chain: UInt32)? = nil, keptFrom first: UInt64 = 1,
    asLastResort: Bool = false
  ) throws(CheckpointRefusal) -> StartingPoint<Machine> {
    let (state, body) = try restore(found, knowing: end, keptFrom: first, asLastResort: asLastResort)
    var replay = replay(from: state, body, after: found.sequence, chain: found.chain)
    if first > 1 { replay.leftOut.forget(knownTo: Machine.self, isOwn: body.isOwn(Machine.self)) }
    if asLastResort {
      for part in try unreadParts(of: body, in: state, at: found.sequence) { replay.leftOut.add(part) }
    }
    return StartingPoint(replay: replay, window: body.window, checkpoint: found.sequence)
  }

  /// The fields that this program does not know in a state that nothing else holds, as parts to leave out.
  ///
  /// - Throws: ``CheckpointRefusal/unknownField(field:slice:)`` for one that must be understood.
  private func unreadParts(
    of body: StateCheckpoint, in state: Machine.State, at sequence: UInt64
  ) throws(CheckpointRefusal) -> [OmittedContent.Part] {
    var parts: [OmittedContent.Part] = []
    for (slice, field) in body.unreadFields(in: state) {
      guard slice.isIgnorable || mayLeaveOutFields(of: body, at: sequence) else {
        throw .unknownField(field: field, slice: slice.name)
      }
      parts.append(OmittedContent.Part(slice: slice.name, field: field, last: sequence))
    }
    return parts
  }

  /// Where a replay begins if the first events are gone and no checkpoint fits this program as it is: with the newest one
  /// of its own revision that lacks only what is gone, else with the newest one of it whose bytes are sound, else with the
  /// oldest one that can be brought forward, so that as many events as possible are folded by the rules of this program.
  /// What the state lacks is then lost for good: the states that follow from it are complete.
  ///
  /// - Parameter checkpoints: Newest first.
  private func lastResort(
    _ checkpoints: [Checkpoint], knowing end: (sequence: UInt64, chain: UInt32)? = nil
  ) throws(HistoryError) -> StartingPoint<Machine> {
    var failure: HistoryError?
    for isLast in [false, true] {
      for found in checkpoints {
        do throws(CheckpointRefusal) {
          return try startingPoint(from: found, knowing: end, keptFrom: firstSequence, asLastResort: isLast)
        } catch {
          if isLast, failure == nil, case .unknownField(let field, let slice) = error {
            failure = .unknownField(checkpoint: found.sequence, field: field, slice: slice)
          }
        }
      }
    }
    for found in checkpoints.reversed() where !reader.isOverruled(found) {
      do throws(HistoryError) {
        if let start = try migrate(found, knowing: end) { return start }
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? noStartingState
  }

  /// Why nothing is known of the state before the first event.
  var noStartingState: HistoryError { .noStartingState(first: firstSequence, newer: reader.newerCheckpoint) }

  /// A replay that begins with a checkpoint of another revision, brought forward; `nil` if it is not a sound one of this
  /// history.
  ///
  /// - Throws: ``HistoryError/notMigrated(checkpoint:from:to:reason:)``.
  private func migrate(
    _ found: Checkpoint, knowing end: (sequence: UInt64, chain: UInt32)? = nil
  ) throws(HistoryError) -> StartingPoint<Machine>? {
    guard let body = try? body(of: found), body.reducerRevision != Machine.revision,
      let stored = try? body.stored(for: Machine.self),
      let chain = found.sequence == end?.sequence ? end?.chain : try? chain(at: found.sequence), chain == found.chain
    else { return nil }
    func refusal(_ reason: String? = nil) -> HistoryError {
      .notMigrated(
        checkpoint: found.sequence, from: body.reducerRevision, to: Machine.revision, reason: reason)
    }
    guard body.reducerRevision < Machine.revision else { throw refusal() }
    let state: Machine.State?
    do throws(WireError) {
      state = try Machine.migrate(stored)
    } catch {
      throw refusal(error.description)
    }
    guard let state else { throw refusal() }
    var replay = replay(from: state, body, after: found.sequence, chain: found.chain)
    replay.leftOut.forget(knownTo: Machine.self, isOwn: false)
    replay.migration = StateMigration(
      from: body.reducerRevision, to: Machine.revision, checkpoint: found.sequence, before: body.stateDigest,
      after: StateDigest(of: state, as: .merkle).combined.bytes)
    return StartingPoint(
      replay: replay, window: body.window, checkpoint: found.sequence, moment: moment(of: found.sequence))
  }

  /// When an event was decided; when the journal was created, if the event cannot be read.
  private func moment(of sequence: UInt64) -> Moment {
    var moment = Moment(wallNanoseconds: reader.identity.createdNanoseconds)
    try? forEachRaw(after: sequence - min(sequence, 1), upTo: sequence) { (event) throws(HistoryError) in
      moment = RecordedEvent<Machine.Event>(event).envelope.moment
    }
    return moment
  }

  /// The state from which a full replay starts: the initial one, or that of the oldest checkpoint if the first events are
  /// gone, brought forward if another revision computed it.
  func origin() throws(HistoryError) -> StartingPoint<Machine> {
    try requireOwnDomain()
    guard firstSequence > 1 else { return StartingPoint(replay: bounded(Replay())) }
    for found in reader.checkpoints().reversed() where !reader.isOverruled(found) {
      if let start = try? startingPoint(from: found) { return start }
      if let start = try? migrate(found) { return start }
    }
    return try lastResort(reader.checkpoints())
  }

  /// A checkpoint of the state after an event, with the commands that are still recognised there.
  func checkpoint(at sequence: UInt64) throws(HistoryError) -> StateCheckpoint {
    try checkpoint(of: try point(at: sequence))
  }

  /// The state after an event, with the commands that are still recognised there.
  func point(at sequence: UInt64) throws(HistoryError) -> StartingPoint<Machine> {
    guard sequence >= firstSequence - 1 else { throw .beforeKeptRange(requested: sequence, first: firstSequence) }
    var start = try startingPoint(notAfter: sequence)
    if start.replay.sequence < sequence {
      try forEachRaw(after: start.replay.sequence, upTo: sequence) { (event) throws(HistoryError) in
        try start.fold(event)
      }
    }
    guard start.replay.sequence == sequence else {
      throw .afterEnd(requested: sequence, last: start.replay.sequence)
    }
    return start
  }

  /// The oldest checkpoint of this history that this program can use, as it is or brought forward.
  func oldestUsableCheckpoint() -> Checkpoint? {
    reader.checkpoints().reversed().first { found in
      !reader.isOverruled(found) && ((try? restore(found)) != nil || (try? migrate(found)) != nil)
    }
  }

  /// Reads a checkpoint's body.
  func body(of found: Checkpoint) throws(CheckpointRefusal) -> StateCheckpoint {
    let bytes: [UInt8]
    do throws(JournalError) {
      bytes = try reader.body(of: found)
    } catch {
      throw .unreadableFile(error)
    }
    return try StateCheckpoint(bytes: bytes)
  }

  /// The state in a checkpoint, if it fits this program and this history.
  func restore(
    _ found: Checkpoint, knowing end: (sequence: UInt64, chain: UInt32)? = nil, keptFrom first: UInt64 = 1,
    asLastResort: Bool = false
  ) throws(CheckpointRefusal) -> (Machine.State, StateCheckpoint) {
    let body = try body(of: found)
    let state = try body.restore(as: Machine.self, keptFrom: first, asLastResort: asLastResort)
    if !asLastResort { try requireKnownEvents(before: body, at: found.sequence) }
    let isEnd = found.sequence == end?.sequence
    let chain = isEnd ? end?.chain ?? 0 : try chain(at: found.sequence)
    guard chain == found.chain else { throw .otherChain(recorded: found.chain, actual: chain) }
    return (state, body)
  }

  /// The journal's chain after an event.
  func chain(at sequence: UInt64) throws(CheckpointRefusal) -> UInt32 {
    let chain: UInt32?
    do throws(HistoryError) { chain = try chainIfKept(at: sequence) } catch { throw .eventMissing }
    guard let chain else { throw .eventMissing }
    return chain
  }

  /// The journal's chain after an event; `nil` if the journal ends before it, or keeps only later ones.
  ///
  /// - Throws: ``HistoryError`` if that cannot be read.
  func chainIfKept(at sequence: UInt64) throws(HistoryError) -> UInt32? {
    if sequence == firstSequence - 1 { return reader.segments.first?.chainIn ?? reader.start.chain }
    var chain: UInt32?
    try forEachRaw(after: sequence - min(sequence, 1), upTo: sequence) { (event) throws(HistoryError) in
      chain = event.chain
    }
    return chain
  }
}

extension History {
  /// The body of a checkpoint of the state after an event, as a store would write it.
  package func checkpointBody(at sequence: UInt64) throws(HistoryError) -> [UInt8] {
    try checkpoint(at: sequence).encode()
  }
}
