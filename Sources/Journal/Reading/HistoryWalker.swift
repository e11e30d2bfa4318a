/// Reads a journal's segments one after the other, determines what holes mean, and reports the contents in order.
///
/// Every reader of frames uses it: cursors, verification, and recovery before writing.
final class HistoryWalker {
  typealias Run = SegmentScanner.Run

  enum Step {
    /// A segment begins.
    indirect case segment(SegmentEntry)
    /// Events that verify; `isWhole` is false for what is left of a damaged batch. Marks may stand between them.
    case events(Run, isWhole: Bool)
    /// A frame that is not an event.
    case record(SegmentScanner.Record)
    indirect case finding(Finding)
    /// The end, for now: asking again looks again, unless the walk stopped at damage.
    case end
  }

  let directory: JournalDirectory
  var catalog: JournalCatalog
  /// Whether to continue behind damage.
  let beyondDamage: Bool
  /// Whether to verify whole blocks by their anchors and return them as one run, instead of batch by batch.
  let readsBlocks: Bool

  private(set) var index: Int
  private(set) var scanner: SegmentScanner?
  private var file: OpenFile?
  /// Steps that were found but not returned yet, the next one last.
  private var pending: [Step] = []
  /// Set when damage ends the walk for good.
  private(set) var isStopped = false
  /// The last event before the current place, and the chain value after it when it is known.
  private(set) var reached: (sequence: UInt64, chain: UInt32?)?
  /// Set when the current segment ends once the pending steps are returned; true when what is missing up to the next
  /// one was reported.
  private var departure: Bool?
  /// Set behind a footer and its trailer, where the current segment ends for good.
  var sealedEnd: UInt64?
  /// Whether that trailer verified, so that no writer can have added anything behind it.
  var hasTrailer = false
  /// The footer that ends the current segment, until its trailer is found or reported.
  var bareFooter: SegmentScanner.Record?
  var proof: DurabilityProof?
  /// The end of the last segment when findings about it were returned, so that they are returned once.
  var reportedEnd: UInt64?
  /// The end of a closed journal when what lies behind it was reported.
  var reportedClosedEnd: UInt64?
  /// Whether a writer may be active, so that an unfinished write is given time to finish.
  var mayHaveWriter = true
  /// The length of the segment when a hole in it was last given time to be filled.
  var awaitedLength: UInt64?
  /// Whether the current segment continues where the last one was left, so that its header's totals can be compared.
  var continuesHistory = false
  /// The number of the missing segment that would say whether what stands at the end of the current one belongs to
  /// the history; `nil` where that is known.
  private(set) var missingOrdinal: UInt64?
  /// When the names in the directory were last listed.
  private var names = NamesWatch()
  /// Whether they were listed at the current end: a reader that looks again is following the journal.
  private var hasListed = false

  init(
    _ directory: JournalDirectory, _ catalog: JournalCatalog, from index: Int = 0, beyondDamage: Bool,
    readsBlocks: Bool = true
  ) {
    self.directory = directory
    self.catalog = catalog
    self.index = index
    self.beyondDamage = beyondDamage
    self.readsBlocks = readsBlocks
  }

  deinit {
    if let file { directory.fileSystem.close(file) }
  }

  var entry: SegmentEntry { catalog.segments[index] }
  var nextEntry: SegmentEntry? { index + 1 < catalog.segments.count ? catalog.segments[index + 1] : nil }
  var isLast: Bool { index + 1 >= catalog.segments.count }
  /// The segment that was begun when this one was left; `nil` where it is missing.
  var successor: SegmentEntry? {
    nextEntry.flatMap { $0.header.ordinal == entry.header.ordinal &+ 1 ? $0 : nil }
  }
  /// What the next header says about the end of the current segment. A header with another ordinal than the next is
  /// about a missing segment, and one that does not verify says nothing.
  var statement: SegmentHeader.Predecessor? {
    successor.flatMap { $0.headerFault == nil ? $0.header.predecessor : nil }
  }

  /// The offset behind the last byte that belongs to the history in the current segment.
  var validEnd: UInt64 { max(scanner?.offset ?? 0, sealedEnd ?? 0) }
  /// The last event reached, and the chain after it.
  var lastSequence: UInt64 { scanner?.sequence ?? reached?.sequence ?? 0 }
  var lastChain: UInt32 { scanner?.chain ?? reached?.chain ?? 0 }

  /// Whether a finding has not been returned yet.
  var hasPending: Bool { !pending.isEmpty }

  /// Returns the next step.
  func next() throws(JournalError) -> Step {
    while true {
      if let step = pending.popLast() { return step }
      if isStopped { return .end }
      if let gap = departure {
        departure = nil
        leave(reportedGap: gap)
      }
      guard let scanner else {
        guard index < catalog.segments.count else {
          if try hasBegun() { continue }
          return try endWithoutSegment()
        }
        try enter()
        continue
      }
      if sealedEnd != nil {
        if try finishSegment(scanner) { return .end }
        continue
      }
      let place = scanner.place
      do throws(JournalError) {
        if let step = try step(scanner) { return step }
      } catch {
        // A retry must find what this call would have found.
        if self.scanner === scanner {
          scanner.place = place
          (sealedEnd, hasTrailer, bareFooter) = (nil, false, nil)
        }
        throw error
      }
    }
  }

  /// What stands at the scanner's place; `nil` when it was judged and its findings are pending.
  private func step(_ scanner: SegmentScanner) throws(JournalError) -> Step? {
    if readsBlocks, let block = scanner.nextBlock() { return .events(block, isWhole: true) }
    switch try scanner.next() {
    case .batch(let run): return .events(run, isWhole: true)
    case .record(let record):
      if record.type == .footer { try seal(scanner, record) }
      if record.type.rawValue > FrameType.footer.rawValue && !record.type.isIgnorable {
        throw JournalError.unsupported(record.type.name, file: entry.file, offset: record.offset)
      }
      return .record(record)
    case .end: return try finishSegment(scanner) ? .end : nil
    case .hole(let hole):
      if isLast, try isPutBack(scanner, window(on: scanner)) {
        try refresh(scanner)
        return nil
      }
      return try explain(hole, scanner) ? .end : nil
    }
  }

  /// The bytes of a run, valid until the next step.
  func bytes(of run: Run) throws(JournalError) -> UnsafeRawBufferPointer {
    let count = Int(run.end - run.start)
    guard let address = try scanner?.window.bytes(at: run.start, count, keeping: run.start) else {
      throw JournalError(
        .inputOutput, "the file became shorter while it was read", remedy: "read it again", file: entry.file,
        offset: run.start)
    }
    return UnsafeRawBufferPointer(start: address, count: count)
  }

  /// The payload of a bookkeeping frame.
  func payload(of record: SegmentScanner.Record) throws(JournalError) -> [UInt8] {
    try scanner?.window.copy(at: record.offset + UInt64(Format.frameHeaderSize), record.payloadLength) ?? []
  }

  /// Returns a step before any other.
  func push(_ step: Step) {
    pending.insert(step, at: 0)
  }

  /// Ends the walk here for good, once the pending steps are returned.
  func stop() {
    isStopped = true
  }

  // MARK: - Between segments

  private func enter() throws(JournalError) {
    let entry = entry
    try checkRetirement()
    let opened = try openCurrent()
    if let file { directory.fileSystem.close(file) }
    file = opened
    let size = try directory.size(of: opened, entry.file)
    proof = nil
    sealedEnd = nil
    hasTrailer = false
    bareFooter = nil
    awaitedLength = nil
    try checkRepeated(entry)
    push(.segment(entry))
    noteHeader(entry)
    noteContinuity(entry)
    let window = FileWindow(fileSystem: directory.fileSystem, file: opened, name: entry.file)
    var chain = entry.header.chainIn
    if !entry.knowsChain, let known = reached?.chain { chain = known }
    let extent = try catalog.extent(of: index, directory, opened)
    missingOrdinal = extent.missing
    scanner = SegmentScanner(
      window: window, seed: entry.header.seed, limit: min(size, statement?.validLength ?? size),
      offset: UInt64(entry.header.size),
      sequence: entry.header.firstSequence - 1, chain: chain, lastAllowed: extent.lastSequence)
  }

  /// Opens the first segment, so that the walk can start inside it.
  func begin() throws(JournalError) {
    if scanner == nil, index < catalog.segments.count { try enter() }
  }

  /// Continues in the current segment from a place that an index knows.
  func seek(to offset: UInt64, sequence: UInt64, chain: UInt32, isBlock: Bool) {
    scanner?.resume(at: offset, sequence: sequence, chain: chain)
    scanner?.isAtBlock = isBlock
  }

  /// Continues in another file of the current segment, at the same place.
  func goOn(in current: OpenFile) {
    if let file { directory.fileSystem.close(file) }
    file = current
    scanner?.window.file = current
  }

  /// Goes back before a block that was the last step, to read it batch by batch.
  func divide(_ block: Run) {
    scanner?.resume(at: block.start, sequence: block.firstSequence - 1, chain: block.chainBefore)
  }

  /// Goes back before a run that was the last step, to read it from the file again.
  func readAgain(_ run: Run) {
    divide(run)
    forgetBytes()
  }

  /// Reads everything that was not returned yet from the file again.
  func forgetBytes() {
    scanner?.window.invalidate()
  }

  /// Leaves the current segment once everything about it was returned. `gap` says that what is missing up to the next
  /// one was reported.
  func leaveLater(reportedGap gap: Bool = false) {
    departure = gap
  }

  /// Leaves the current segment, whose rest cannot be read; `false` when it is the last one.
  func leaveUnread() -> Bool {
    pending = []
    departure = nil
    guard nextEntry != nil else {
      stop()
      return false
    }
    leave(reportedGap: true)
    return true
  }

  private func leave(reportedGap gap: Bool) {
    if gap, let next = nextEntry {
      reached = (next.header.firstSequence - 1, nil)
    } else if let scanner {
      reached = (scanner.sequence, scanner.chain)
    }
    scanner = nil
    index += 1
  }

  // MARK: - The end

  /// Judges the end of the current segment; `true` when nothing lies behind it yet.
  private func finishSegment(_ scanner: SegmentScanner) throws(JournalError) -> Bool {
    if isLast {
      try refresh(scanner)
      if isLast, try isPutBack(scanner, scanner.window) { return false }
      // More was written meanwhile: judge it as data, not as an end.
      if sealedEnd == nil, scanner.limit > scanner.offset {
        // What a segment holds that was left is final, and is read again up to what the next one states.
        guard isLast, try scanner.isEnd(scanner.offset) else { return false }
      }
      try takeTrailer(scanner)
    }
    if isLast {
      try judgeEnd(scanner)
      return pending.isEmpty
    }
    try judgeSegmentEnd(scanner)
    return false
  }

  /// Checks again how long the last segment is, and whether another one follows it.
  ///
  /// An error leaves both unchanged: a successor whose predecessor was not checked again would miss its end.
  func refresh(_ scanner: SegmentScanner) throws(JournalError) {
    // The list before the size: what the next segment says was valid is then never more than what is looked at.
    let look = try names.listing(at: directory) { () throws(JournalError) -> (JournalCatalog, UInt64) in
      (try listAgain(scanner), try currentSize(scanner))
    }
    let size: UInt64
    if let (listed, sizeThen) = look {
      size = sizeThen
      let known = Set(catalog.repeated.map(\.name))
      catalog = listed
      for finding in listed.findingsOfRepeated(besides: known) { push(.finding(finding)) }
    } else {
      size = try currentSize(scanner)
    }
    scanner.limit = min(size, statement?.validLength ?? size)
    scanner.window.invalidate()
    proof = nil
  }

  private func currentSize(_ scanner: SegmentScanner) throws(JournalError) -> UInt64 {
    try directory.size(of: scanner.window.file, entry.file)
  }

  /// The contents of the directory, with the segments that this walk has passed at their places.
  private func listAgain(_ scanner: SegmentScanner) throws(JournalError) -> JournalCatalog {
    var listed = catalog
    try listed.readSegments(directory)
    if hasListed { try followName(listed: listed) }
    hasListed = true
    // Segments that were retired, removed or restored meanwhile do not move those that this walk has passed.
    listed.continueSegments(catalog.segments)
    let header = UInt64(entry.header.size)
    if scanner.offset == header, try currentSize(scanner) <= header {
      // A writer whose directory could not be synced installs the segment that it begins once more: until something
      // is written to it, the name may lead to another file.
      goOn(in: try openCurrent())
    }
    return listed
  }

  private func judgeEnd(_ scanner: SegmentScanner) throws(JournalError) {
    guard reportedEnd != validEnd else { return }
    var finding = try missingTail(scanner)
    // Without a footer everything up to the limit was looked at, and what is behind it came later.
    if finding == nil, sealedEnd != nil { finding = try remains(scanner, declared: true) }
    reportedEnd = validEnd
    guard let finding else { return }
    push(.finding(finding))
    if finding.isDamage && !beyondDamage { stop() }
  }

  private func judgeSegmentEnd(_ scanner: SegmentScanner) throws(JournalError) {
    let missing = missingEnd(scanner)
    let isGivenUp = statement?.end == .damaged
    let rest = missing == nil || isGivenUp ? try remains(scanner, declared: true) : nil
    let isGap = missing.map { $0.verdict != .indexDamaged } ?? false
    if let missing { push(.finding(missing)) }
    if isGap && !beyondDamage {
      stop()
    } else if let rest {
      push(.finding(rest))
    }
    leaveLater(reportedGap: isGap)
  }
}
