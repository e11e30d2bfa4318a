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

extension History {
  /// Where this history and another first differ, by the chains of their journals: the same payloads in the same order
  /// give the same chain, whatever the segments, the batches and the journals' identities.
  ///
  /// Reads both from the first event that both keep, and stops at the first difference. Each goes on behind damage when
  /// its ``goesBeyondDamage`` says so.
  ///
  /// - Throws: ``HistoryError`` when one of them is damaged before the first difference, or when one ends before the
  ///   other begins.
  public func divergence<Other: Reducer>(from other: History<Other>) throws(HistoryError) -> Divergence {
    let first = max(firstSequence, other.firstSequence)
    var ours = try ChainCursor(self, after: first - 1)
    var theirs = try ChainCursor(other, after: first - 1)
    var length = first - 1
    while true {
      let one = try ours.next()
      let two = try theirs.next()
      switch (one, two) {
      case (nil, nil): return .none(length: length)
      case (nil, _?): return .prefix(length: length, firstIsShorter: true)
      case (_?, nil): return .prefix(length: length, firstIsShorter: false)
      case (let one?, let two?):
        guard one == two else { return .different(sequence: length + 1, isExact: length >= first || first == 1) }
        length += 1
      }
    }
  }
}

/// The chain after one event after the other.
private struct ChainCursor: ~Copyable {
  private var items: JournalItems
  private var last: UInt64
  private let goesBeyondDamage: Bool
  private var hasEnded = false

  init<Machine: Reducer>(_ history: History<Machine>, after sequence: UInt64) throws(HistoryError) {
    goesBeyondDamage = history.goesBeyondDamage
    items = try JournalItems(history.reader, after: sequence, beyondDamage: goesBeyondDamage)
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
