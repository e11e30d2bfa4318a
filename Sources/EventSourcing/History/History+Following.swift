import Journal

/// A history's events in order: first the existing ones, then new ones as this or another process writes them.
///
/// ```swift
/// var follower = try history.follow(after: 41)
/// while let item = try follower.next() {
///   if case .event(let step) = item { print(step.record.sequence, step.record.typeName) }
/// }
/// ```
///
/// Delivers each event exactly once, even while a segment or checkpoint is being written. States are not computed. A
/// follower belongs to one thread at a time.
public struct HistoryFollower<Machine: Reducer>: ~Copyable {
  private var cursor: HistoryCursor<Machine>
  /// The source of notifications to wait for. Calling `stop()` on it, from any thread, ends the follower.
  public let changes: JournalChanges

  init(_ history: History<Machine>, after sequence: UInt64, upTo limit: ReadLimit) throws(HistoryError) {
    // Created before the first read, so that no change is missed.
    changes = history.reader.changes()
    try history.requireFittingEvents()
    let items = try JournalItems(history.reader, after: sequence, upTo: limit, beyondDamage: true)
    cursor = HistoryCursor(
      items, of: history.foreign, replay: Replay(after: sequence), isTrackingState: false, goesBeyondDamage: false)
  }

  /// Waits for the next event or finding; `nil` once stopped.
  public mutating func next() throws(HistoryError) -> HistoryItem<Machine>? {
    while true {
      if let item = try cursor.next() { return item }
      guard changes.wait() else { return nil }
    }
  }

  /// The next event or finding if one is available; never waits.
  public mutating func nextIfThere() throws(HistoryError) -> HistoryItem<Machine>? {
    try cursor.next()
  }
}

/// A history's existing events followed by new ones, for tasks. It ends when the task is cancelled. While waiting, the
/// task is suspended and blocks no thread.
public struct HistoryFeed<Machine: Reducer>: AsyncSequence, Sendable {
  /// A position in the feed.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: HistoryFeed
    private var place: Place?

    init(_ feed: HistoryFeed) {
      self.feed = feed
    }

    /// Waits for the next event or finding; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(HistoryError) -> HistoryItem<Machine>? {
      let place = if let place = self.place { place } else { try Place(feed) }
      self.place = place
      while true {
        if let item = try place.follower.nextIfThere() { return item }
        guard await place.follower.changes.change() else { return nil }
      }
    }
  }

  /// A follower held by reference, because iterators are copied.
  private final class Place {
    var follower: HistoryFollower<Machine>

    init(_ feed: HistoryFeed) throws(HistoryError) {
      follower = try feed.history.follow(after: feed.start, upTo: feed.limit)
    }
  }

  let history: History<Machine>
  let start: UInt64
  let limit: ReadLimit

  /// An iterator positioned before the feed's first event.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension History {
  /// Follows the history after an event.
  ///
  /// - Parameters:
  ///   - sequence: The last event to skip; 0 for none.
  ///   - limit: Whether to deliver events only once they are known to be durable.
  /// - Throws: ``HistoryError/beforeKeptRange(requested:first:)`` if the journal lacks events after `sequence`
  ///   because they were retired or precede a fork, unless `sequence` is 0, which asks for all events that exist;
  ///   ``HistoryError/journal(_:)``.
  public func follow(
    after sequence: UInt64 = 0, upTo limit: ReadLimit = .written
  ) throws(HistoryError) -> HistoryFollower<Machine> {
    // A caller that saw some events but not those before the journal's own must not take what follows for their successor.
    if sequence > 0, sequence < firstSequence - 1 {
      throw .beforeKeptRange(requested: sequence, first: firstSequence)
    }
    return try HistoryFollower(self, after: sequence, upTo: limit)
  }

  /// The asynchronous form of ``follow(after:upTo:)``. Every loop over the feed restarts at `sequence`.
  public func feed(after sequence: UInt64 = 0, upTo limit: ReadLimit = .written) -> HistoryFeed<Machine> {
    HistoryFeed(history: self, start: sequence, limit: limit)
  }
}
