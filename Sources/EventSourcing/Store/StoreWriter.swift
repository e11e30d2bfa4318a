import Journal
import WireFormat

/// What the one command under way works with.
@usableFromInline
struct StoreWriter<Machine: Decider>: ~Copyable, Sendable {
  /// The state after the last batch.
  @usableFromInline var version: StateVersion<Machine.State>
  /// The commands that are recognised when they come again.
  @usableFromInline var window: IdempotencyWindow
  @usableFromInline var digester = StateDigester<Machine.State>()
  @usableFromInline var envelopes: EnvelopeBatch

  init(_ version: StateVersion<Machine.State>, window: IdempotencyWindow) {
    self.version = version
    self.window = window
    envelopes = EnvelopeBatch(Machine.Event.catalog, processStart: Machine.processStart)
  }

  /// Folds events into a copy of the state.
  @inlinable
  func fold(_ events: [Machine.Event], at moment: Moment) -> Machine.State {
    var state = version.state
    var sequence = version.sequence
    for event in events {
      sequence += 1
      Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment))
    }
    return state
  }

  /// Encodes events and appends them as one batch. Nothing changes here when that fails.
  ///
  /// - Parameter stateDigest: What the last event records of the state after it; empty for nothing.
  @inlinable
  mutating func append(
    _ events: [Machine.Event], from origin: EnvelopeBatch.Origin, stateDigest: [UInt8], to journal: Journal
  ) throws(JournalError) {
    envelopes.begin()
    var left = events.count
    for event in events {
      left -= 1
      envelopes.body.removeAll()
      event.encodeBody(into: &envelopes.body)
      try envelopes.add(type: event.type, from: origin, stateDigest: left == 0 ? stateDigest : [])
    }
    _ = try journal.append(&envelopes.batch, expecting: version.sequence)
    envelopes.noteAppended(events.count, from: origin)
  }
}
