/// A journal's events, existing and then new ones, for tasks.
///
/// ```swift
/// for try await item in reader.feed(after: 41, upTo: .durable) {
///   if case .event(let sequence, _, let payload) = item { print(sequence, payload.count) }
/// }
/// ```
///
/// It ends when the task is cancelled. Between events the task is suspended and blocks no thread.
public struct JournalFeed: AsyncSequence, Sendable {
  /// An element of a feed: a ``JournalItem`` that may be kept.
  public enum Element: Sendable {
    /// An event: its number, the chain value after it, and its bytes.
    case event(sequence: UInt64, chain: UInt32, payload: [UInt8])
    /// A finding about the place between two events.
    indirect case finding(Finding)
  }

  /// A place in the feed.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: JournalFeed
    private var place: Place?

    init(_ feed: JournalFeed) {
      self.feed = feed
    }

    /// Returns the next element, waiting for it; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(JournalError) -> Element? {
      let place = if let place = self.place { place } else { try Place(feed) }
      self.place = place
      while true {
        if let element = try place.next() { return element }
        guard await place.follower.changes.change() else { return nil }
      }
    }
  }

  /// A follower behind a reference, because an iterator is copied.
  private final class Place {
    var follower: JournalFollower

    init(_ feed: JournalFeed) throws(JournalError) {
      follower = try feed.reader.follow(after: feed.start, upTo: feed.limit, beyondDamage: feed.beyondDamage)
    }

    func next() throws(JournalError) -> Element? {
      switch try follower.nextIfThere() {
      case nil: nil
      case .event(let event)?:
        .event(sequence: event.sequence, chain: event.chain, payload: [UInt8](event.payload))
      case .finding(let finding)?: .finding(finding)
      }
    }
  }

  let reader: JournalReader
  let start: UInt64
  let limit: ReadLimit
  let beyondDamage: Bool

  /// A place before the first element.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
