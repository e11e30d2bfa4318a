import EventSourcing
import Journal

/// Two histories side by side: how far they are the same, what kind of difference follows, and the events there.
///
/// What two journals have in common from the beginning is found by their chains, without reading it; from there on both are
/// read once and in step, to the first difference in what happened. Memory does not grow with them.
public struct HistoryComparison<Machine: Reducer>: Sendable {
  /// What kind the first difference is.
  public enum Kind: Equatable, Sendable {
    /// There is none.
    case same
    /// The same things happened, and were written down differently: at other times, by other commands.
    case metadataOnly
    /// One history ends where the other goes on.
    case prefix(firstIsShorter: Bool)
    /// One history lacks so many events that the other has; after them it goes on in the same way.
    case gap(inFirst: Bool, events: Int)
    /// So many events happened in another order.
    case order(events: Int)
    /// Something else happened.
    case differentEvents
    /// One history, or both, cannot be read any further, and nothing differs before that.
    case unreadable(first: Bool, second: Bool)
  }

  /// How many events are the same from the beginning; of two journals those that both keep.
  public private(set) var sameEvents: UInt64 = 0
  /// The last events that are the same; `nil` when none are.
  public private(set) var lastSame: (first: UInt64, second: UInt64)?
  /// What kind the first difference is.
  public private(set) var kind = Kind.same
  /// The first events that differ; `nil` where a history has ended.
  public private(set) var first: ComparedEvent<Machine.Event>?
  /// The event of the second history at that place.
  public private(set) var second: ComparedEvent<Machine.Event>?
  /// How many events say the same and were written down differently, up to the first difference in what happened.
  public private(set) var metadataDifferences: UInt64 = 0
  /// The first events that say the same and were written down differently; `nil` when there are none.
  public private(set) var firstMetadataDifference: (first: UInt64, second: UInt64)?
  /// The last events that say the same, however they were written down; `nil` when none do, or nothing was read behind
  /// ``lastSame``.
  public private(set) var lastAlike: (first: UInt64, second: UInt64)?
  /// The first processes, up to the first difference in what happened and there, that started under different rules;
  /// `nil` when there are none, and between accounts.
  ///
  /// That alone is a difference in how the history was written down. The digests of states that such processes recorded
  /// say nothing about each other, and do not count.
  public private(set) var firstOtherRules: RulesDifference?
  /// How many processes started under different rules in the two histories.
  public private(set) var otherRulesCount: UInt64 = 0
  /// How often bytes or names were read from both journals, once they were opened.
  public private(set) var reads = 0

  /// Two events that start a process, and the revisions of the rules that they state: `nil` where one states none.
  public struct RulesDifference: Equatable, Sendable {
    /// The event in the first history.
    public let first: UInt64
    /// The revision that it states.
    public let firstRevision: UInt32?
    /// The event in the second history.
    public let second: UInt64
    /// The revision that it states.
    public let secondRevision: UInt32?
  }

  /// How far ahead a gap or another order is looked for, in events.
  public static var window: Int { 256 }

  /// Compares two histories. Between two journals everything that was written counts; between two accounts what
  /// happened to each, with the account called the same.
  ///
  /// Two devices have clocks and boot sessions of their own, so that their journals differ in every event however much
  /// they agree. What a clock gave can be left out: the moments of events, points in time in their fields, and the
  /// fields that are named.
  ///
  /// Where one cannot be read any further, the comparison ends there: ``Kind/unreadable(first:second:)``.
  ///
  /// - Parameters:
  ///   - one: The first history.
  ///   - other: The second history.
  ///   - clocks: The fields that are left out together with clocks; `nil` when every byte counts.
  /// - Throws: ``/EventSourcing/HistoryError`` when one cannot be read at all.
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
      // Histories that are not the same where the later one begins are compared from their first events.
      if common.isKnownSame {
        start = common.sequence
        sameEvents = start + 1 - max(one.history.firstSequence, other.history.firstSequence)
        // The chain there says that what came before is the same, also where only one of them keeps it.
        if start > 0 { lastSame = (start, start) }
      }
    }
    var ours = try ComparedStream(one, leavingOut: clocks, after: start, through: files.0)
    var theirs = try ComparedStream(other, leavingOut: clocks, after: start, through: files.1)
    // What both have in common states the same rules.
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
      if startsUnderOtherRules { noteOtherRules(left, right) }
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

  private mutating func noteOtherRules(
    _ left: ComparedEvent<Machine.Event>, _ right: ComparedEvent<Machine.Event>
  ) {
    otherRulesCount += 1
    if firstOtherRules != nil { return }
    firstOtherRules = RulesDifference(
      first: left.record.sequence, firstRevision: left.rules?.revision, second: right.record.sequence,
      secondRevision: right.rules?.revision)
  }

  /// The fields in which the first events that differ differ, with their values in both; empty when one is missing or
  /// their types differ.
  public var fieldDifferences: [(path: String, first: FieldLeaf?, second: FieldLeaf?)] {
    guard let first, let second, first.record.envelope.type == second.record.envelope.type else { return [] }
    let (ours, theirs) = (FieldLeaf.all(in: first.record.fields), FieldLeaf.all(in: second.record.fields))
    guard case .withoutClocks = first.scope else { return FieldLeaf.differences(ours, theirs) }
    return FieldLeaf.differences(ours, theirs, by: first.scope.compared)
  }

  /// Tells a gap from another order from something else, by the events from the first difference on.
  private static func kind(
    _ ours: [ComparedEvent<Machine.Event>], _ theirs: [ComparedEvent<Machine.Event>]
  ) -> Kind {
    if let missing = gap(in: ours, against: theirs) { return .gap(inFirst: true, events: missing) }
    if let missing = gap(in: theirs, against: ours) { return .gap(inFirst: false, events: missing) }
    if let count = reordered(ours, theirs) { return .order(events: count) }
    return .differentEvents
  }

  /// How many events of `whole` have to be left out for `part` to go on like it; `nil` when none will do. Two events
  /// must agree after the gap, or all that are left.
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

  /// How many events have the same contents in another order; `nil` when there is no such stretch.
  private static func reordered(
    _ ours: [ComparedEvent<Machine.Event>], _ theirs: [ComparedEvent<Machine.Event>]
  ) -> Int? {
    // Events that one side has more often than the other so far.
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
