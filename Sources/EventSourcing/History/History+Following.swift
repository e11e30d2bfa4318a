import Journal

/// A history's events in order, those that are there and then those that come, whoever writes them: this process or
/// another one.
///
/// ```swift
/// var follower = try history.follow(after: 41)
/// while let item = try follower.next() {
///   if case .event(let step) = item { print(step.record.sequence, step.record.typeName) }
/// }
/// ```
///
/// No event is left out and none comes twice, also where a segment or a checkpoint is written meanwhile. States are not
/// computed. A follower belongs to one thread at a time.
public struct HistoryFollower<Machine: Reducer>: ~Copyable {
  private var cursor: HistoryCursor<Machine>
  /// What it waits with. `stop()` on it ends it, from any thread.
  public let changes: JournalChanges

  init(_ history: History<Machine>, after sequence: UInt64, upTo limit: ReadLimit) throws(HistoryError) {
    // Before the first look, so that nothing comes in between.
    changes = history.reader.changes()
    let items = try JournalItems(history.reader, after: sequence, upTo: limit, beyondDamage: true)
    cursor = HistoryCursor(items, replay: Replay(after: sequence), isTrackingState: false, goesBeyondDamage: false)
  }

  /// The next event or finding; waits for it. `nil` when it was stopped.
  public mutating func next() throws(HistoryError) -> HistoryItem<Machine>? {
    while true {
      if let item = try cursor.next() { return item }
      guard changes.wait() else { return nil }
    }
  }

  /// The next event or finding if it is there; does not wait.
  public mutating func nextIfThere() throws(HistoryError) -> HistoryItem<Machine>? {
    try cursor.next()
  }
}

/// A history's events, those that are there and then those that come, for tasks. It ends when the task is cancelled;
/// while there is nothing to tell the task is suspended and blocks no thread.
public struct HistoryFeed<Machine: Reducer>: AsyncSequence, Sendable {
  /// A place in the feed.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: HistoryFeed
    private var place: Place?

    init(_ feed: HistoryFeed) {
      self.feed = feed
    }

    /// The next event or finding; waits for it. `nil` when the task was cancelled.
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

  /// A follower behind a reference, because an iterator is copied.
  private final class Place {
    var follower: HistoryFollower<Machine>

    init(_ feed: HistoryFeed) throws(HistoryError) {
      follower = try feed.history.follow(after: feed.start, upTo: feed.limit)
    }
  }

  let history: History<Machine>
  let start: UInt64
  let limit: ReadLimit

  /// A place before the first event of the feed.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension History {
  /// Follows the history behind an event.
  ///
  /// - Parameters:
  ///   - sequence: The last event that is not wanted; 0 for all.
  ///   - limit: Whether to tell events only once they are known to be durable.
  /// - Throws: ``HistoryError/beforeKeptRange(requested:first:)`` when events behind `sequence` were retired, unless all
  ///   are wanted that there are; ``HistoryError/journal(_:)``.
  public func follow(
    after sequence: UInt64 = 0, upTo limit: ReadLimit = .written
  ) throws(HistoryError) -> HistoryFollower<Machine> {
    // Whoever saw some of the events and not the retired ones must not take what follows for the next.
    if let first = reader.retirement?.firstSequence, sequence > 0, sequence < first - 1 {
      throw .beforeKeptRange(requested: sequence, first: first)
    }
    return try HistoryFollower(self, after: sequence, upTo: limit)
  }

  /// The same for tasks. Every loop over it begins at `sequence` again.
  public func feed(after sequence: UInt64 = 0, upTo limit: ReadLimit = .written) -> HistoryFeed<Machine> {
    HistoryFeed(history: self, start: sequence, limit: limit)
  }
}
