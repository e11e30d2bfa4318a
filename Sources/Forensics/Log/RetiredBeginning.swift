/// The events before a journal's first kept one were retired deliberately, so the state is unknown until the event of a
/// checkpoint.
public struct RetiredBeginning: Equatable, Sendable {
  /// The first event kept.
  public var firstSequence: UInt64
  /// The event of the checkpoint, after which the state is known.
  public var checkpointSequence: UInt64

  /// Both are event numbers, counted from 1.
  public init(firstSequence: UInt64, checkpointSequence: UInt64) {
    self.firstSequence = firstSequence
    self.checkpointSequence = checkpointSequence
  }

  /// The consequence for a log, in one line:
  /// `the events before 41 were retired: states and changes are known only after the checkpoint at event 80`.
  public var text: String {
    "the events before \(firstSequence) were retired: states and changes are known only after the "
      + "checkpoint at event \(checkpointSequence)"
  }
}
