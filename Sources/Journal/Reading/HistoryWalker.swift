/// Reads a journal's segments one after another and reports their contents in order.
///
/// Every reader of frames uses it: cursors, verification, and recovery before writing. Three types share the work. The
/// walker knows where it is. A ``HistoryJudge`` determines what holes and ends mean. A ``TailWatcher`` keeps up
/// with a writer, and notices when what was read is changed or taken away.
final class HistoryWalker {
  typealias Run = SegmentScanner.Run
  /// The last event before a place, and the chain value after it when it is known.
  typealias Reached = (sequence: UInt64, chain: UInt32?)

  enum Step {
    /// A segment begins.
    indirect case segment(SegmentEntry)
    /// Events that verify; `isWhole` is false for what is left of a damaged batch. Marks may occur between them.
    case events(Run, isWhole: Bool)
    /// A frame that is not an event.
    case record(SegmentScanner.Record)
    indirect case finding(Finding)
    /// The end, for now: the next call checks again, unless the walk stopped at damage.
    case end
  }

  let directory: JournalDirectory
  /// Whether to verify whole blocks by their anchors and return them as one run, instead of batch by batch.
  private let readsBlocks: Bool
  private var place: SegmentPlace
  /// The segment at that place, once it was entered.
  private var segment: WalkedSegment?
  private var judge: HistoryJudge
  private var follower: TailWatcher
  /// Steps that were found but not returned yet, the next one last.
  private var pending: [Step] = []
  /// Set when damage ends the walk for good.
  private var isStopped = false
  /// Where the walk left the last segment.
  private var reached: Reached?
  /// Set when the current segment ends once the pending steps are returned; true when what is missing up to the next
  /// one was reported.
  private var departure: Bool?

  /// - Parameters:
  ///   - beyondDamage: whether to continue after damage.
  ///   - mayHaveWriter: whether a writer may be active, so that an unfinished write is given time to finish.
  init(
    _ directory: JournalDirectory, _ catalog: JournalCatalog, from index: Int = 0, beyondDamage: Bool,
    readsBlocks: Bool = true, mayHaveWriter: Bool = true
  ) {
    self.directory = directory
    self.readsBlocks = readsBlocks
    place = SegmentPlace(catalog: catalog, index: index)
    judge = HistoryJudge(directory, beyondDamage: beyondDamage)
    follower = TailWatcher(directory, mayHaveWriter: mayHaveWriter)
  }

  // MARK: - Where it is

  var catalog: JournalCatalog { place.catalog }
  var index: Int { place.index }
  var entry: SegmentEntry { place.entry }
  /// The next header's statement about the end of the current segment.
  var statement: SegmentHeader.Predecessor? { place.statement }
  var scanner: SegmentScanner? { segment?.scanner }
  /// Set after a footer and its trailer, where the current segment ends for good.
  var sealedEnd: UInt64? { segment?.sealedEnd }
  /// Whether that trailer verified.
  var hasTrailer: Bool { segment?.hasTrailer ?? false }
  /// Whether the current segment continues where the last one was left.
  var continuesHistory: Bool { segment?.continuesHistory ?? false }
  /// The offset after the last byte that belongs to the history in the current segment.
  var validEnd: UInt64 { segment?.validEnd ?? 0 }
  /// The last event reached, and the chain after it.
  var lastSequence: UInt64 { segment?.scanner.sequence ?? reached?.sequence ?? 0 }
  var lastChain: UInt32 { segment?.scanner.chain ?? reached?.chain ?? 0 }
  /// Whether a finding has not been returned yet.
  var hasPending: Bool { !pending.isEmpty }

  // MARK: - Steps

  /// Returns the next step.
  func next() throws(JournalError) -> Step {
    let step = try walk()
    if Invariants.areChecked { checkInvariants(after: step) }
    return step
  }

  private func walk() throws(JournalError) -> Step {
    while true {
      if let step = pending.popLast() { return step }
      if isStopped { return .end }
      if let gap = departure {
        departure = nil
        leave(reportedGap: gap)
      }
      guard let segment else {
        guard place.isBehindAll else {
          try enter()
          continue
        }
        if try follower.hasBegun(&place) { continue }
        guard let finding = judge.findingWithoutSegment(place.catalog) else { return .end }
        isStopped = true
        return .finding(finding)
      }
      if segment.sealedEnd != nil {
        if try finish(segment) { return .end }
        continue
      }
      let before = segment.scanner.place
      do throws(JournalError) {
        if let step = try step(segment) { return step }
      } catch {
        // A retry must find what this call would have found.
        segment.scanner.place = before
        segment.unseal()
        throw error
      }
    }
  }

  /// What is at the scanner's place; `nil` when it was judged and its findings are pending.
  private func step(_ segment: WalkedSegment) throws(JournalError) -> Step? {
    let scanner = segment.scanner
    if readsBlocks, let block = scanner.nextBlock() { return .events(block, isWhole: true) }
    switch try scanner.next() {
    case .batch(let run): return .events(run, isWhole: true)
    case .record(let record):
      if record.type == .footer {
        segment.seal(with: record)
        if try !segment.readTrailer(), let finding = try judge.missingTrailer(record, segment, place) {
          push(.finding(finding))
        }
      }
      // A later version may say what a catalogue means after other frames.
      let isMisplaced = record.type == .catalog && record.offset != UInt64(entry.header.size)
      if !record.type.isReadable || isMisplaced {
        throw JournalError.unsupported(record.type.name, file: entry.file, offset: record.offset)
      }
      return .record(record)
    case .lostCatalog(let range): return .finding(judge.findingOfLostCatalog(range, entry))
    case .end: return try finish(segment) ? .end : nil
    case .hole(let hole):
      if place.isLast, try follower.putsBack(segment, place, in: segment.freshWindow()) {
        try refresh(segment)
        return nil
      }
      return try explain(hole, segment) ? .end : nil
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

  /// Adds a bookkeeping frame to the block of frames that it belongs to.
  func add(_ record: SegmentScanner.Record, to block: BlockTracker) throws(JournalError) {
    let count = Int(record.end - record.offset)
    guard let bytes = try scanner?.window.bytes(at: record.offset, count, keeping: record.offset) else { return }
    block.add(UnsafeRawBufferPointer(start: bytes, count: count), events: 0)
  }

  private func push(_ step: Step) {
    pending.insert(step, at: 0)
  }

  /// Reports the judge's findings, and moves as its ruling says.
  private func obey(_ ruling: HistoryJudge.Ruling) {
    for step in ruling.steps { push(step) }
    switch ruling.course {
    case .readOn, .rest: break
    case .leave(let reportsGap): departure = reportsGap
    case .stop: isStopped = true
    }
  }

  // MARK: - Holes and ends

  /// Determines what a hole means, reports it, and continues where that is right. Returns whether nothing more is to be
  /// reported for now.
  private func explain(_ hole: SegmentScanner.Hole, _ segment: WalkedSegment) throws(JournalError) -> Bool {
    let question = try judge.question(hole, segment, place)
    if place.isLast {
      if let receipt = question.newReceipt {
        // The journal was closed since: what was read before HEAD said so is read again.
        try refresh(segment)
        place.catalog.replaceReceipt(receipt)
        return false
      }
      // The window may have been filled before a writer came by here, and the proof found after it.
      // What was read before it may have been taken back since it was checked; this is then no hole in the history.
      guard try follower.finds(hole, again: segment),
        try !follower.putsBack(segment, place, in: segment.freshWindow())
      else {
        try refresh(segment)
        return false
      }
      if !question.isProven, try hasGrown(segment) { return false }
    }
    let ruling = try judge.rule(on: question, segment, place)
    obey(ruling)
    return ruling.course == .rest
  }

  /// Judges the end of the current segment; `true` when nothing follows it yet.
  private func finish(_ segment: WalkedSegment) throws(JournalError) -> Bool {
    let scanner = segment.scanner
    if place.isLast {
      try refresh(segment)
      if place.isLast, try follower.putsBack(segment, place, in: scanner.window) { return false }
      // More was written meanwhile: judge it as data, not as an end.
      if segment.sealedEnd == nil, scanner.limit > scanner.offset {
        // The content of a segment that the walk left is final, and is read again up to the end that the next one
        // states.
        guard place.isLast, try scanner.isEnd(scanner.offset) else { return false }
      }
      try segment.readTrailer()
    }
    if place.isLast {
      obey(try judge.judgeEnd(of: segment, place))
      return pending.isEmpty
    }
    obey(try judge.judgeLeftEnd(of: segment, place))
    return false
  }

  /// Checks again how long the last segment is, and whether another one follows it.
  private func refresh(_ segment: WalkedSegment) throws(JournalError) {
    var news: [Finding] = []
    defer { for finding in news { push(.finding(finding)) } }
    try follower.refresh(segment, &place, &news)
  }

  private func hasGrown(_ segment: WalkedSegment) throws(JournalError) -> Bool {
    var news: [Finding] = []
    defer { for finding in news { push(.finding(finding)) } }
    let isReported = judge.hasReported(segment.scanner.offset)
    return try follower.hasGrown(segment, &place, isReported: isReported, &news)
  }

  // MARK: - Between segments

  private func enter() throws(JournalError) {
    let entry = entry
    try follower.checkRetirement(place, after: lastSequence)
    let file = try follower.open(place)
    let size: UInt64
    let extent: SegmentExtent
    do throws(JournalError) {
      size = try directory.size(of: file, entry.file)
      try follower.checkRepeated(place, after: reached)
      extent = try catalog.extent(of: index, directory, file)
    } catch {
      directory.fileSystem.close(file)
      throw error
    }
    push(.segment(entry))
    if let finding = judge.findingOfHeader(entry) { push(.finding(finding)) }
    let isOfOtherDomain = catalog.isOfOtherDomain(entry)
    if isOfOtherDomain { obey(judge.ruleOnOtherDomain(place, after: reached)) }
    let continuity = isOfOtherDomain ? (finding: nil, isProven: false) : judge.continuity(of: place, after: reached)
    if let finding = continuity.finding {
      push(.finding(finding))
      if !judge.beyondDamage { isStopped = true }
    }
    var chain = entry.header.chainIn
    if !entry.knowsChain, let known = reached?.chain { chain = known }
    let scanner = SegmentScanner(
      FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file), after: entry.header,
      limit: place.limit(ofSize: size), chain: chain, lastAllowed: extent.lastSequence)
    segment = WalkedSegment(
      entry, scanner: scanner, missingOrdinal: extent.missing, continuesHistory: continuity.isProven)
  }

  /// Opens the first segment, so that the walk can start inside it.
  func begin() throws(JournalError) {
    if segment == nil, !place.isBehindAll { try enter() }
  }

  /// Continues in the current segment from a place that an index knows.
  func seek(to offset: UInt64, sequence: UInt64, chain: UInt32, isBlock: Bool) {
    scanner?.resume(at: offset, sequence: sequence, chain: chain)
    scanner?.isAtBlock = isBlock
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

  /// Leaves the current segment, whose rest cannot be read; `false` when it is the last one.
  func leaveUnread() -> Bool {
    pending = []
    departure = nil
    guard place.nextEntry != nil else {
      isStopped = true
      return false
    }
    leave(reportedGap: true)
    return true
  }

  /// - Parameter gap: whether what is missing up to the next segment was reported.
  private func leave(reportedGap gap: Bool) {
    if gap, let next = place.nextEntry {
      reached = (next.header.firstSequence - 1, nil)
    } else if let scanner {
      reached = (scanner.sequence, scanner.chain)
    }
    segment = nil
    place.index += 1
  }

  /// - Throws: `conflict` when another journal has taken the place of this one.
  func checkIdentity(isAlone: Bool) throws(JournalError) {
    try follower.checkIdentity(of: catalog, isAlone: isAlone)
  }

  // MARK: - Invariants

  /// Checks what holds between any two steps; see ``Invariants``.
  ///
  /// - The segment that was entered is the one at the walk's place, however the directory has changed since.
  /// - Whole events end at the scanner's place, and so does the reached part.
  /// - Only a segment that was entered can be left.
  private func checkInvariants(after step: Step) {
    invariant(index <= catalog.segments.count, "place \(index) of \(catalog.segments.count) segments")
    invariant(departure == nil || segment != nil, "a segment is to be left that was not entered")
    judge.checkInvariants()
    guard let segment else { return }
    invariant(
      !place.isBehindAll && entry.header.ordinal == segment.header.ordinal,
      "segment \(segment.header.ordinal) is read at place \(index)")
    segment.checkInvariants()
    if case .events(let run, isWhole: true) = step {
      invariant(
        run.end == segment.scanner.offset && run.lastSequence == segment.scanner.sequence,
        "events up to \(run.lastSequence) were returned from a place after event \(segment.scanner.sequence)")
    }
  }
}
