import EventSourcing

/// What the events of a log mean, in the words of their domain, in one line each.
///
/// ```
/// 214 notEnrolledAccount, enrolling → registered, not repeated
/// version 17 → 18, 6 settings changed  +2
/// ```
///
/// It belongs to one thread at a time.
public final class EventHeadline<Domain: HistoryDomain> {
  private let headline: Headline

  /// `values` decides which values are shown, and how.
  public init(_ values: ValueText) {
    headline = Headline { values.append($0, to: &$1) }
  }

  /// Appends what a recorded event means, also one that every domain has.
  ///
  /// - Parameter diff: What the event changed; empty if that is unknown.
  /// - Returns: As for an event of the domain; `nil` as well where this program does not understand the event.
  public func append(
    _ record: RecordedEvent<Domain.Event>, changing diff: StateDiff, to bytes: inout [UInt8]
  ) -> Int? {
    if case .migration(let migration) = record.content {
      bytes.append(migration.headline)
      return 0
    }
    return record.event.flatMap { append($0, changing: diff, to: &bytes) }
  }

  /// Appends what an event means.
  ///
  /// - Parameter diff: What the event changed; empty if that is unknown.
  /// - Returns: The number of changes that the text does not tell, apart from clocks and bookkeeping; `nil`, after appending
  ///   nothing, if the domain says nothing about such an event.
  public func append(_ event: Domain.Event, changing diff: StateDiff, to bytes: inout [UInt8]) -> Int? {
    headline.begin(diff.changes)
    Domain.tell(event, in: headline)
    guard !headline.text.isEmpty else { return nil }
    bytes.append(contentsOf: headline.text)
    return others(of: diff)
  }

  private func others(of diff: StateDiff) -> Int {
    var count = 0
    if diff.appeared.isEmpty, diff.disappeared.isEmpty {
      // As below, where each item is a change.
      for (index, change) in diff.changes.enumerated()
      where !headline.isTold(index) && change.rank(in: Domain.self) < .bookkeeping { count += 1 }
      return count
    }
    var first = 0
    for item in StateDiffItem.items(of: diff) {
      let indices = first..<first + item.changes.count
      first = indices.upperBound
      if item.rank(in: Domain.self) < .bookkeeping, !indices.contains(where: headline.isTold) { count += 1 }
    }
    return count
  }
}

extension StateMigration {
  /// What it means: a replay has compared the digests.
  fileprivate var headline: String {
    "revision \(to) takes over the state of revision \(from), stored after event \(checkpoint)"
  }
}
