/// What the events of one entity add up to.
public struct EntityState<State: Sendable>: Sendable {
  /// The state after the entity's events alone.
  public let state: State
  /// The last of these events; 0 if there is none.
  public let version: UInt64
  /// How many there are.
  public let eventCount: UInt64
  /// The first event of the history that is still there: earlier ones of the entity are gone, and not in the state.
  public let firstSequence: UInt64
  /// Whether no event of the entity is missing: ``EntityCursor/isComplete``.
  public let isComplete: Bool

  @usableFromInline
  init(state: State, version: UInt64, eventCount: UInt64, firstSequence: UInt64, isComplete: Bool) {
    self.state = state
    self.version = version
    self.eventCount = eventCount
    self.firstSequence = firstSequence
    self.isComplete = isComplete
  }
}
