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
  @usableFromInline let headline: Headline

  /// `values` decides which values are shown, and how.
  public init(_ values: ValueText) {
    headline = Headline { values.append($0, to: &$1) }
  }

  /// Appends what a recorded event means, also one that every domain has.
  ///
  /// - Parameter diff: What the event changed; empty if that is unknown.
  /// - Returns: As for an event of the domain; `nil` as well where this program does not understand the event.
  @inlinable
  public func append(
    _ record: RecordedEvent<Domain.Event>, changing diff: StateDiff, to bytes: inout [UInt8]
  ) -> Int? {
    switch record.content {
    case .known(let event): return append(event, changing: diff, to: &bytes)
    case .migration(let migration):
      bytes.append(contentsOf: migration.headline.utf8)
      return 0
    case .otherDomain, .unknownType, .unknownVersion, .unknownFeatures, .undecodable, .foreign, .lost: return nil
    }
  }

  /// Appends what an event means.
  ///
  /// - Parameter diff: What the event changed; empty if that is unknown.
  /// - Returns: The number of changes that the text does not tell, apart from clocks and bookkeeping; `nil`, after appending
  ///   nothing, if the domain says nothing about such an event.
  @inlinable
  public func append(_ event: Domain.Event, changing diff: StateDiff, to bytes: inout [UInt8]) -> Int? {
    headline.begin(diff.changes)
    Domain.describe(event, in: headline)
    guard !headline.text.isEmpty else { return nil }
    bytes.append(contentsOf: headline.text)
    return others(of: diff)
  }

  @inlinable
  func others(of diff: StateDiff) -> Int {
    guard diff.appeared.isEmpty, diff.disappeared.isEmpty else { return othersAmongItems(of: diff) }
    // Each item is a change.
    var count = 0
    for index in diff.changes.indices
    where !headline.covers(index) && diff.changes[index].rank(in: Domain.self) < .bookkeeping { count += 1 }
    return count
  }

  @usableFromInline
  func othersAmongItems(of diff: StateDiff) -> Int {
    var count = 0
    var first = 0
    for item in StateDiffItem.items(of: diff) {
      let indices = first..<first + item.changes.count
      first = indices.upperBound
      if item.rank(in: Domain.self) < .bookkeeping, !indices.contains(where: headline.covers) { count += 1 }
    }
    return count
  }
}

extension StateMigration {
  /// What it means: a replay has compared the digests.
  @usableFromInline var headline: String {
    "revision \(to) takes over the state of revision \(from), stored after event \(checkpoint)"
  }
}
