import EventSourcing
import Journal

/// Compares two histories: how far they agree, what kind of difference follows, and the events there.
///
/// The common beginning of two journals is found from their chains, without reading it. From there, both are read once,
/// in step, up to the first event that records a different fact. Memory does not grow with the histories.
public struct HistoryComparison<Machine: Reducer>: Sendable {
  /// The kind of the first difference.
  public typealias Kind = ComparisonKind
  /// Two process starts and the revision of the rules that each states.
  public typealias RulesDifference = ComparedRules

  /// Number of events that agree from the beginning; between journals, only events that both keep.
  public private(set) var sameEvents: UInt64 = 0
  /// The last events that agree; `nil` if none do.
  public private(set) var lastSame: (first: UInt64, second: UInt64)?
  /// The kind of the first difference.
  public private(set) var kind = Kind.same
  /// The first differing event of the first history; `nil` if that history has ended.
  public private(set) var first: ComparedEvent<Machine.Event>?
  /// The event at the same place in the second history.
  public private(set) var second: ComparedEvent<Machine.Event>?
  /// Number of events that record the same fact differently, before the first different fact.
  public private(set) var metadataDifferences: UInt64 = 0
  /// The first events that record the same fact differently; `nil` if none do.
  public private(set) var firstMetadataDifference: (first: UInt64, second: UInt64)?
  /// The last events that record the same fact, whether or not in the same way; `nil` if none do, or if nothing was
  /// read after ``lastSame``.
  public private(set) var lastAlike: (first: UInt64, second: UInt64)?
  /// The first processes that started under different rules, up to and including the first different fact; `nil` if
  /// none did, and between accounts.
  ///
  /// Different rules alone count as a difference in how the history was recorded. The state digests recorded by such
  /// processes cannot be compared and do not count.
  public private(set) var firstOtherRules: RulesDifference?
  /// Number of processes that started under different rules in the two histories.
  public private(set) var otherRulesCount: UInt64 = 0
  /// Number of times bytes or names were read from the two journals after opening them.
  public private(set) var reads = 0

  /// The number of events searched ahead for a gap or a different order.
  public static var window: Int { 256 }

  /// Compares two histories. Between two journals, everything recorded counts; between two accounts, what happened to
  /// each, with both accounts given the same name.
  ///
  /// Two devices have separate clocks and boot sessions, so their journals differ in every event even if the same
  /// things happened. Clock values can be excluded: the moments of events, points in time in their fields, and the
  /// fields named in `clocks`.
  ///
  /// If a history becomes unreadable, the comparison ends there: ``ComparisonKind/unreadable(first:second:)``.
  ///
  /// - Parameters:
  ///   - one: The first history.
  ///   - other: The second history.
  ///   - clocks: The fields to exclude along with clock values; `nil` if every byte counts.
  /// - Throws: ``/EventSourcing/HistoryError`` if a history cannot be read at all.
  public init(
    _ one: ComparedSide<Machine>, _ other: ComparedSide<Machine>, leavingOut clocks: Set<String>? = nil
  ) throws(HistoryError) {
    let comparesAccounts = one.account != nil || other.account != nil
    let files = (
      CountingFileSystem(one.history.reader.fileSystem), CountingFileSystem(other.history.reader.fileSystem)
    )
    defer { reads += files.0.reads + files.1.reads }
    var start: UInt64 = 0
    if !comparesAccounts {
      let common = try one.history.commonBeginning(with: other.history)
      reads = common.reads
      // Histories that differ where the later one begins are compared from their first events.
      if common.isKnownSame {
        start = common.sequence
        sameEvents = start + 1 - max(one.history.firstSequence, other.history.firstSequence)
        // The chain there proves that what came before is the same, even if only one of them keeps it.
        if start > 0 { lastSame = (start, start) }
      }
    }
    var ours = try ComparedStream(one, leavingOut: clocks, after: start, through: files.0)
    var theirs = try ComparedStream(other, leavingOut: clocks, after: start, through: files.1)
    // The common beginning states the same rules.
    var hasSameRules = true
    while true {
      let left = ours.peek(1).first
      let right = theirs.peek(1).first
      guard let left, let right else {
        let isUnreadable = (left == nil && ours.obstacle != nil, right == nil && theirs.obstacle != nil)
        if isUnreadable.0 || isUnreadable.1 {
          kind = .unreadable(first: isUnreadable.0, second: isUnreadable.1)
          (first, second) = (left, right)
        } else if left != nil || right != nil {
          kind = .prefix(firstIsShorter: left == nil)
          (first, second) = (left, right)
        } else if metadataDifferences > 0 {
          kind = .metadataOnly
        }
        return
      }
      let startsUnderOtherRules = left.statesOtherRules(than: right)
      if startsUnderOtherRules { countOtherRules(left, right) }
      if left.rules != nil { hasSameRules = !startsUnderOtherRules }
      guard left.hasSameContent(as: right) else {
        (first, second) = (left, right)
        kind = Self.kind(ours.peek(Self.window), theirs.peek(Self.window))
        return
      }
      lastAlike = (left.record.sequence, right.record.sequence)
      let isSame = !startsUnderOtherRules && left.hasSameMetadata(as: right, hasDigests: hasSameRules)
      if !comparesAccounts, !isSame {
        if metadataDifferences == 0 {
          (first, second) = (left, right)
          firstMetadataDifference = (left.record.sequence, right.record.sequence)
        }
        metadataDifferences += 1
      }
      if metadataDifferences == 0 {
        sameEvents += 1
        lastSame = (left.record.sequence, right.record.sequence)
      }
      _ = ours.next()
      _ = theirs.next()
    }
  }

  private mutating func countOtherRules(
    _ left: ComparedEvent<Machine.Event>, _ right: ComparedEvent<Machine.Event>
  ) {
    otherRulesCount += 1
    if firstOtherRules != nil { return }
    firstOtherRules = RulesDifference(
      first: left.record.sequence, firstRevision: left.rules?.revision, second: right.record.sequence,
      secondRevision: right.rules?.revision)
  }

  /// The fields that differ between the first differing events, with both values; empty if one event is missing or
  /// their types differ.
  public var fieldDifferences: [(path: String, first: FieldLeaf?, second: FieldLeaf?)] {
    guard let first, let second, first.record.envelope.type == second.record.envelope.type else { return [] }
    let (ours, theirs) = (FieldLeaf.all(in: first.record.fields), FieldLeaf.all(in: second.record.fields))
    guard case .withoutClocks = first.scope else { return FieldLeaf.differences(ours, theirs) }
    return FieldLeaf.differences(ours, theirs, by: first.scope.compared)
  }

  /// Classifies a difference as a gap, a reordering or different events, from the events that follow it.
  private static func kind(
    _ ours: [ComparedEvent<Machine.Event>], _ theirs: [ComparedEvent<Machine.Event>]
  ) -> Kind {
    if let missing = gap(in: ours, against: theirs) { return .gap(inFirst: true, events: missing) }
    if let missing = gap(in: theirs, against: ours) { return .gap(inFirst: false, events: missing) }
    if let count = reordered(ours, theirs) { return .order(events: count) }
    return .differentEvents
  }

  /// The number of events to skip in `whole` so that `part` continues like it; `nil` if no number works. Two events
  /// must agree after the gap, or all that remain.
  private static func gap(
    in part: [ComparedEvent<Machine.Event>], against whole: [ComparedEvent<Machine.Event>]
  ) -> Int? {
    guard !part.isEmpty else { return nil }
    for skipped in 1..<max(2, whole.count) where skipped < whole.count {
      let needed = min(2, part.count, whole.count - skipped)
      let agrees = (0..<needed).allSatisfy { part[$0].hasSameContent(as: whole[skipped + $0]) }
      if agrees, needed == min(2, part.count) { return skipped }
    }
    return nil
  }

  /// The number of events with the same contents in a different order; `nil` if no such run exists.
  private static func reordered(
    _ ours: [ComparedEvent<Machine.Event>], _ theirs: [ComparedEvent<Machine.Event>]
  ) -> Int? {
    // Events that one side has had more often than the other so far.
    var unmatchedOurs: [ComparedEvent<Machine.Event>] = []
    var unmatchedTheirs: [ComparedEvent<Machine.Event>] = []
    for (count, pair) in zip(ours, theirs).enumerated() {
      if let index = unmatchedTheirs.firstIndex(where: { $0.hasSameContent(as: pair.0) }) {
        unmatchedTheirs.remove(at: index)
      } else {
        unmatchedOurs.append(pair.0)
      }
      if let index = unmatchedOurs.firstIndex(where: { $0.hasSameContent(as: pair.1) }) {
        unmatchedOurs.remove(at: index)
      } else {
        unmatchedTheirs.append(pair.1)
      }
      if unmatchedOurs.isEmpty, unmatchedTheirs.isEmpty { return count + 1 }
    }
    return nil
  }
}
