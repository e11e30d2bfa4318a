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
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(HistoryError) -> RecordedEvent<Machine.Event>? {
      while true {
        if let record = try nextIfThere() { return record }
        guard await store.waits(beyond: last), !Task.isCancelled else { return nil }
      }
    }

    /// The next event if it has been appended; `nil` when everything has been told. Does not wait.
    public mutating func nextIfThere() throws(HistoryError) -> RecordedEvent<Machine.Event>? {
      // What is written and not published yet is not told: the state would not have it.
      guard last < store.lastSequence else { return nil }
      // Kept only while it is good: one that failed stopped for good, and the next call looks at the files anew.
      let source =
        if let kept = self.source, kept.last == last { kept } else { try Source(store, after: last) }
      self.source = nil
      guard let record = try source.next() else { throw .damaged(lastDerivable: last, nil) }
      self.source = source
      last = record.sequence
      return record
    }
  }

  /// A cursor that goes on where it stopped, behind a reference because an iterator is copied.
  private final class Source {
    private var items: JournalItems
    private(set) var last: UInt64

    init(_ store: EventStore<Machine>, after last: UInt64) throws(HistoryError) {
      let history = try History<Machine>(at: store.path, fileSystem: store.fileSystem)
      items = try JournalItems(history.reader, after: last, beyondDamage: true)
      self.last = last
    }

    /// The next event; `nil` when it cannot be read.
    func next() throws(HistoryError) -> RecordedEvent<Machine.Event>? {
      while let item = try items.next() {
        guard case .event(let event) = item else { continue }
        guard event.sequence == last + 1 else { return nil }
        last = event.sequence
        return RecordedEvent(event)
      }
      return nil
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

  /// At most `limit` events after a number, of those that are in ``state`` already.
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

  func forEachEvent(
    after start: UInt64, upTo end: UInt64, _ body: (RecordedEvent<Machine.Event>) -> Void
  ) throws(HistoryError) {
    var history = try History<Machine>(at: path, fileSystem: fileSystem)
    history.goesBeyondDamage = true
    try history.forEachRaw(after: start, upTo: end) { (event) throws(HistoryError) in
      body(RecordedEvent(event))
    }
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
