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
  /// The events as they were decided, where this is no repetition. Their positions follow from ``before``.
  @usableFromInline let decided: [Machine.Event]
  /// The events that a repetition found.
  @usableFromInline let found: [AppendedEvent<Machine.Event>]
  /// The state in which the command was decided. For a repetition, the state when it was recognised.
  public let before: StateVersion<Machine.State>
  /// The state after the events. For a repetition, the same as ``before``.
  public let after: StateVersion<Machine.State>
  /// Whether the command had been appended before under the same key: the events are those of the first time, without
  /// those that were retired or are only in a fork's parent, and nothing was written.
  public let isRepetition: Bool

  @inlinable
  init(
    decided: [Machine.Event], found: [AppendedEvent<Machine.Event>], before: StateVersion<Machine.State>,
    after: StateVersion<Machine.State>, isRepetition: Bool
  ) {
    self.decided = decided
    self.found = found
    self.before = before
    self.after = after
    self.isRepetition = isRepetition
  }

  /// The events, which are in the journal; none when the command changed nothing. O(n): most callers need none of them,
  /// so that they are put together for those that do.
  @inlinable public var events: [AppendedEvent<Machine.Event>] {
    guard !isRepetition else { return found }
    var sequence = before.sequence
    return decided.map { event in
      sequence += 1
      return AppendedEvent(sequence: sequence, event: event)
    }
  }
}
