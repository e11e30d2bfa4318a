import Journal

/// How far two histories are the same.
public enum Divergence: Equatable, Sendable {
  /// They are the same, up to the last event of both.
  case none(length: UInt64)
  /// They are the same up to the end of one, at `length`; the other goes on.
  case prefix(length: UInt64, firstIsShorter: Bool)
  /// `sequence` is the first event that differs. It is exact unless both begin later and differ there already: then
  /// the first difference is at or before it.
  case different(sequence: UInt64, isExact: Bool)
}

/// Where two histories first differ, and what that answer rests on.
public struct DivergenceReport: Equatable, Sendable {
  /// How far they are the same.
  public let divergence: Divergence
  /// How often bytes or names were read from both journals to find out, once both were opened.
  public let reads: Int
  /// The position behind which every event of both was read and verified, up to the answer. Before it, both are the same
  /// by the chains that their headers, footers and single frames state; whether the events there can still be read was
  /// not looked at, as ``/Journal/JournalReader/verify(_:)`` does.
  public let readAfter: UInt64

  /// Creates a report.
  public init(divergence: Divergence, reads: Int, readAfter: UInt64) {
    self.divergence = divergence
    self.reads = reads
    self.readAfter = readAfter
  }
}

/// How far two histories are the same, found without reading their events.
public struct CommonBeginning: Equatable, Sendable {
  /// The position up to which they are, or from which on both have to be read.
  public let sequence: UInt64
  /// Whether they are known to be the same up to there; `false` when they begin later and differ there already.
  public let isKnownSame: Bool
  /// The event behind ``sequence``, when that is known to differ.
  public let firstDifference: UInt64?
  /// How often bytes or names were read to find out.
  public let reads: Int
}

extension History {
  /// Where this history and another first differ: ``findDivergence(from:)`` without what the answer rests on.
  public func divergence<Other: Reducer>(from other: History<Other>) throws(HistoryError) -> Divergence {
    try findDivergence(from: other).divergence
  }

  /// Where this history and another first differ, by the chains of their journals: the same payloads in the same order
  /// give the same chain, whatever the segments, the batches and the journals' identities.
  ///
  /// A binary search over the chains of segments and blocks finds a difference in whole segments with some dozen small
  /// reads, however long the histories are; then the end of each segment before it is read, because only along an unbroken
  /// chain equal values say that what is before is equal. What the search does not find, because it lies in a journal's last
  /// segment or an index is damaged, is looked for by reading both from the last place that agrees. Where segments are
  /// missing, or events were given up, both are read from the first event that both keep, unless ``goesBeyondDamage`` says
  /// to go on behind that; so they are where a segment does not continue the one before, whatever that says.
  ///
  /// - Throws: ``HistoryError`` when one of them is damaged before the first difference, as far as was read.
  public func findDivergence<Other: Reducer>(from other: History<Other>) throws(HistoryError) -> DivergenceReport {
    let common = try commonBeginning(with: other)
    if let difference = common.firstDifference {
      return DivergenceReport(
        divergence: .different(sequence: difference, isExact: true), reads: common.reads, readAfter: common.sequence)
    }
    return try readDivergence(from: other, after: common)
  }

  /// How far this history and another are the same as far as their indexes tell, by a few small reads: where to begin
  /// with reading both.
  ///
  /// - Throws: ``HistoryError/journal(_:)``.
  public func commonBeginning<Other: Reducer>(with other: History<Other>) throws(HistoryError) -> CommonBeginning {
    let start = max(firstSequence, other.firstSequence) - 1
    let search: ChainComparison
    do throws(JournalError) {
      search = try ChainComparison(reader, other.reader, after: start)
    } catch {
      throw .journal(error)
    }
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

  /// Reads both histories after what they have in common up to the first difference.
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

  /// Whether the chains agree where the later history begins, when the index does not tell more.
  private func isSameAtStart(_ outcome: ChainComparison.Outcome, _ start: UInt64) -> Bool {
    switch outcome {
    case .differs, .agrees: true
    case .differsBefore, .unknown: start == 0
    }
  }

  /// Whether the segments up to the one with a position follow each other and continue each other's chain, and none of
  /// them says that events before it were given up; beyond damage that last does not count.
  private func isUnbroken(upTo position: UInt64, through fileSystem: any FileSystem) -> Bool {
    // What cannot be read tells nothing; reading in order comes to the same place and says so.
    (try? reader.reading(through: fileSystem).isContinuous(upTo: position, beyondDamage: goesBeyondDamage)) ?? false
  }
}

/// The chain after one event after the other.
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
