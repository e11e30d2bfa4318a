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

  /// Reads the body of an event; `nil` if it is not one that this program knows.
  @inlinable
  static func decode(_ fields: EnvelopeFields) -> Event? {
    var body = WireReader(fields.body)
    return try? Event.decode(type: fields.type, version: fields.version, body: &body)
  }
}

/// Reads the events that projections need, each once for all of them.
struct ProjectedEvents<Domain: Decider>: ~Copyable {
  /// The most events returned at once, which is also how many share a sink's transaction.
  static var batchSize: Int { 1024 }

  private var items: JournalItems
  private let sealing: Sealing?
  private let decode: @Sendable (EnvelopeFields) -> Domain.Event?
  private var obstacle: HistoryError?
  /// What lost events, if no event has followed on it.
  private var loss: Finding?
  /// The last event returned, or the one after which the reader began.
  private(set) var last: UInt64

  init(
    _ history: History<Domain>, after start: UInt64, upTo limit: ReadLimit = .written, sealing: Sealing?,
    decode: @escaping @Sendable (EnvelopeFields) -> Domain.Event?
  ) throws(HistoryError) {
    guard start >= history.firstSequence - 1 else {
      throw .beforeKeptRange(requested: start, first: history.firstSequence)
    }
    items = try JournalItems(
      history.reader, after: start, upTo: limit, beyondDamage: true, joinsLost: false)
    self.sealing = sealing
    self.decode = decode
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
    do throws(HistoryError) {
      while last < end, events.count < limit {
        guard let item = try items.nextInOrder() else {
          if end == .max, loss == nil { break }
          throw .damaged(lastDerivable: last, nil)
        }
        switch item {
        case .finding(let finding):
          if finding.losesEvents { loss = finding }
        case .event(let event):
          events.append(try read(event))
          last = event.sequence
          loss = nil
        }
      }
    } catch {
      obstacle = if case .damaged(let last, nil) = error { .damaged(lastDerivable: last, loss) } else { error }
      if events.isEmpty, let obstacle { throw obstacle }
    }
    return events
  }

  private func read(_ item: JournalEvent) throws(HistoryError) -> ProjectedEvent<Domain.Event> {
    var reader = WireReader(item.payload)
    // Most events need no more than this.
    if sealing == nil, let fields = try? EnvelopeFields(from: &reader), fields.features.unknown.isEmpty,
      let event = decode(fields)
    {
      return ProjectedEvent(
        context: EventContext(sequence: item.sequence, moment: fields.moment), chain: item.chain, event: event)
    }
    var record = RecordedEvent<Domain.Event>(item)
    if let sealing { record = try record.opened(by: sealing) }
    // What was lost has been given up by the store that goes on after it.
    if record.content != .lost, let obstacle = record.obstacle { throw obstacle }
    return ProjectedEvent(
      context: EventContext(sequence: item.sequence, moment: record.envelope.moment), chain: item.chain,
      event: record.event)
  }
}

extension History {
  /// Whether a position that was stored is one of this history, from which a projection can go on.
  func contains(_ sequence: UInt64, chain: UInt32, of journal: JournalID) -> Bool {
    guard journal == reader.identity.id, sequence >= firstSequence - 1 else { return false }
    return sequence == 0 || (try? self.chain(at: sequence)) == chain
  }

  /// The domain's oldest state, with its personal data opened: what a projection begins with where the first events are retired.
  func oldestState(openedBy sealing: Sealing?) throws(HistoryError) -> StateVersion<Machine.State> {
    var start = try origin().replay
    if let sealing { try sealing.open(&start.state, domain: Machine.Event.domain) }
    return StateVersion(state: start.state, sequence: start.sequence, chain: start.chain)
  }
}
