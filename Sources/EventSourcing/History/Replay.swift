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
  /// The unknown kinds of events that were left out, since the beginning or before the state was stored.
  @usableFromInline var leftOut = OmittedContent()
  /// The first event whose writer had a slice that this program does not know and must understand, and its name; without
  /// a name where that writer's catalogue cannot be read.
  @usableFromInline var barrier = UInt64.max
  @usableFromInline var unknownSlice: String?
  /// How the state was brought forward when the replay began; `nil` if it was not.
  @usableFromInline var migration: StateMigration?
  /// Whether the history holds the record of it.
  @usableFromInline var hasSeenMigration = false

  /// A replay that continues from `state`, the state after `sequence`.
  @usableFromInline
  init(from state: Machine.State = Machine.initialState, after sequence: UInt64 = 0, chain: UInt32 = 0) {
    self.state = state
    self.sequence = sequence
    self.chain = chain
  }

  /// Folds the next event. An event without a payload marks a run of lost events, which are skipped.
  @inlinable
  mutating func fold(_ item: JournalEvent) throws(HistoryError) {
    try fold(item, observe: { _ in }, decoded: { _ in })
  }

  /// Folds the next event as ``fold(_:)`` does and passes its envelope to `observe`.
  ///
  /// In line, so that fields of the envelope that are not observed are not kept, and the event is not copied.
  ///
  /// - Parameter decoded: Receives an event of the domain before it is folded.
  @inlinable @inline(__always)
  mutating func fold(
    _ item: JournalEvent, observe: (borrowing EnvelopeFields) -> Void, decoded: (Machine.Event) -> Void = { _ in }
  ) throws(HistoryError) {
    let sequence = item.sequence
    if item.payload.isEmpty, sequence > self.sequence {
      self.sequence = sequence
      chain = item.chain
      return
    }
    guard sequence == self.sequence + 1 else { throw .damaged(lastDerivable: self.sequence, nil) }
    guard sequence < barrier else { throw beyondBarrier(sequence) }
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
        decoded(event)
        Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: fields.moment))
        isKnown = true
      }
    } catch {}
    if !isKnown { try leaveOut(RecordedEvent(item)) }
    self.sequence = sequence
    chain = item.chain
    count += 1
    observe(fields)
  }

  /// Why no event from the barrier on is folded.
  @usableFromInline
  func beyondBarrier(_ sequence: UInt64) -> HistoryError {
    unknownSlice.map { .unknownSlice(sequence: sequence, name: $0) } ?? .unknownWriter(sequence: sequence)
  }

  /// Passes over an event that is none of the domain's, unless it must not be left out.
  @usableFromInline
  mutating func leaveOut(_ record: RecordedEvent<Machine.Event>) throws(HistoryError) {
    if let obstacle = record.obstacle { throw obstacle }
    switch record.content {
    case .unknownType, .unknownVersion:
      leftOut.add(type: record.envelope.type, version: record.envelope.version, at: record.sequence)
    case .migration(let recorded): try compare(with: recorded, record)
    case .known, .otherDomain, .unknownFeatures, .undecodable, .foreign, .lost: break
    }
  }

  /// Compares a recorded migration with the one that this replay began with.
  private mutating func compare(
    with recorded: StateMigration, _ record: RecordedEvent<Machine.Event>
  ) throws(HistoryError) {
    guard recorded.to <= Machine.revision else {
      throw .laterRevision(sequence: record.sequence, revision: recorded.to, current: Machine.revision)
    }
    guard let migration, recorded.to == Machine.revision else { return }
    let after = StateDigest(of: state, as: record.envelope.digest?.scheme).combined
    let isSame = (recorded.checkpoint, recorded.from) == (migration.checkpoint, migration.from)
    guard !isSame || (recorded.before, recorded.after) == (migration.before, migration.after),
      after.prefix == record.envelope.digest?.bytes ?? []
    else { throw .otherMigration(sequence: record.sequence, checkpoint: migration.checkpoint) }
    hasSeenMigration = true
  }

  /// Folds an event that was read before.
  @inlinable
  mutating func fold(_ record: RecordedEvent<Machine.Event>) throws(HistoryError) {
    if let event = record.event {
      return try fold(event, record.sequence, chain: record.chain, at: record.envelope.moment)
    }
    try requireNext(record.sequence)
    try leaveOut(record)
    advance(to: record.sequence, chain: record.chain)
  }

  /// Folds an event that is already decoded.
  @inlinable
  mutating func fold(
    _ event: Machine.Event, _ sequence: UInt64, chain: UInt32, at moment: Moment
  ) throws(HistoryError) {
    try requireNext(sequence)
    Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment))
    advance(to: sequence, chain: chain)
  }

  @inlinable
  func requireNext(_ sequence: UInt64) throws(HistoryError) {
    guard sequence == self.sequence + 1 else { throw .damaged(lastDerivable: self.sequence, nil) }
    guard sequence < barrier else { throw beyondBarrier(sequence) }
  }

  @inlinable
  mutating func advance(to sequence: UInt64, chain: UInt32) {
    (self.sequence, self.chain) = (sequence, chain)
    count += 1
  }
}
