import Journal
import WireFormat

/// Folds the events of a journal into a state, in order and directly from their payloads.
///
/// The state is the one after ``sequence``. An event that can be neither folded nor left out does not advance it.
@usableFromInline
struct Replay<Machine: Reducer>: Sendable {
  /// The result of the events so far.
  @usableFromInline var state: Machine.State
  /// The last event folded or left out.
  @usableFromInline var sequence: UInt64
  /// The journal's chain after that event.
  @usableFromInline var chain: UInt32
  /// Number of events folded or left out.
  @usableFromInline var count: UInt64 = 0

  /// A replay that continues from `state`, the state after `sequence`.
  @usableFromInline
  init(from state: Machine.State = Machine.initialState, after sequence: UInt64 = 0, chain: UInt32 = 0) {
    self.state = state
    self.sequence = sequence
    self.chain = chain
  }

  /// Folds the next event and passes its envelope to `observe`. An event without a payload marks a run of lost events,
  /// which are skipped.
  @inlinable
  mutating func fold(
    _ item: JournalEvent, observe: (borrowing EnvelopeFields) -> Void = { _ in }
  ) throws(HistoryError) {
    let sequence = item.sequence
    if item.payload.isEmpty, sequence > self.sequence {
      self.sequence = sequence
      chain = item.chain
      return
    }
    guard sequence == self.sequence + 1 else { throw .damaged(lastDerivable: self.sequence, nil) }
    let fields: EnvelopeFields
    do throws(WireError) {
      var reader = WireReader(item.payload)
      fields = try EnvelopeFields(from: &reader)
    } catch {
      throw .foreignPayload(sequence: sequence, error)
    }
    var isKnown = false
    do throws(WireError) {
      var reader = WireReader(fields.body)
      if fields.features.unknown.isEmpty,
        let event = try Machine.Event.decode(type: fields.type, version: fields.version, body: &reader)
      {
        Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: fields.moment))
        isKnown = true
      }
    } catch {}
    if !isKnown, let obstacle = Self.obstacle(fields, at: sequence) { throw obstacle }
    self.sequence = sequence
    chain = item.chain
    count += 1
    observe(fields)
  }

  /// Why an unknown event must not be left out; `nil` if it may.
  @usableFromInline
  static func obstacle(_ fields: EnvelopeFields, at sequence: UInt64) -> HistoryError? {
    RecordedEvent<Machine.Event>.Content(fields).obstacle(
      at: sequence, type: fields.type, version: fields.version, rule: fields.unknownReaders)
  }

  /// Folds an event that is already decoded.
  @inlinable
  mutating func fold(_ record: RecordedEvent<Machine.Event>) throws(HistoryError) {
    guard record.sequence == sequence + 1 else { throw .damaged(lastDerivable: sequence, nil) }
    if let obstacle = record.obstacle { throw obstacle }
    if let event = record.event {
      Machine.reduce(into: &state, event, EventContext(sequence: record.sequence, moment: record.envelope.moment))
    }
    sequence = record.sequence
    chain = record.chain
    count += 1
  }
}
