import Journal
import WireFormat

extension History {
  /// Number of keyframes tried before falling back to older checkpoints.
  @usableFromInline static var keyframeAttempts: Int { 3 }

  /// Replays up to an event from the newest usable keyframe at or before it, provided that is later than every
  /// checkpoint at or before it; `nil` if there is none. Keyframes that do not match are noted with the reason.
  @inlinable
  func replayFromKeyframe(
    upTo target: UInt64?, notes: inout [CheckpointNote]
  ) throws(HistoryError) -> (replay: Replay<Machine>, keyframe: UInt64)? {
    // Keyframes are a cache: an unreadable one counts as missing.
    guard usesCheckpoints, let file = try? reader.keyframes() else { return nil }
    var limit = target ?? .max
    let earliest = max(1, firstSequence - 1, reader.checkpoints().first { $0.sequence <= limit }?.sequence ?? 0)
    for _ in 0..<Self.keyframeAttempts {
      guard let found = try? file.last(notAfter: limit), found.sequence >= earliest else { break }
      let refusal: CheckpointRefusal
      switch replay(from: found, in: file) {
      case .failure(let error): refusal = error
      case .success(let start):
        var replay = start
        let problem = try forEachRaw(
          after: (start.sequence, start.chain), upTo: target
        ) { (event) throws(HistoryError) in try replay.fold(event) }
        guard let problem else { return (replay, found.sequence) }
        refusal = problem
      }
      notes.append(CheckpointNote(sequence: found.sequence, refusal: refusal, isKeyframe: true))
      // Earlier keyframes were not written by a later program.
      if refusal.isOfOtherProgram { break }
      limit = found.sequence - 1
    }
    return nil
  }

  /// Reads the body of a keyframe.
  static func body(in file: KeyframeFile, of found: Keyframe) throws(CheckpointRefusal) -> StateCheckpoint {
    let bytes: [UInt8]
    do throws(JournalError) {
      bytes = try file.body(of: found)
    } catch {
      throw .unreadableFile(error)
    }
    return try StateCheckpoint(bytes: bytes)
  }

  /// A replay that begins with a keyframe.
  @usableFromInline
  func replay(from found: Keyframe, in file: KeyframeFile) -> Result<Replay<Machine>, CheckpointRefusal> {
    do throws(CheckpointRefusal) {
      let body = try Self.body(in: file, of: found)
      let state = try body.restore(as: Machine.self)
      try requireKnownEvents(before: body, at: found.sequence)
      return .success(replay(from: state, body, after: found.sequence, chain: found.chain))
    } catch {
      return .failure(error)
    }
  }

  /// Calls `body` with the events after a stored state, if the journal has the state's own event with the same chain.
  ///
  /// - Returns: Why the state is not one of this history; `nil` if it is.
  @inlinable
  func forEachRaw(
    after place: (sequence: UInt64, chain: UInt32), upTo target: UInt64?,
    _ body: (JournalEvent) throws(HistoryError) -> Void
  ) throws(HistoryError) -> CheckpointRefusal? {
    var chain = place.sequence + 1 == firstSequence ? reader.segments.first?.chainIn : nil
    do throws(HistoryError) {
      // The event itself is read with those after it, for its chain.
      try forEachRaw(after: place.sequence - 1, upTo: target) { (event) throws(HistoryError) in
        if event.sequence == place.sequence { chain = event.chain }
        guard chain == place.chain else { throw .damaged(lastDerivable: place.sequence, nil) }
        if event.sequence != place.sequence { try body(event) }
      }
    } catch {
      // Damage before the event itself leaves its chain unknown.
      if chain == place.chain { throw error }
    }
    guard let chain else { return .eventMissing }
    return chain == place.chain ? nil : .otherChain(recorded: place.chain, actual: chain)
  }
}
