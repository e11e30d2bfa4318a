/// An appended event and its position.
public struct AppendedEvent<Event: JournaledEvent>: Equatable, Sendable {
  /// Its position in the journal.
  public let sequence: UInt64
  /// What was decided and written.
  public let event: Event

  /// `sequence` counts from 1.
  @inlinable
  public init(sequence: UInt64, event: Event) {
    self.sequence = sequence
    self.event = event
  }
}

/// The outcome of a command.
public struct AppendResult<Machine: Decider>: Sendable {
  /// The events decided, unless the command is a repetition. Their positions follow from ``before``.
  @usableFromInline let decided: [Machine.Event]
  /// The states after all decided events but the last.
  @usableFromInline let inner: [Machine.State]
  /// The events that a repetition refers to.
  @usableFromInline let found: [AppendedEvent<Machine.Event>]
  /// The state in which the command was decided; for a repetition, the state when it was recognised.
  public let before: StateVersion<Machine.State>
  /// The state after the events; for a repetition, the same as ``before``.
  public let after: StateVersion<Machine.State>
  /// Whether the command had already been appended under the same key. Its events are then those of the first time,
  /// except any that were retired or exist only in a fork's parent, and nothing was written.
  public let isRepetition: Bool

  @inlinable
  init(
    decided: [Machine.Event], inner: [Machine.State], found: [AppendedEvent<Machine.Event>],
    before: StateVersion<Machine.State>, after: StateVersion<Machine.State>, isRepetition: Bool
  ) {
    self.decided = decided
    self.inner = inner
    self.found = found
    self.before = before
    self.after = after
    self.isRepetition = isRepetition
  }

  /// The command's events in the journal; empty if it changed nothing. O(n): built on each access, because most callers
  /// need none.
  @inlinable public var events: [AppendedEvent<Machine.Event>] {
    guard !isRepetition else { return found }
    var sequence = before.sequence
    return decided.map { event in
      sequence += 1
      return AppendedEvent(sequence: sequence, event: event)
    }
  }

  /// Calls `body`, in order, with each event that the command added and the states before and after it. A repetition
  /// added none.
  @inlinable
  public func forEachStep<Failure: Error>(
    _ body: (_ event: Machine.Event, _ before: Machine.State, _ after: Machine.State) throws(Failure) -> Void
  ) throws(Failure) {
    var before = before.state
    for (event, after) in zip(decided, inner + [after.state]) {
      try body(event, before, after)
      before = after
    }
  }
}
