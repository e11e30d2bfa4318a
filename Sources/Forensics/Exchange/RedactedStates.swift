import EventSourcing

/// The states that redacted events lead to. They are those that an import computes, whatever the originals led to: a reader
/// of the export and one of the imported journal see the same changes.
struct RedactedStates<Machine: Reducer> {
  /// The state after the last event; `nil` where it is unknown.
  private var state: Machine.State?
  /// A stored state, and the event after which it is the state.
  private let stored: (sequence: UInt64, state: Machine.State)?

  /// Begins before the first event.
  ///
  /// - Parameters:
  ///   - last: The event before the first one.
  ///   - checkpoint: The stored state from which states are known, if there are events before the first one.
  init(after last: UInt64, _ checkpoint: (sequence: UInt64, body: [UInt8])?) {
    stored = checkpoint.flatMap { found in
      CheckpointRewriting.state(in: found.body, of: Machine.self).map { (found.sequence, $0) }
    }
    state = last == 0 ? Machine.initialState : stored?.sequence == last ? stored?.state : nil
  }

  /// Folds the next event; returns the states before and after it where both are known.
  mutating func step(_ record: RecordedEvent<Machine.Event>) -> (before: Machine.State, after: Machine.State)? {
    defer { if state == nil, let stored, stored.sequence == record.sequence { state = stored.state } }
    guard let before = state else { return nil }
    guard record.obstacle == nil else {
      state = nil
      return nil
    }
    guard let event = record.event else { return (before, before) }
    var after = before
    Machine.reduce(into: &after, event, EventContext(sequence: record.sequence, moment: record.envelope.moment))
    state = after
    return (before, after)
  }

  /// Events are lost here.
  mutating func lose() {
    state = nil
  }
}
