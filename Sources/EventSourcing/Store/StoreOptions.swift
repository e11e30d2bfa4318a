import Journal

/// How an ``EventStore`` keeps its journal.
public struct StoreOptions: Sendable {
  /// How the journal writes: sync policy, segment size.
  public var journal = JournalOptions()
  /// Whether the last event of every batch carries the first eight bytes of the state digest, so that a later replay
  /// can be compared with what this program computed. Costs encoding the slices that changed.
  public var recordsStateDigest = true
  /// Whether opening may begin with a checkpoint or keyframe instead of the first event.
  public var usesCheckpoints = true
  /// How many checkpoints writing one leaves in the journal's directory: the newest ones, at least 1.
  public var keptCheckpointCount = 3
  /// How many events at least lie between two keyframes: states in one side file, which bring every position of the
  /// history near. Zero writes none. They are not synced, and written less often while the state is large. Closing a store
  /// writes one behind half as many, at least 512, so that it is soon open again.
  public var keyframeInterval: UInt64 = 1024
  /// What to do with a journal that is damaged.
  public var onDamage = DamagePolicy.refuse

  /// Durable appends, state digests, checkpoints; a damaged journal is not written to.
  public init() {}
}

/// What opening a store did to arrive at the current state.
public struct OpeningReport: Sendable {
  /// The checkpoint that was restored, by its position; `nil` when the replay began with a keyframe or with nothing.
  public let checkpoint: UInt64?
  /// The keyframe that was restored, by its position; `nil` when the replay began with a checkpoint or with nothing.
  public let keyframe: UInt64?
  /// How many events were replayed.
  public let replayedEvents: UInt64
  /// The checkpoints that were newer and were not used, newest first. They stay where they are.
  public let checkpointNotes: [CheckpointNote]
  /// What the journal's recovery found.
  public let recovery: RecoveryReport

  @usableFromInline
  init(
    checkpoint: UInt64?, keyframe: UInt64?, replayedEvents: UInt64, checkpointNotes: [CheckpointNote],
    recovery: RecoveryReport
  ) {
    self.checkpoint = checkpoint
    self.keyframe = keyframe
    self.replayedEvents = replayedEvents
    self.checkpointNotes = checkpointNotes
    self.recovery = recovery
  }
}
