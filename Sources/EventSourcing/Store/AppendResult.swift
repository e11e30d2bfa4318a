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

  /// What a command led to.
  @inlinable
  init(
    _ events: [Machine.Event], inner: [Machine.State], before: StateVersion<Machine.State>,
    after: StateVersion<Machine.State>
  ) {
    decided = events
    self.inner = inner
    found = []
    self.before = before
    self.after = after
    isRepetition = false
  }

  /// A command that adds nothing to the history.
  ///
  /// - Parameter found: The events of the first time, if the command is a repetition.
  @inlinable
  init(in version: StateVersion<Machine.State>, repeating found: [AppendedEvent<Machine.Event>]? = nil) {
    (decided, inner) = ([], [])
    self.found = found ?? []
    before = version
    after = version
    isRepetition = found != nil
  }

  /// Whether the command added events.
  @inlinable var hasAppended: Bool { !decided.isEmpty }

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
