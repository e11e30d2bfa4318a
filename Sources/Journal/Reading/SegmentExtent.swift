/// How far the frames of a segment belong to the history, according to other files.
///
/// The header of the next segment states it. If that is missing, its writer may have given up the bytes at this
/// segment's end: whole batches of a refused write, or of one that a power cut left with a gap before it. What is not
/// proven to belong to the history is then undecided.
struct SegmentExtent: Hashable, Sendable {
  /// Bytes after this offset do not belong to the history.
  var length: UInt64
  /// The last event that may belong to it.
  var lastSequence: UInt64 = .max - 1
  /// The number of the missing segment that would say whether what follows ``lastSequence`` belongs to the history;
  /// `nil` where that is known.
  var missing: UInt64?
}

extension JournalCatalog {
  /// Determines how far a segment belongs to the history.
  ///
  /// - Parameters:
  ///   - index: its place among the segments.
  ///   - file: the segment's file, if it is open.
  func extent(
    of index: Int, _ directory: JournalDirectory, _ file: OpenFile? = nil
  ) throws(JournalError) -> SegmentExtent {
    let entry = segments[index]
    let next = index + 1 < segments.count ? segments[index + 1] : nil
    var extent = SegmentExtent(length: entry.length)
    if let next { extent.lastSequence = max(next.header.firstSequence, 1) - 1 }
    // If neither a header nor a frame says that a file is the next segment, that is a guess from its place. Its name
    // may then be that of a file which never was a segment of this journal.
    let isGuessed = next?.isGuessed ?? false
    guard isGuessed || next?.header.ordinal != entry.header.ordinal &+ 1 else {
      if let next, next.headerFault == nil { extent.length = min(entry.length, next.header.predecessor.validLength) }
      return extent
    }
    let later = next?.header.ordinal ?? max(head?.ordinal ?? 0, lastCheckpointedOrdinal)
    guard later > entry.header.ordinal else { return extent }
    let opened = file == nil ? try directory.open(entry.file) : nil
    defer { if let opened { directory.fileSystem.close(opened) } }
    guard let file = file ?? opened else { return extent }
    let scanner = SegmentScanner(
      FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file), after: entry.header,
      limit: try directory.size(of: file, entry.file))
    // A sealed segment was synced as a whole before the next one was begun.
    if try scanner.footer() != nil { return extent }
    let proven = try provenSequence(in: entry, scanner, next)
    guard isGuessed || proven < extent.lastSequence else { return extent }
    extent.lastSequence = min(proven, extent.lastSequence)
    extent.missing = entry.header.ordinal + 1
    return extent
  }

  /// The highest number that a checkpoint gives the last segment, unless later segments overrule it.
  private var lastCheckpointedOrdinal: UInt64 {
    var highest: UInt64 = 0
    for checkpoint in checkpoints where checkpoint.ordinal > highest {
      if !isOverruled(ordinal: checkpoint.ordinal, sequence: checkpoint.sequence) { highest = checkpoint.ordinal }
    }
    return highest
  }

  /// The last event of a segment that certainly belongs to the history, whatever a missing next segment stated.
  ///
  /// Certain is what was durable in it, and what its writer accepted: the writer never writes a batch after a refused
  /// one. After a hole that proves nothing: the owner may have continued before the hole.
  func provenSequence(
    in entry: SegmentEntry, _ scanner: SegmentScanner, _ next: SegmentEntry?
  ) throws(JournalError) -> UInt64 {
    var proven = entry.header.firstSequence - 1
    var claimed = proven
    for receipt in headFile.slots where receipt.ordinal == entry.header.ordinal {
      claimed = max(claimed, receipt.sequence)
    }
    var places: [UInt64: UInt32] = [:]
    if let head { places[head.sequence] = head.chain }
    for checkpoint in checkpoints {
      if checkpoint.ordinal == entry.header.ordinal { claimed = max(claimed, checkpoint.sequence) }
      places[checkpoint.sequence] = checkpoint.chain
    }
    if let next, next.knowsChain { places[next.header.firstSequence - 1] = next.header.chainIn }
    while true {
      switch try scanner.next() {
      case .batch(let run):
        if run.isDurableBefore { proven = max(proven, run.firstSequence - 1) }
        if run.lastSequence <= claimed || places[run.lastSequence] == run.chainAfter {
          proven = run.lastSequence
        }
      case .record: proven = scanner.sequence
      case .lostCatalog: continue
      case .hole, .end: return proven
      }
    }
  }
}
