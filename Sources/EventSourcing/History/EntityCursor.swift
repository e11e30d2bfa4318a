import Journal
import WireFormat

/// The events of one entity, oldest first, read as they are asked for.
///
/// ```swift
/// var events = try history.events(of: .room(3))
/// while let record = try events.next() { print(record.sequence) }
/// ```
public struct EntityCursor<Machine: Reducer>: ~Copyable {
  /// The first event of the history that is still there: earlier ones of the entity are gone.
  public let firstSequence: UInt64
  /// Whether no event of the entity is missing among those that were read: the history is there from its first event, and
  /// nothing was passed over that may be about the entity.
  public var isComplete: Bool { firstSequence == 1 && !hasSkipped }

  private var hasSkipped = false
  private let history: History<Machine>
  private let id: EntityID
  private let file: StreamFile?
  /// The last event that is wanted.
  private let end: UInt64
  /// The segments that are still to be looked at, the last one first.
  private var stretches: [SegmentStretch]
  /// The segment that is read event by event.
  private var scanned: SegmentStretch?
  /// The events of a segment that are still to be read, the last one first.
  private var found: [UInt64] = []
  /// The last event that was looked at.
  private var position: UInt64 = 0
  private var source: Source?

  /// Reads the journal. Held by reference, so that it can be exchanged.
  private final class Source {
    var items: JournalItems

    init(_ reader: JournalReader, after sequence: UInt64) throws(HistoryError) {
      items = try JournalItems(reader, after: sequence, beyondDamage: true)
    }
  }

  /// Further than this, finding the place in the journal's index takes less than reading on.
  private static var longestStep: UInt64 { 256 }

  init(_ history: History<Machine>, _ id: EntityID, upTo end: UInt64) {
    self.history = history
    self.id = id
    self.end = end
    firstSequence = history.firstSequence
    let reader = history.reader
    file = StreamFile(
      in: reader.path, reader.fileSystem, of: reader.identity.id,
      keys: Machine.Event.entityKeys.fingerprint(revision: Machine.revision))
    stretches = SegmentStretch.all(reader.segments).filter { $0.first <= end }.reversed()
  }

  /// The next event; `nil` after the last one.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` at an event of the entity that cannot be read, and at events that may be
  ///   the entity's, also where a salvage marked them as lost, unless ``History/goesBeyondDamage`` is on; ``HistoryError/sealing(_:)`` if the keys cannot be read now.
  public mutating func next() throws(HistoryError) -> RecordedEvent<Machine.Event>? {
    do throws(HistoryError) {
      while true {
        if let sequence = found.last {
          guard sequence <= end else { return nil }
          let record = try read(sequence)
          found.removeLast()
          if let record { return record }
        } else if let stretch = scanned {
          if let record = try scan(stretch) { return record }
          scanned = nil
        } else {
          guard let stretch = stretches.popLast() else { return nil }
          if let events = file?.events(of: id, in: stretch) { found = events.reversed() } else { scanned = stretch }
        }
      }
    } catch {
      // The next call asks the files again.
      source = nil
      throw error
    }
  }

  /// Reads an event that is known to be about the entity.
  private mutating func read(_ sequence: UInt64) throws(HistoryError) -> RecordedEvent<Machine.Event>? {
    var source = source
    if source.map({ $0.items.last >= sequence || sequence - $0.items.last > Self.longestStep }) ?? true {
      source = try Source(history.reader, after: sequence - 1)
    }
    self.source = source
    while let source, source.items.last < sequence, let item = try source.items.next() {
      guard case .event(let event) = item, event.sequence == sequence else { continue }
      return try record(event)
    }
    self.source = nil
    guard history.goesBeyondDamage else { throw .damaged(lastDerivable: sequence - 1, nil) }
    hasSkipped = true
    return nil
  }

  /// Reads on to the next event of a segment that is about the entity.
  private mutating func scan(_ stretch: SegmentStretch) throws(HistoryError) -> RecordedEvent<Machine.Event>? {
    let last = min(stretch.next - 1, end)
    position = max(position, stretch.first - 1)
    let source: Source
    if let known = self.source, known.items.last == position {
      source = known
    } else {
      source = try Source(history.reader, after: position)
    }
    self.source = source
    while source.items.last < last, let item = try source.items.next() {
      switch item {
      case .finding(let finding):
        if finding.endsHistory { return nil }
        guard finding.losesEvents else { continue }
        guard history.goesBeyondDamage else { throw .damaged(lastDerivable: source.items.previous, finding) }
        hasSkipped = true
      case .event(let event):
        guard event.sequence <= last else { return nil }
        if event.sequence != source.items.previous + 1 {
          guard history.goesBeyondDamage else { throw .damaged(lastDerivable: source.items.previous, nil) }
          hasSkipped = true
        }
        position = event.sequence
        if let record = try record(event) { return record }
      }
    }
    return nil
  }

  /// The event, if it is about the entity.
  private func record(_ event: JournalEvent) throws(HistoryError) -> RecordedEvent<Machine.Event>? {
    var isFound = false
    var reader = WireReader(event.payload)
    guard let fields = try? EnvelopeFields(from: &reader) else { return nil }
    Machine.Event.forEachEntity(in: fields) { if $0 == id { isFound = true } }
    guard isFound else { return nil }
    let record = RecordedEvent<Machine.Event>(event)
    return try history.sealing.map { (sealing) throws(HistoryError) in try record.opened(by: sealing) } ?? record
  }
}

extension History {
  /// The events that are about an entity, as far as they are still there.
  ///
  /// Where the file `STREAMS` says which these are, only they are read; the rest of the journal is looked through. Both find the
  /// same.
  ///
  /// - Parameter last: The last event that is wanted.
  /// - Throws: ``HistoryError/journal(_:)`` with `outOfRange` for a kind that ``EventTypes/keyed(_:by:)`` does not name.
  public func events(of entity: Entity, upTo last: UInt64 = .max) throws(HistoryError) -> EntityCursor<Machine> {
    try requireOwnDomain()
    return EntityCursor(
      self, try HistoryError.translating(try Machine.Event.entityID(of: entity)), upTo: min(last, .max - 1))
  }

  /// What the events that are about an entity add up to, as far as they are still there: the initial state with these events
  /// folded into it, and no others.
  ///
  /// - Parameter last: The last event that is wanted.
  /// - Throws: As ``events(of:upTo:)`` and ``EntityCursor/next()``, and for an event that must be understood and is not.
  public func state(of entity: Entity, upTo last: UInt64 = .max) throws(HistoryError) -> EntityState<Machine.State> {
    var history = self
    history.sealing = nil
    var events = try history.events(of: entity, upTo: last)
    var state = Machine.initialState
    var version: UInt64 = 0
    var count: UInt64 = 0
    while let record = try events.next() {
      (version, count) = (record.sequence, count + 1)
      if let event = record.event {
        Machine.reduce(
          into: &state, event, EventContext(sequence: record.sequence, moment: record.envelope.moment))
      } else if let obstacle = record.obstacle {
        throw obstacle
      }
    }
    try sealing?.open(&state, domain: Machine.Event.domain)
    return EntityState(
      state: state, version: version, eventCount: count, firstSequence: firstSequence,
      isComplete: events.isComplete)
  }
}
