/// How far two journals hold the same history, found by binary search over their chains.
///
/// The chain after an event covers every payload before it, in order, independently of segments, batches and the
/// journals' identities. Two histories that differ once cannot agree again through the same events, because the chain
/// is a bijection on its starting value. Through other events they can, with a chance of one in 2³² at each place
/// compared. So the first difference is between the last place where the chains agree and the first where they do not:
///
/// 1. segments: where one journal's begin, by the headers;
/// 2. blocks: where the one segment's begin, by its footer;
/// 3. events: from at most some thousand frames of each, of which those around the difference are verified.
///
/// The answer rests on what verified at those places, and on segments that continue each other: where one segment was
/// put in the place of another, equal chains after it prove nothing about what precedes it. Nothing before those places
/// was read: `JournalReader.verify()` finds out whether it still can be read.
///
/// ```swift
/// let comparison = try ChainComparison("one.journal", "other.journal")
/// if case .differs(at: let event) = comparison.outcome { print(event, comparison.reads) }
/// ```
public struct ChainComparison: Equatable, Sendable {
  /// What the search found.
  public enum Outcome: Equatable, Sendable {
    /// The first event that differs.
    case differs(at: UInt64)
    /// They differ already before the first event that both keep.
    case differsBefore(first: UInt64)
    /// They agree up to this event, which is not the last of both. What follows has to be read in order: it is in the
    /// last segment, or the index does not cover it.
    case agrees(upTo: UInt64)
    /// The index does not help: everything has to be read in order.
    case unknown
  }

  /// What the search found.
  public let outcome: Outcome
  /// How often bytes or names were read, in both journals together, opening included.
  public let reads: Int

  /// Compares the journals in two directories. Neither is opened as a whole: O(log n) small reads.
  ///
  /// - Parameters:
  ///   - path: One journal's directory.
  ///   - otherPath: The other journal's directory.
  ///   - start: The position, an event's number or 0, at which the comparison begins; later if one of them begins
  ///     later.
  ///   - fileSystem: The file system of both journals.
  /// - Throws: `notAJournal`, `inputOutput`.
  public init(
    _ path: String, _ otherPath: String, after start: UInt64 = 0, fileSystem: any FileSystem = PosixFileSystem()
  ) throws(JournalError) {
    try self.init(
      JournalDirectory(path: path, fileSystem: fileSystem), JournalDirectory(path: otherPath, fileSystem: fileSystem),
      after: start)
  }

  /// Compares the journals of two readers, independently of what those have read before.
  public init(_ one: JournalReader, _ other: JournalReader, after start: UInt64 = 0) throws(JournalError) {
    try self.init(one.directory, other.directory, after: start)
  }

  private init(_ one: JournalDirectory, _ other: JournalDirectory, after start: UInt64) throws(JournalError) {
    func counted(_ directory: JournalDirectory) -> (JournalDirectory, CountingFileSystem) {
      let counting = CountingFileSystem(directory.fileSystem)
      return (JournalDirectory(path: directory.path, fileSystem: counting), counting)
    }
    let (first, firstReads) = counted(one)
    let (second, secondReads) = counted(other)
    outcome = try Self.outcome(try ChainIndex(first), try ChainIndex(second), after: start)
    reads = firstReads.reads + secondReads.reads
  }

  private static func outcome(
    _ one: ChainIndex, _ other: ChainIndex, after start: UInt64
  ) throws(JournalError) -> Outcome {
    guard let firstStart = one.start, let secondStart = other.start, let firstEnd = one.lastBoundary,
      let secondEnd = other.lastBoundary
    else { return .unknown }
    var agreed = max(start, firstStart, secondStart)
    guard let isSame = try agree(one, other, at: agreed) else { return .unknown }
    guard isSame else { return .differsBefore(first: agreed + 1) }
    // Whole segments first: an unsealed one has no index.
    let end = min(firstEnd, secondEnd)
    guard end > agreed, let isSameAtEnd = try agree(one, other, at: end) else { return .agrees(upTo: agreed) }
    guard !isSameAtEnd else { return .agrees(upTo: end) }
    var differing = end
    func halve(_ places: [UInt64]) throws(JournalError) -> Bool {
      var places = places[...]
      while !places.isEmpty {
        let middle = places[places.startIndex + places.count / 2]
        guard let isSame = try agree(one, other, at: middle) else { return false }
        if isSame { agreed = middle } else { differing = middle }
        places = places.filter { $0 > agreed && $0 < differing }[...]
      }
      return true
    }
    guard try halve(one.boundaries(between: agreed, and: differing)),
      try halve(try one.blocks(between: agreed, and: differing))
    else { return .agrees(upTo: agreed) }
    let ours = try one.statedChains(from: agreed, before: differing)
    let theirs = try other.statedChains(from: agreed, before: differing)
    guard UInt64(min(ours.count, theirs.count)) == differing - agreed else { return .agrees(upTo: agreed) }
    let place = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let event = place.map { agreed + UInt64($0) } ?? differing
    // Single unverified frames led here; those around the difference have to verify.
    guard event > agreed, try agree(one, other, at: event - 1) == true, try agree(one, other, at: event) == false
    else { return .agrees(upTo: agreed) }
    return .differs(at: event)
  }

  /// Whether the chains after an event are the same; `nil` when one index does not cover it.
  private static func agree(
    _ one: ChainIndex, _ other: ChainIndex, at sequence: UInt64
  ) throws(JournalError) -> Bool? {
    guard let first = try one.chain(after: sequence), let second = try other.chain(after: sequence) else { return nil }
    return first == second
  }
}

extension JournalReader {
  /// Whether each segment up to the one with a position begins with the chain at which the previous segment ends: only
  /// then do equal chains after them prove that everything before is equal. A segment from another continuation of the
  /// same journal, put in the place of one, has a valid header and footer but other events.
  ///
  /// Reads the ends, with at most two small reads a segment; in a segment without a footer, it follows the frames'
  /// lengths.
  ///
  /// - Parameters:
  ///   - sequence: The position. A segment that begins after it does not count.
  ///   - beyondDamage: Whether to continue where segments are missing that hold no event, and where events were given
  ///     up.
  /// - Throws: `inputOutput`.
  package func isContinuous(upTo sequence: UInt64, beyondDamage: Bool) throws(JournalError) -> Bool {
    for (before, next) in zip(catalog.segments, catalog.segments.dropFirst()) {
      guard next.header.firstSequence - 1 <= sequence else { break }
      if !beyondDamage {
        guard next.header.ordinal == before.header.ordinal + 1, next.header.predecessor.end != .damaged else {
          return false
        }
      }
      // Both begin with the same event, and the first of them holds none: its header suffices.
      let end =
        before.header.firstSequence == next.header.firstSequence
        ? before.header.chainIn
        : try IndexedSegment(before, in: directory)?.chain(after: next.header.firstSequence - 1)
      guard let end, end == next.header.chainIn, next.knowsChain else { return false }
    }
    return true
  }
}
