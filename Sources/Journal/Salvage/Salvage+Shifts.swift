extension Salvage {
  /// How many overlaps of one segment's stretches in a file are compared.
  private static let maximumOverlaps = 64

  /// Marks the shifted frames of a segment in a file where its stretches contradict each other: some may be those of a
  /// segment in a payload, which has the id and the number of the one around it.
  ///
  /// Stretches agree when their numbers and the offsets at which they were written are in one order, with room for the
  /// events between them, and when those that overlap have the same chain value after the last common event. A receipt in
  /// `HEAD` also says at which offset of a segment which event ended.
  mutating func markContradictions() throws(JournalError) {
    struct Segment: Hashable {
      var file: Int
      var seed: UInt32
    }
    let shifted = traces.lazy.filter { $0.shift != 0 }.compactMap { trace in
      trace.seed.map { Segment(file: trace.file, seed: $0) }
    }
    let segments = Set(shifted)
    guard !segments.isEmpty else { return }
    var stretches: [Segment: [(start: UInt64, end: UInt64, fragment: SalvageFragment)]] = [:]
    for fragment in fragments {
      let trace = traces[fragment.trace]
      guard let seed = trace.seed, segments.contains(Segment(file: fragment.file, seed: seed)),
        trace.shift != 0 || !isEmbedded(fragment.trace), let start = trace.offset(of: fragment.start)
      else { continue }
      stretches[Segment(file: fragment.file, seed: seed), default: []].append(
        (start, start + (fragment.end - fragment.start), fragment))
    }
    for list in stretches.values {
      let sorted = list.sorted { ($0.start, $0.fragment.first) < ($1.start, $1.fragment.first) }
      var isContradicted = try contradict(sorted)
      if !isContradicted { isContradicted = try contradictReceipt(sorted) }
      guard isContradicted else { continue }
      for stretch in sorted where traces[stretch.fragment.trace].shift != 0 {
        traces[stretch.fragment.trace].isContradicted = true
      }
    }
  }

  /// - Parameter stretches: those of one segment in a file, in the order in which they were written.
  private func contradict(
    _ stretches: [(start: UInt64, end: UInt64, fragment: SalvageFragment)]
  ) throws(JournalError) -> Bool {
    guard var last = stretches.first else { return false }
    var overlaps = 0
    for stretch in stretches.dropFirst() {
      let (before, after) = (last.fragment, stretch.fragment)
      if after.first > before.last {
        let room = (stretch.start - min(last.end, stretch.start)) / UInt64(Format.frameHeaderSize)
        guard last.end <= stretch.start, after.first - before.last - 1 <= room else { return true }
      } else {
        overlaps += 1
        let common = min(before.last, after.last)
        guard stretch.start < last.end, common >= max(before.first, after.first), overlaps <= Self.maximumOverlaps,
          try chain(of: before, after: common) == chain(of: after, after: common)
        else { return true }
      }
      if after.last > before.last { last = stretch }
    }
    return false
  }

  /// Whether any of the shifted stretches among these was not written where it is according to a receipt.
  private func contradictReceipt(
    _ stretches: [(start: UInt64, end: UInt64, fragment: SalvageFragment)]
  ) throws(JournalError) -> Bool {
    for (start, end, fragment) in stretches where traces[fragment.trace].shift != 0 {
      let trace = traces[fragment.trace]
      for (receipt, id, _) in receipts where id == trace.id && receipt.ordinal == trace.ordinal {
        let (last, offset) = (receipt.sequence, receipt.offset)
        if fragment.first > last {
          if start < offset { return true }
        } else if fragment.last <= last {
          if end > offset || (last - fragment.last) * UInt64(Format.frameHeaderSize) > offset - end { return true }
          if fragment.last == last, fragment.chainAfter != receipt.chain { return true }
        } else if try chain(of: fragment, after: last) != receipt.chain {
          return true
        }
      }
    }
    return false
  }

  /// The chain value in the file after an event of a fragment.
  private func chain(of fragment: SalvageFragment, after sequence: UInt64) throws(JournalError) -> UInt32? {
    if sequence == fragment.last { return fragment.chainAfter }
    return try chains(of: fragment, at: [sequence], inHistory: false).first
  }
}
