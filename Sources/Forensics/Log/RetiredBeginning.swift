/// The events before the ones that a journal keeps were retired on purpose, and with them the state that the first of those
/// rest on: it is known from a checkpoint on.
public struct RetiredBeginning: Equatable, Sendable {
  /// The first event that is kept.
  public var firstSequence: UInt64
  /// The event of the checkpoint, behind which the state is known.
  public var checkpointSequence: UInt64

  /// Creates a note of retired events.
  public init(firstSequence: UInt64, checkpointSequence: UInt64) {
    self.firstSequence = firstSequence
    self.checkpointSequence = checkpointSequence
  }

  /// What that means for a log, in one line:
  /// `the events before 41 were retired: the state, and with it what events changed, is known behind the checkpoint at event 80`.
  public var text: String {
    "the events before \(firstSequence) were retired: the state, and with it what events changed, is known behind the "
      + "checkpoint at event \(checkpointSequence)"
  }
}
