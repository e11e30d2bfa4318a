import Journal

/// How far two histories agree.
public enum Divergence: Equatable, Sendable {
  /// They are equal; `length` is the last event of both.
  case none(length: UInt64)
  /// They agree up to the end of one, at `length`; the other continues.
  case prefix(length: UInt64, firstIsShorter: Bool)
  /// `sequence` is the first event that differs. It is exact unless both histories begin later and already differ
  /// there: then the first difference is at or before it.
  case different(sequence: UInt64, isExact: Bool)
}

/// Where two histories first differ, and what the answer is based on.
public struct DivergenceReport: Equatable, Sendable {
  /// How far they agree.
  public let divergence: Divergence
  /// Number of times bytes or names were read from the two journals after opening them.
  public let reads: Int
  /// The position after which every event of both was read and verified, up to the answer. Before it, the chains in
  /// their headers, footers and single frames agree; unlike ``/Journal/JournalReader/verify(_:)``, this does not check whether the
  /// events there can still be read.
  public let readAfter: UInt64

  /// `reads` and `readAfter` say what the answer is based on.
  public init(divergence: Divergence, reads: Int, readAfter: UInt64) {
    self.divergence = divergence
    self.reads = reads
    self.readAfter = readAfter
  }
}

/// How far two histories agree according to their indexes, without reading events.
public struct CommonBeginning: Equatable, Sendable {
  /// The last position known to agree, or the one from which both must be read.
  public let sequence: UInt64
  /// Whether they are known to agree up to ``sequence``; `false` if they begin later and already differ there.
  public let isKnownSame: Bool
  /// The event after ``sequence``, if it is known to differ.
  public let firstDifference: UInt64?
  /// Number of times bytes or names were read.
  public let reads: Int
}

extension History {
  /// Where this history and another first differ: ``findDivergence(from:)`` without its basis.
  public func divergence<Other: Reducer>(from other: History<Other>) throws(HistoryError) -> Divergence {
    try findDivergence(from: other).divergence
  }

  /// Where this history and another first differ, found by comparing their journals' chains: the same payloads in the
  /// same order produce the same chain, regardless of segments, batches and journal identities.
  ///
  /// A binary search over the chains of segments and blocks finds a difference within whole segments in a few dozen
  /// small reads, however long the histories are. It then reads the end of each earlier segment, because equal values
  /// prove that what precedes them is equal only along an unbroken chain. A difference that the search cannot find,
  /// because it lies in a journal's last segment or an index is damaged, is found by reading both from the last place
  /// that agrees. Where segments are missing or events were given up, both are read from the first event that both
  /// keep, unless ``goesBeyondDamage`` says to continue after the gap. Where a segment does not continue its
  /// predecessor, they are always read that way.
  ///
  /// - Throws: ``HistoryError`` if the part that was read is damaged before the first difference.
  public func findDivergence<Other: Reducer>(from other: History<Other>) throws(HistoryError) -> DivergenceReport {
    let common = try commonBeginning(with: other)
    if let difference = common.firstDifference {
      return DivergenceReport(
        divergence: .different(sequence: difference, isExact: true), reads: common.reads, readAfter: common.sequence)
    }
    return try readDivergence(from: other, after: common)
  }

  /// How far this history and another agree according to their indexes, in a few small reads: where to start reading
  /// both.
  ///
  /// - Throws: ``HistoryError/journal(_:)``.
  public func commonBeginning<Other: Reducer>(with other: History<Other>) throws(HistoryError) -> CommonBeginning {
    let start = max(firstSequence, other.firstSequence) - 1
    let search = try HistoryError.translating(try ChainComparison(reader, other.reader, after: start))
    let files = (CountingFileSystem(reader.fileSystem), CountingFileSystem(other.reader.fileSystem))
    func isUnbroken(upTo position: UInt64) -> Bool {
      self.isUnbroken(upTo: position, through: files.0) && other.isUnbroken(upTo: position, through: files.1)
    }
    let found: (agreed: UInt64, difference: UInt64?)?
    switch search.outcome {
    case .differs(let event): found = isUnbroken(upTo: event) ? (event - 1, event) : nil
    case .agrees(let event): found = isUnbroken(upTo: event) ? (event, nil) : nil
    case .differsBefore, .unknown: found = nil
    }
    return CommonBeginning(
      sequence: found?.agreed ?? start, isKnownSame: found != nil || isSameAtStart(search.outcome, start),
      firstDifference: found?.difference, reads: search.reads + files.0.reads + files.1.reads)
  }

  /// Reads both histories, after their common beginning, up to the first difference.
  private func readDivergence<Other: Reducer>(
    from other: History<Other>, after common: CommonBeginning
  ) throws(HistoryError) -> DivergenceReport {
    let start = common.sequence
    let counting = (CountingFileSystem(reader.fileSystem), CountingFileSystem(other.reader.fileSystem))
    var ours = try ChainCursor(reader.reading(through: counting.0), goesBeyondDamage, after: start)
    var theirs = try ChainCursor(other.reader.reading(through: counting.1), other.goesBeyondDamage, after: start)
    var length = start
    var divergence: Divergence?
    while divergence == nil {
      let one = try ours.next()
      let two = try theirs.next()
      switch (one, two) {
      case (nil, nil): divergence = Divergence.none(length: length)
      case (nil, _?): divergence = .prefix(length: length, firstIsShorter: true)
      case (_?, nil): divergence = .prefix(length: length, firstIsShorter: false)
      case (let one?, let two?):
        if one == two {
          length += 1
        } else {
          divergence = .different(sequence: length + 1, isExact: length > start || common.isKnownSame)
        }
      }
    }
    return DivergenceReport(
      divergence: divergence ?? .none(length: length), reads: common.reads + counting.0.reads + counting.1.reads,
      readAfter: start)
  }

  /// Whether the chains agree where the later history begins, if the index says no more.
  private func isSameAtStart(_ outcome: ChainComparison.Outcome, _ start: UInt64) -> Bool {
    switch outcome {
    case .differs, .agrees: true
    case .differsBefore, .unknown: start == 0
    }
  }

  /// Whether the segments up to the one holding `position` are consecutive, each continues its predecessor's chain, and
  /// none says that earlier events were given up. With ``goesBeyondDamage``, given-up events do not count.
  private func isUnbroken(upTo position: UInt64, through fileSystem: any FileSystem) -> Bool {
    // Unreadable segments prove nothing; reading in order reaches the same place and reports it.
    (try? reader.reading(through: fileSystem).isContinuous(upTo: position, beyondDamage: goesBeyondDamage)) ?? false
  }
}

/// Yields the chain after each event in turn.
private struct ChainCursor: ~Copyable {
  private var items: JournalItems
  private var last: UInt64
  private let goesBeyondDamage: Bool
  private var hasEnded = false

  init(_ reader: JournalReader, _ goesBeyondDamage: Bool, after sequence: UInt64) throws(HistoryError) {
    self.goesBeyondDamage = goesBeyondDamage
    items = try JournalItems(reader, after: sequence, beyondDamage: goesBeyondDamage)
    last = sequence
  }

  mutating func next() throws(HistoryError) -> UInt32? {
    while !hasEnded, let item = try items.next() {
      switch item {
      case .finding(let finding):
        hasEnded = finding.endsHistory
        if finding.losesEvents, !goesBeyondDamage { throw .damaged(lastDerivable: last, finding) }
      case .event(let event):
        guard event.sequence == last + 1 else { throw .damaged(lastDerivable: last, nil) }
        last = event.sequence
        return event.chain
      }
    }
    return nil
  }
}
