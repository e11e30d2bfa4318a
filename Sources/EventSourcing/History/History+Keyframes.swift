import Journal
import WireFormat

extension History {
  /// How many keyframes are tried before older checkpoints are.
  @usableFromInline static var keyframeAttempts: Int { 3 }

  /// Replays up to an event from the newest usable keyframe that is not after it and later than every checkpoint that is
  /// not; `nil` when there is none. Those that do not match are noted with the reason.
  @inlinable
  func replayFromKeyframe(
    upTo target: UInt64?, notes: inout [CheckpointNote]
  ) throws(HistoryError) -> (replay: Replay<Machine>, keyframe: UInt64)? {
    // A cache that cannot be read is as good as none.
    guard usesCheckpoints, let file = try? reader.keyframes() else { return nil }
    var limit = target ?? .max
    let earliest = max(1, firstSequence - 1, reader.checkpoints().first { $0.sequence <= limit }?.sequence ?? 0)
    for _ in 0..<Self.keyframeAttempts {
      guard let found = try? file.last(notAfter: limit), found.sequence >= earliest else { break }
      let refusal: CheckpointRefusal
      switch Self.state(in: file, at: found) {
      case .failure(let error): refusal = error
      case .success(let state):
        let start = Replay<Machine>(from: state, after: found.sequence, chain: found.chain)
        switch try goOn(from: start, upTo: target) {
        case .failure(let error): refusal = error
        case .success(let replay): return (replay, found.sequence)
        }
      }
      notes.append(CheckpointNote(sequence: found.sequence, refusal: refusal, isKeyframe: true))
      // Those before it were not written by a later program than it was.
      if refusal.isOfOtherProgram { break }
      limit = found.sequence - 1
    }
    return nil
  }

  /// The body of a keyframe.
  static func body(in file: KeyframeFile, of found: Keyframe) throws(CheckpointRefusal) -> StateCheckpoint {
    let bytes: [UInt8]
    do throws(JournalError) {
      bytes = try file.body(of: found)
    } catch {
      throw .unreadableFile(error)
    }
    return try StateCheckpoint(bytes: bytes)
  }

  @usableFromInline
  static func state(
    in file: KeyframeFile, at found: Keyframe
  ) -> Result<Machine.State, CheckpointRefusal> {
    do throws(CheckpointRefusal) {
      return .success(try body(in: file, of: found).restore(as: Machine.self))
    } catch {
      return .failure(error)
    }
  }

  /// Replays on from a state, when the journal has its event with its chain.
  @inlinable
  func goOn(
    from start: Replay<Machine>, upTo target: UInt64?
  ) throws(HistoryError) -> Result<Replay<Machine>, CheckpointRefusal> {
    var replay = start
    var chain = start.sequence + 1 == firstSequence ? reader.segments.first?.chainIn : nil
    do throws(HistoryError) {
      // The event itself is read along with those behind it, for its chain.
      try forEachRaw(after: start.sequence - 1, upTo: target) { (event) throws(HistoryError) in
        if event.sequence == start.sequence { chain = event.chain }
        guard chain == start.chain else { throw .damaged(lastDerivable: start.sequence, nil) }
        if event.sequence != start.sequence { try replay.fold(event) }
      }
    } catch {
      // Damage before the event itself leaves its chain unknown.
      if chain == start.chain { throw error }
    }
    guard let chain else { return .failure(.eventMissing) }
    guard chain == start.chain else { return .failure(.otherChain(recorded: start.chain, actual: chain)) }
    return .success(replay)
  }
}
