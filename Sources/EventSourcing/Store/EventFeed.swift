import Journal

/// The events of a store after a position, those that are there first and then those that come, without a gap and
/// without telling one twice.
///
/// ```swift
/// for try await record in store.events(after: 41) {
///   print(record.sequence, record.typeName)
/// }
/// ```
///
/// It ends when the store is closed or the task is cancelled. Every loop over a feed begins at its position again.
///
/// **Guarantees.** The numbers go on without a gap, up to ``EventStore/lastSequence`` and never beyond it, so that
/// ``EventStore/state`` has every event that was told. An event that was lost before the journal was salvaged comes under
/// its number, with ``RecordedEvent/Content/lost`` as its content. Where a number cannot be told the feed throws, and tries
/// again when it is asked again; it never passes over an event.
public struct EventFeed<Machine: Decider>: AsyncSequence, Sendable {
  /// A place in the feed.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let store: EventStore<Machine>
    var last: UInt64
    /// Reads the journal from `last` on; copies of an iterator that read on their own make one of their own.
    private var source: Source?

    init(store: EventStore<Machine>, last: UInt64) {
      self.store = store
      self.last = last
    }

    /// The next event; waits for it. `nil` when the store was closed or the task cancelled.
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

    /// The next event if it has been appended; `nil` when everything has been told. Does not wait.
    ///
    /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` with the last event that was told, when the next one cannot be
    ///   read; ``HistoryError/beforeKeptRange(requested:first:)`` when it was retired; ``HistoryError/journal(_:)``.
    public mutating func nextIfThere() throws(HistoryError) -> RecordedEvent<Machine.Event>? {
      // What is written and not published yet is not told: the state would not have it.
      guard last < store.lastSequence else { return nil }
      // Kept only while it is good: one that failed stopped for good, and the next call looks at the files anew.
      let source =
        if let kept = self.source, kept.last == last { kept } else { try Source(store, after: last) }
      self.source = nil
      let record = try source.next()
      self.source = source
      last = record.sequence
      return record
    }
  }

  /// A cursor that goes on where it stopped, behind a reference because an iterator is copied.
  fileprivate final class Source {
    private var items: JournalItems

    /// The last event that was told.
    var last: UInt64 { items.last }

    /// - Parameter skipsRetired: Whether to begin with the first event that is still kept, when that is a later one.
    init(_ store: EventStore<Machine>, after last: UInt64, skipsRetired: Bool = false) throws(HistoryError) {
      let history = try History<Machine>(at: store.path, fileSystem: store.fileSystem)
      let isRetired = last < history.firstSequence - 1
      guard !isRetired || skipsRetired else {
        throw .beforeKeptRange(requested: last, first: history.firstSequence)
      }
      items = try JournalItems(
        history.reader, after: isRetired ? history.firstSequence - 1 : last, beyondDamage: true, joinsLost: false)
    }

    /// The next event, which must be there.
    func next() throws(HistoryError) -> RecordedEvent<Machine.Event> {
      while let item = try items.nextInOrder() {
        if case .event(let event) = item { return RecordedEvent(event) }
      }
      throw .damaged(lastDerivable: last, nil)
    }
  }

  let store: EventStore<Machine>
  let start: UInt64

  /// A place before the first event of the feed.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(store: store, last: start)
  }
}

extension EventStore {
  /// The events after a number: those that are there, and then those that are appended by this store.
  public func events(after sequence: UInt64) -> EventFeed<Machine> {
    EventFeed(store: self, start: sequence)
  }

  /// The events after a number that are in ``state`` already, at most `limit` of them and never fewer. Those that were lost
  /// before the journal was salvaged are among them: their content is ``RecordedEvent/Content/lost``.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` when one of them cannot be read;
  ///   ``HistoryError/beforeKeptRange(requested:first:)`` when they were retired; ``HistoryError/journal(_:)``.
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

  /// Shows every event after `start` up to `end`, all of which must be in the journal.
  ///
  /// - Parameter skipsRetired: Whether those may be gone that are before the first event that is still kept.
  /// - Throws: As ``recordedEvents(after:limit:)``.
  func forEachEvent(
    after start: UInt64, upTo end: UInt64, skipsRetired: Bool = false,
    _ body: (RecordedEvent<Machine.Event>) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let source = try EventFeed<Machine>.Source(self, after: start, skipsRetired: skipsRetired)
    while source.last < end { try body(try source.next()) }
  }

  /// Waits until there is an event after `sequence`; `false` when the store is closed and there will be none.
  func waits(beyond sequence: UInt64) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The version is looked at inside of the lock: whoever publishes a later one takes the lock afterwards.
        let isWaiting = waiting.withLock { waiting in
          guard lastSequence <= sequence, !waiting.isClosed, !Task.isCancelled else { return false }
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

  /// Wakes everybody who waits; those who still have to wait do so again.
  @usableFromInline
  func wake() {
    let continuations = waiting.withLock { waiting in
      defer { waiting.continuations = [] }
      return waiting.continuations
    }
    for continuation in continuations { continuation.resume() }
  }
}
