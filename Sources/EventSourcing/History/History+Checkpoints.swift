import Journal
import WireFormat

/// A checkpoint or keyframe that was not used, and why.
public struct CheckpointNote: Equatable, Sendable, CustomStringConvertible {
  /// The event after which the state was stored; of keyframes that cannot be found, the one before them, or 0.
  public let sequence: UInt64
  /// Why it was not used.
  public let refusal: CheckpointRefusal
  /// Whether it is a keyframe.
  public let isKeyframe: Bool

  /// Creates a note.
  public init(sequence: UInt64, refusal: CheckpointRefusal, isKeyframe: Bool = false) {
    self.sequence = sequence
    self.refusal = refusal
    self.isKeyframe = isKeyframe
  }

  /// One sentence.
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
  var window = IdempotencyWindow()
  /// The checkpoint that was used, if one was.
  @usableFromInline var checkpoint: UInt64?
  /// The newer checkpoints that were not.
  @usableFromInline var notes: [CheckpointNote] = []
}

extension History {
  /// The newest usable checkpoint that is not after `target`, else the state before the first event.
  ///
  /// - Parameter end: A position whose chain is known already, so that it need not be read.
  @usableFromInline
  func startingPoint(
    notAfter target: UInt64?, knowing end: (sequence: UInt64, chain: UInt32)? = nil
  ) throws(HistoryError) -> StartingPoint<Machine> {
    var notes: [CheckpointNote] = []
    if usesCheckpoints || firstSequence > 1 {
      for found in reader.checkpoints() where found.sequence <= target ?? .max {
        do throws(CheckpointRefusal) {
          let (state, body) = try restore(found, knowing: end)
          let replay = Replay<Machine>(from: state, after: found.sequence, chain: found.chain)
          return StartingPoint(replay: replay, window: body.window, checkpoint: found.sequence, notes: notes)
        } catch {
          notes.append(CheckpointNote(sequence: found.sequence, refusal: error))
        }
      }
    }
    guard firstSequence <= 1 else { throw .noStartingState(first: firstSequence) }
    return StartingPoint(replay: Replay(), notes: notes)
  }

  /// The state with which a replay of everything begins: the initial one, or that of the oldest usable checkpoint when
  /// the first events are gone.
  func origin() throws(HistoryError) -> Replay<Machine> {
    guard firstSequence > 1 else { return Replay() }
    for found in reader.checkpoints().reversed() {
      if let (state, _) = try? restore(found) {
        return Replay(from: state, after: found.sequence, chain: found.chain)
      }
    }
    throw .noStartingState(first: firstSequence)
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

  /// The state in a checkpoint, when it fits this program and this history.
  func restore(
    _ found: Checkpoint, knowing end: (sequence: UInt64, chain: UInt32)? = nil
  ) throws(CheckpointRefusal) -> (Machine.State, StateCheckpoint) {
    let body = try body(of: found)
    let state = try body.restore(as: Machine.self)
    let isEnd = found.sequence == end?.sequence
    let chain = isEnd ? end?.chain ?? 0 : try chain(at: found.sequence)
    guard chain == found.chain else { throw .otherChain(recorded: found.chain, actual: chain) }
    return (state, body)
  }

  /// The journal's chain after an event.
  func chain(at sequence: UInt64) throws(CheckpointRefusal) -> UInt32 {
    if sequence == firstSequence - 1 { return reader.segments.first?.chainIn ?? 0 }
    var chain: UInt32?
    do throws(HistoryError) {
      try forEachRaw(after: sequence - min(sequence, 1), upTo: sequence) { (event) throws(HistoryError) in
        chain = event.chain
      }
    } catch {
      throw .eventMissing
    }
    guard let chain else { throw .eventMissing }
    return chain
  }
}
