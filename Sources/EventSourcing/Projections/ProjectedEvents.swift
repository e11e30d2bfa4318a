import Journal
import WireFormat

/// An event as projections take it.
@usableFromInline
struct ProjectedEvent<Event: JournaledEvent> {
  @usableFromInline let context: EventContext
  /// The journal's chain after it.
  let chain: UInt32
  /// `nil` for one that is passed over: lost and given up, or unknown and not needed.
  @usableFromInline let event: Event?

  @usableFromInline
  init(context: EventContext, chain: UInt32, event: Event?) {
    self.context = context
    self.chain = chain
    self.event = event
  }

  /// Reads the events that are at hand, up to one that it returns.
  @usableFromInline
  typealias Reading =
    @Sendable (
      _ items: inout JournalItems, _ hasKeys: Bool, _ end: UInt64, _ room: inout BatchRoom,
      _ events: inout [ProjectedEvent]
    ) -> JournalEvent?

  /// Reads events that are at hand and need neither a key nor a second look, as nearly all do. Where the domain is known, this loop
  /// is compiled for it.
  ///
  /// - Returns: The event that needs more, which is not among those read; `nil` if there is none at hand, or enough were read.
  @inlinable
  static func read(
    from items: inout JournalItems, hasKeys: Bool, upTo end: UInt64, _ room: inout BatchRoom,
    into events: inout [ProjectedEvent]
  ) -> JournalEvent? {
    while items.last < end, room.isLeft, let item = items.nextAtHand() {
      var reader = WireReader(item.payload)
      guard let fields = try? EnvelopeFields(from: &reader), fields.features.unknown.isEmpty,
        !hasKeys || !fields.features.contains(.sealedValues)
      else { return item }
      var body = WireReader(fields.body)
      guard let event = try? Event.decode(type: fields.type, version: fields.version, body: &body) else { return item }
      events.append(
        ProjectedEvent(
          context: EventContext(sequence: item.sequence, moment: fields.moment), chain: item.chain, event: event))
      room.take(item.payload.count)
    }
    return nil
  }
}

/// How much is read at once, so that a batch of large events takes no more memory than one of small ones.
@usableFromInline
struct BatchRoom {
  @usableFromInline var events: Int
  /// Of payloads; the last event of a batch may exceed them.
  @usableFromInline var bytes = 1 << 20

  init(events: Int) { self.events = events }

  @inlinable var isLeft: Bool { events > 0 && bytes > 0 }

  @inlinable
  mutating func take(_ bytes: Int) {
    events -= 1
    self.bytes -= bytes
  }
}

/// Reads the events that projections need, each once for all of them.
struct ProjectedEvents<Domain: Decider>: ~Copyable {
  /// The most events returned at once, if they are not large; so many share a sink's transaction.
  static var batchSize: Int { 4096 }

  private var items: JournalItems
  private let sealing: Sealing?
  private let reading: ProjectedEvent<Domain.Event>.Reading
  private var obstacle: HistoryError?
  /// What lost events, if no event has followed on it.
  private var loss: Finding?
  /// The last event returned, or the one after which the reader began.
  private(set) var last: UInt64

  init(
    _ history: History<Domain>, after start: UInt64, upTo limit: ReadLimit = .written, sealing: Sealing?,
    reading: @escaping ProjectedEvent<Domain.Event>.Reading
  ) throws(HistoryError) {
    guard start >= history.firstSequence - 1 else {
      throw .beforeKeptRange(requested: start, first: history.firstSequence)
    }
    items = try JournalItems(
      history.reader, after: start, upTo: limit, beyondDamage: true, joinsLost: false)
    self.sealing = sealing
    self.reading = reading
    last = start
  }

  /// The next events, up to a position; none if it is reached.
  ///
  /// - Parameters:
  ///   - end: The position, which exists; `.max` for as far as the journal goes now.
  ///   - limit: The most events returned.
  /// - Throws: ``HistoryError`` at an event that cannot be read or must not be passed over. Those before it are returned first.
  mutating func next(
    upTo end: UInt64, atMost limit: Int = ProjectedEvents.batchSize
  ) throws(HistoryError) -> [ProjectedEvent<Domain.Event>] {
    if let obstacle { throw obstacle }
    var events: [ProjectedEvent<Domain.Event>] = []
    var room = BatchRoom(events: limit)
    events.reserveCapacity(Int(clamping: min(UInt64(limit), end - min(end, last))))
    do throws(HistoryError) {
      while last < end, room.isLeft {
        let count = events.count
        let next = reading(&items, sealing != nil, end, &room, &events)
        if events.count > count, let read = events.last { (last, loss) = (read.context.sequence, nil) }
        if let next {
          try append(next, to: &events, &room)
          continue
        }
        guard last < end, room.isLeft else { break }
        guard let item = try items.nextInOrder() else {
          if end == .max, loss == nil { break }
          throw .damaged(lastDerivable: last, nil)
        }
        switch item {
        case .finding(let finding):
          if finding.losesEvents { loss = finding }
        case .event(let event): try append(event, to: &events, &room)
        }
      }
    } catch {
      obstacle = if case .damaged(let last, nil) = error { .damaged(lastDerivable: last, loss) } else { error }
      if events.isEmpty, let obstacle { throw obstacle }
    }
    return events
  }

  private mutating func append(
    _ item: JournalEvent, to events: inout [ProjectedEvent<Domain.Event>], _ room: inout BatchRoom
  ) throws(HistoryError) {
    var record = RecordedEvent<Domain.Event>(item)
    if let sealing { record = try record.opened(by: sealing) }
    // What was lost has been given up by the store that goes on after it.
    if record.content != .lost, let obstacle = record.obstacle { throw obstacle }
    events.append(
      ProjectedEvent(
        context: EventContext(sequence: item.sequence, moment: record.envelope.moment), chain: item.chain,
        event: record.event))
    room.take(item.payload.count)
    (last, loss) = (item.sequence, nil)
  }
}

extension History {
  /// Whether a position that was stored is one of this history, from which a projection can go on.
  ///
  /// - Throws: ``HistoryError`` if the device fails. To take this for another history would begin again from nothing.
  func contains(_ sequence: UInt64, chain: UInt32, of journal: JournalID) throws(HistoryError) -> Bool {
    guard journal == reader.identity.id, sequence >= firstSequence - 1 else { return false }
    if sequence == 0 { return true }
    return try has(chain, at: sequence)
  }

  /// The domain's oldest state, with its personal data opened: what a projection begins with where the first events are retired.
  func oldestState(openedBy sealing: Sealing?) throws(HistoryError) -> StateVersion<Machine.State> {
    var start = try origin().replay
    if let sealing { try sealing.open(&start.state, domain: Machine.Event.domain) }
    return StateVersion(state: start.state, sequence: start.sequence, chain: start.chain)
  }
}
