import Journal

/// What a replay from nothing found when it was compared with what the writer recorded.
public struct CheckReport: Equatable, Sendable {
  /// How many events were replayed.
  public internal(set) var events: UInt64 = 0
  /// The position up to which the history was replayed.
  public internal(set) var lastSequence: UInt64 = 0
  /// How many recorded state digests were compared, up to and with the first that disagrees.
  public internal(set) var digestsCompared: UInt64 = 0
  /// How many digests were left out because another revision of the rules recorded them: they may differ.
  public internal(set) var digestsOfOtherRevisions: UInt64 = 0
  /// Those other revisions, in ascending order.
  public internal(set) var otherRevisions: [UInt32] = []
  /// How many checkpoints were compared, up to and with the first that disagrees.
  public internal(set) var checkpointsCompared = 0
  /// How many keyframes were compared, up to and with the first that disagrees.
  public internal(set) var keyframesCompared = 0
  /// The first disagreement; `nil` when the rules of this program give what was recorded.
  public internal(set) var mismatch: Mismatch?
  /// The checkpoints and keyframes that could not be compared.
  public internal(set) var notes: [CheckpointNote] = []
  /// Why the replay ended before the end of the journal, when it did.
  public internal(set) var obstacle: HistoryError?
  /// The digests of the state after the last event that was replayed.
  public internal(set) var stateDigest: StateDigest

  /// Whether everything was replayed, and nothing that was compared disagrees. Whether anything was compared,
  /// ``isConclusive`` says.
  public var isSound: Bool { mismatch == nil && obstacle == nil }

  /// Whether what was compared tells anything about the program that wrote the events: a digest or a checkpoint, which it
  /// recorded beside them, and that by rules of this revision. Keyframes do not: whoever rebuilt them wrote them. Of no
  /// events there is nothing to tell.
  public var isConclusive: Bool { events == 0 || digestsCompared > 0 || checkpointsCompared > 0 }

  /// Where recorded and recomputed states first disagree.
  public struct Mismatch: Equatable, Sendable {
    /// The first event after which the recorded and the recomputed state differ.
    public internal(set) var sequence: UInt64
    /// The last event after which they were seen to agree; 0 is the start. Those between had no recorded digest.
    public internal(set) var lastAgreement: UInt64
    /// The first bytes of the digest that the writer recorded; empty when a checkpoint or keyframe disagrees and no
    /// digest does.
    public internal(set) var recordedDigest: [UInt8]
    /// The digests that this program computes.
    public internal(set) var computedDigest: StateDigest
    /// What the events since the last agreement change by the rules of this program: where to look first.
    public internal(set) var suspects: [StateChange]
    /// The first checkpoint or keyframe that holds the recorded state and disagrees, and how: `before` is what the writer
    /// had, `after` what this program computes. `nil` when none can tell.
    public internal(set) var evidence: Evidence?

    /// A recorded state beside the recomputed one.
    public struct Evidence: Equatable, Sendable {
      /// Its position.
      public let sequence: UInt64
      /// From the recorded state to the recomputed one.
      public let diff: StateDiff
    }

    /// The paths that are most likely wrong: the suspects that the evidence confirms; all of the evidence when it
    /// confirms none; all suspects without evidence.
    public var paths: [String] {
      guard let evidence else { return suspects.map(\.path) }
      let confirmed = Set(evidence.diff.changes.map(\.path))
      let both = suspects.map(\.path).filter(confirmed.contains)
      return both.isEmpty ? evidence.diff.changes.map(\.path) : both
    }

    /// The slices of ``paths``, each once, in order.
    public var slices: [String] {
      var names: [String] = []
      for path in paths {
        if let name = StateTree.components(of: path).first.map(String.init), !names.contains(name) {
          names.append(name)
        }
      }
      return names
    }
  }
}
