/// A state and where in the history it is.
public struct StateVersion<State: MachineState>: Sendable {
  /// The state.
  public let state: State
  /// The last event that is folded into it; 0 before the first.
  public let sequence: UInt64
  /// The journal's chain after that event.
  public let chain: UInt32

  /// Creates a version.
  @inlinable
  public init(state: State, sequence: UInt64, chain: UInt32) {
    self.state = state
    self.sequence = sequence
    self.chain = chain
  }
}

/// An event that was decided, and its position.
public struct AppendedEvent<Event: JournaledEvent>: Equatable, Sendable {
  /// Its position in the journal.
  public let sequence: UInt64
  /// The event.
  public let event: Event

  /// Creates a placed event.
  @inlinable
  public init(sequence: UInt64, event: Event) {
    self.sequence = sequence
    self.event = event
  }
}

/// What a command led to.
public struct AppendResult<Machine: Decider>: Sendable {
  /// The events, which are in the journal; none when the command changed nothing.
  public let events: [AppendedEvent<Machine.Event>]
  /// The state in which the command was decided. For a repetition, the state when it was recognised.
  public let before: StateVersion<Machine.State>
  /// The state after the events. For a repetition, the same as ``before``.
  public let after: StateVersion<Machine.State>
  /// Whether the command had been appended before under the same key: the events are those of the first time, and
  /// nothing was written.
  public let isRepetition: Bool

  @inlinable
  init(
    events: [AppendedEvent<Machine.Event>], before: StateVersion<Machine.State>, after: StateVersion<Machine.State>,
    isRepetition: Bool
  ) {
    self.events = events
    self.before = before
    self.after = after
    self.isRepetition = isRepetition
  }
}
