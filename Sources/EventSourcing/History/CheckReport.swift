import Journal

/// The result of replaying a history from nothing and comparing it with what the writer recorded.
public struct CheckReport: Equatable, Sendable {
  /// Number of events replayed.
  public internal(set) var events: UInt64 = 0
  /// The last position replayed.
  public internal(set) var lastSequence: UInt64 = 0
  /// Number of recorded state digests compared, up to and including the first mismatch.
  public internal(set) var digestsCompared: UInt64 = 0
  /// Number of digests skipped because another revision of the rules recorded them: they may differ.
  public internal(set) var digestsOfOtherRevisions: UInt64 = 0
  /// Those other revisions, in ascending order.
  public internal(set) var otherRevisions: [UInt32] = []
  /// Number of digests skipped because the program that recorded them did not know events or slices that this one knows, or
  /// had slices that this one does not know.
  public internal(set) var digestsOfOtherPrograms: UInt64 = 0
  /// Number of checkpoints compared, up to and including the first mismatch.
  public internal(set) var checkpointsCompared = 0
  /// Number of keyframes compared, up to and including the first mismatch.
  public internal(set) var keyframesCompared = 0
  /// The first disagreement; `nil` if this program's rules produce what was recorded.
  public internal(set) var mismatch: Mismatch?
  /// The checkpoints and keyframes that could not be compared.
  public internal(set) var notes: [CheckpointNote] = []
  /// Why the replay ended before the end of the journal; `nil` if it did not.
  public internal(set) var obstacle: HistoryError?
  /// The digests of the state after the last replayed event, under the scheme that the writer recorded last.
  public internal(set) var stateDigest: StateDigest

  /// Whether everything was replayed and nothing disagrees. ``isConclusive`` says whether anything was compared.
  public var isSound: Bool { mismatch == nil && obstacle == nil }

  /// Whether the comparison says anything about the program that wrote the events: it compared at least one digest or
  /// checkpoint that this revision of the rules recorded beside the events. Keyframes do not count, because rebuilding
  /// replaces them. Nothing can disagree in a history that begins with its first event and has none; the stored state with
  /// which a fork begins is not compared with anything.
  public var isConclusive: Bool { lastSequence == 0 || digestsCompared > 0 || checkpointsCompared > 0 }

  /// Where recorded and recomputed states first disagree.
  public struct Mismatch: Equatable, Sendable {
    /// The first event after which the recorded and the recomputed state differ.
    public internal(set) var sequence: UInt64
    /// The last event after which the two agreed; 0 is the start. No digest of the whole state was recorded between that event and
    /// `sequence`.
    public internal(set) var lastAgreement: UInt64
    /// The first bytes of the digest that the writer recorded; empty if only a checkpoint or keyframe disagrees.
    public internal(set) var recordedDigest: [UInt8]
    /// The digests that this program computes.
    public internal(set) var computedDigest: StateDigest
    /// What the events since the last agreement change under this program's rules: where to look first.
    public internal(set) var suspects: [StateChange]
    /// The first checkpoint or keyframe that holds the recorded state and disagrees, with the difference: `before` is
    /// the writer's value, `after` this program's. `nil` if no stored state covers the mismatch.
    public internal(set) var evidence: Evidence?

    /// A recorded state compared with the recomputed one.
    public struct Evidence: Equatable, Sendable {
      /// The position of both.
      public let sequence: UInt64
      /// The changes from the recorded state to the recomputed one.
      public let diff: StateDiff
    }

    /// The paths most likely to be wrong: the suspects that the evidence confirms, or all of the evidence if it
    /// confirms none, or all suspects without evidence.
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
