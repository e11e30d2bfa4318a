import Journal

/// Configures an ``EventStore`` and its journal.
public struct StoreOptions: Sendable {
  /// Options of the journal itself, such as sync policy and segment size. Its domain is the store's, whatever they say.
  public var journal = JournalOptions()
  /// Whether the last event of every batch carries the first eight bytes of the state's Merkle digest, so that a later
  /// replay can be compared with this program's result. Costs encoding the rows and the slices' other parts that changed.
  public var recordsStateDigest = true
  /// Whether opening may begin with a checkpoint or keyframe instead of the first event.
  public var usesCheckpoints = true
  /// Number of checkpoints kept in the journal's directory when a new one is written: the newest ones, at least 1.
  public var keptCheckpointCount = 3
  /// The fewest events between two keyframes: states in a side file from which any position can be computed quickly.
  /// Zero writes none. Keyframes are not synced, and written less often while the state is large. Closing a store
  /// writes one after half as many events, at least 512, so that it reopens quickly.
  public var keyframeInterval: UInt64 = 1024
  /// Seals the personal data of every event appended, and opens it in the state; `nil` writes it plainly. What was plain
  /// stays plain either way.
  public var sealing: Sealing?
  /// What to do with a sealed journal without ``sealing``.
  public var onMissingKeys = MissingKeysPolicy.refuse
  /// What to do with a journal that opening finds damaged, or that a salvage wrote without some events.
  ///
  /// Opening reads the end of a journal and what its state needs; damage before the checkpoint that it begins with is for
  /// ``History/check()`` and `pj verify` to find. With `continueAfterVerifiedPrefix`, events that a salvage marked as lost count as
  /// given up: unless a checkpoint after them is left, the state lacks what they changed, for good.
  public var onDamage = DamagePolicy.refuse

  /// Durable appends, state digests and checkpoints; a journal that opening finds damaged is not written to.
  public init() {}
}

/// What a store does with a journal for which it has no keys: one whose state holds sealed values, or with commands that only
/// the journal's keys recognise when they are repeated.
public enum MissingKeysPolicy: Sendable {
  /// Opening throws ``HistoryError/sealing(_:)``, and no file of the journal changes. A ``History`` reads the journal without
  /// keys.
  case refuse
  /// The store opens, for checkpoints and for retiring events, and refuses every command with ``StoreError/sealing(_:)``:
  /// rules would take each person for erased, and a repeated command for a new one.
  case refuseCommands
}

/// How opening a store arrived at the current state.
public struct OpeningReport: Sendable {
  /// The position of the checkpoint restored; `nil` if the replay began with a keyframe or with nothing.
  public let checkpoint: UInt64?
  /// The position of the keyframe restored; `nil` if the replay began with a checkpoint or with nothing.
  public let keyframe: UInt64?
  /// Number of events replayed.
  public let replayedEvents: UInt64
  /// Newer checkpoints that were not used, newest first. They are left in place.
  public let checkpointNotes: [CheckpointNote]
  /// What the state lacks because this program, or one before it, does not know it and may leave it out: event types, slices
  /// and fields of slices, in words such as `the slice notes`.
  public let leftOut: [String]
  /// The findings of the journal's recovery.
  public let recovery: RecoveryReport

  @usableFromInline
  init(
    checkpoint: UInt64?, keyframe: UInt64?, replayedEvents: UInt64, checkpointNotes: [CheckpointNote],
    leftOut: [String], recovery: RecoveryReport
  ) {
    self.checkpoint = checkpoint
    self.keyframe = keyframe
    self.replayedEvents = replayedEvents
    self.checkpointNotes = checkpointNotes
    self.leftOut = leftOut
    self.recovery = recovery
  }
}
