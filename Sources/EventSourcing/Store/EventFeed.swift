import Journal

/// A store's events after a position: first the existing ones, then new ones, without gaps and without duplicates.
///
/// ```swift
/// for try await record in store.events(after: 41) {
///   print(record.sequence, record.typeName)
/// }
/// ```
///
/// Ends when the store is closed or the task is cancelled. Every loop over a feed restarts at its position.
///
/// **Guarantees.** Numbers continue without a gap up to, and never beyond, ``EventStore/lastSequence``, so that
/// ``EventStore/state`` includes every event delivered. An event lost before the journal was salvaged keeps its number,
/// with ``RecordedEvent/Content/lost`` as its content. If an event cannot be delivered, the feed throws and retries on
/// the next call; it never skips an event.
public struct EventFeed<Machine: Decider>: AsyncSequence, Sendable {
  /// A position in the feed.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let store: EventStore<Machine>
    var last: UInt64
    /// Reads the journal after `last`. A copy of the iterator that continues on its own creates its own source.
    private var source: Source?

    init(store: EventStore<Machine>, last: UInt64) {
      self.store = store
      self.last = last
    }

    /// Waits for the next event; `nil` once the store is closed or the task cancelled.
    ///
    /// - Throws: As ``nextIfThere()``.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(HistoryError) -> RecordedEvent<Machine.Event>? {
      while true {
        if let record = try nextIfThere() { return record }
        guard await store.waits(beyond: last), !Task.isCancelled else { return nil }
      }
    }

    /// The next event if one has been appended, otherwise `nil`; never waits.
    ///
    /// - Throws: ``HistoryError/damaged(lastDerivable:_:)``, naming the last event delivered, if the next one cannot be
    ///   read; ``HistoryError/beforeKeptRange(requested:first:)`` if it was retired; ``HistoryError/sealing(_:)`` if the
    ///   keys cannot be read now; ``HistoryError/journal(_:)``.
    public mutating func nextIfThere() throws(HistoryError) -> RecordedEvent<Machine.Event>? {
      // Events written but not yet published are withheld: the state does not include them.
      guard last < store.lastSequence else { return nil }
      // Kept only while it works: a source that failed has stopped for good, and the next call reads the files again.
      let source =
        if let kept = self.source, kept.last == last { kept } else { try Source(store, after: last) }
      self.source = nil
      let record = try source.next()
      self.source = source
      last = record.sequence
      return record
    }
  }

  /// A cursor that resumes where it stopped, held by reference because iterators are copied.
  fileprivate final class Source {
    private var items: JournalItems
    private let sealing: Sealing?

    /// The last event delivered.
    var last: UInt64 { items.last }

    /// - Parameter skipsRetired: Whether to begin at the first event still kept, if that is later.
    init(_ store: EventStore<Machine>, after last: UInt64, skipsRetired: Bool = false) throws(HistoryError) {
      sealing = store.options.sealing
      let history = try History<Machine>(at: store.path, of: store.options.journal, fileSystem: store.fileSystem)
      let isRetired = last < history.firstSequence - 1
      guard !isRetired || skipsRetired else {
        throw .beforeKeptRange(requested: last, first: history.firstSequence)
      }
      items = try JournalItems(
        history.reader, after: isRetired ? history.firstSequence - 1 : last, beyondDamage: true, joinsLost: false)
    }

    /// The next event, which must exist.
    func next() throws(HistoryError) -> RecordedEvent<Machine.Event> {
      while let item = try items.nextInOrder() {
        guard case .event(let event) = item else { continue }
        let record = RecordedEvent<Machine.Event>(event)
        guard let sealing else { return record }
        return try record.opened(by: sealing)
      }
      throw .damaged(lastDerivable: last, nil)
    }
  }

  let store: EventStore<Machine>
  let start: UInt64

  /// An iterator positioned before the feed's first event.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(store: store, last: start)
  }
}

extension EventStore {
  /// The events after a number: first the existing ones, then those this store appends.
  public func events(after sequence: UInt64) -> EventFeed<Machine> {
    EventFeed(store: self, start: sequence)
  }

  /// The events after a number that ``state`` already includes, at most `limit` of them and never fewer if more exist.
  /// Events lost before the journal was salvaged are included, with ``RecordedEvent/Content/lost`` as their content.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` if one of them cannot be read;
  ///   ``HistoryError/beforeKeptRange(requested:first:)`` if they were retired; ``HistoryError/sealing(_:)`` if the keys
  ///   cannot be read now; ``HistoryError/journal(_:)``.
  public func recordedEvents(
    after sequence: UInt64, limit: Int = 1024
  ) throws(HistoryError) -> [RecordedEvent<Machine.Event>] {
    let last = lastSequence
    guard sequence < last, limit > 0 else { return [] }
    var events: [RecordedEvent<Machine.Event>] = []
    let end = min(last, sequence + min(UInt64(limit), last - sequence))
    try forEachEvent(after: sequence, upTo: end) { events.append($0) }
    return events
  }

  /// Calls `body` with every event after `start` up to `end`; all of them must be in the journal.
  ///
  /// - Parameter skipsRetired: Whether events before the first one still kept may be missing.
  /// - Throws: The errors of ``recordedEvents(after:limit:)``.
  func forEachEvent(
    after start: UInt64, upTo end: UInt64, skipsRetired: Bool = false,
    _ body: (RecordedEvent<Machine.Event>) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let source = try EventFeed<Machine>.Source(self, after: start, skipsRetired: skipsRetired)
    while source.last < end { try body(try source.next()) }
  }

  /// Waits for an event after `sequence`; `false` if the store is closed and none will follow.
  ///
  /// - Parameter isDue: Whether not to wait. What makes it so calls ``wake()`` afterwards.
  func waits(beyond sequence: UInt64, unless isDue: @Sendable () -> Bool = { false }) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Reads the version under the lock: a caller that publishes a later one takes the lock afterwards.
        let isWaiting = waiting.withLock { waiting in
          guard lastSequence <= sequence, !waiting.isClosed, !Task.isCancelled, !isDue() else { return false }
          waiting.continuations.append(continuation)
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
    return waiting.withLock { lastSequence > sequence || !$0.isClosed }
  }

  /// Whether no event will follow.
  var isClosed: Bool { waiting.withLock { $0.isClosed } }

  /// Wakes all waiting tasks; those whose event is still missing wait again.
  @usableFromInline
  func wake() {
    let continuations = waiting.withLock { waiting in
      defer { waiting.continuations = [] }
      return waiting.continuations
    }
    for continuation in continuations { continuation.resume() }
  }
}
