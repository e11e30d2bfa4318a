/// Finds a journal's chain value after any event with a few small reads: from segment headers, from the index in
/// footers, and from single frames.
///
/// Every answer comes from verified bytes: a header and a footer by their checksums, a frame by its check, which covers
/// its place, its number and the chain before and after it. Nothing in between is read. Where a part does not verify,
/// the index gives no answer, and the events have to be read in order.
final class ChainIndex {
  private let directory: JournalDirectory
  /// One name for each first sequence, in order; the last of several, because the ones before it hold no events.
  private let names: [SegmentName]
  private var segments: [Int: IndexedSegment?] = [:]

  init(_ directory: JournalDirectory) throws(JournalError) {
    self.directory = directory
    let listed: [String]
    do {
      listed = try directory.fileSystem.list(directory.path)
    } catch {
      // Its error says what is wrong with the directory.
      listed = try directory.names()
    }
    var names: [SegmentName] = []
    for name in JournalCatalog.segmentNames(listed) {
      if names.last?.firstSequence == name.firstSequence { names.removeLast() }
      names.append(name)
    }
    self.names = names
  }

  /// The position before the first event; `nil` without segments.
  var start: UInt64? { names.first.map { $0.firstSequence - 1 } }

  /// The positions, strictly within `low` and `high`, at which segments begin.
  func boundaries(between low: UInt64, and high: UInt64) -> [UInt64] {
    names.map { $0.firstSequence - 1 }.filter { $0 > low && $0 < high }
  }

  /// The position before the last segment's first event.
  var lastBoundary: UInt64? { names.last.map { $0.firstSequence - 1 } }

  /// The positions, strictly within `low` and `high` in one segment, at which its blocks begin.
  func blocks(between low: UInt64, and high: UInt64) throws(JournalError) -> [UInt64] {
    guard let segment = try segment(of: low) else { return [] }
    return try segment.places().map(\.sequence).filter { $0 > low && $0 < high }
  }

  /// The chain value after an event; `nil` where the index does not hold it.
  func chain(after sequence: UInt64) throws(JournalError) -> UInt32? {
    try segment(of: sequence)?.chain(after: sequence)
  }

  /// The chain values that frames state after the events from `low` on, in order, up to at most the one before
  /// `high`. The frames are not checked: compare what they state with ``chain(after:)`` before relying on it.
  func statedChains(from low: UInt64, before high: UInt64) throws(JournalError) -> [UInt32] {
    var chains: [UInt32] = []
    var position = low
    while position < high, let index = place(of: position), let segment = try segment(index) {
      let end = index + 1 < names.count ? min(high, names[index + 1].firstSequence - 1) : high
      let part = try segment.statedChains(from: position, before: end)
      chains += part
      position += UInt64(part.count)
      if part.isEmpty || position < end { break }
    }
    return chains
  }

  /// The last segment that begins at or before a position.
  private func place(of sequence: UInt64) -> Int? {
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle].firstSequence - 1 <= sequence { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  private func segment(of sequence: UInt64) throws(JournalError) -> IndexedSegment? {
    guard let index = place(of: sequence) else { return nil }
    return try segment(index)
  }

  private func segment(_ index: Int) throws(JournalError) -> IndexedSegment? {
    if let known = segments[index] { return known }
    let segment: IndexedSegment?
    do throws(JournalError) {
      segment = try IndexedSegment(names[index], in: directory)
    } catch {
      guard error.isOfOtherKind else { throw error }
      segment = nil
    }
    segments[index] = .some(segment)
    return segment
  }
}
