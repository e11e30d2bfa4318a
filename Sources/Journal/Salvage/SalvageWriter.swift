/// Copies the events of a route into a new journal.
final class SalvageWriter {
  private let salvage: Salvage
  private let options: JournalOptions
  private var catalogs: SalvageCatalogs
  /// The segment of the next events, whose catalogue is not looked up yet.
  private var nextTrace: Int?
  private var batch = JournalBatch()
  /// The event before the batch.
  private var lastAppended: UInt64 = 0
  /// The new journal's directory.
  private var path = ""

  init(_ salvage: Salvage, _ options: JournalOptions, _ catalogs: SalvageCatalogs) {
    self.salvage = salvage
    self.catalogs = catalogs
    // Reports no event before all are durable.
    var options = options
    options.syncPolicy = .none
    options.domain = catalogs.journalDomain
    self.options = options
  }

  /// Writes the journal and closes it; on failure only its directory is left, as far as files can be removed.
  ///
  /// - Parameters:
  ///   - isRetired: Whether the events before the first one were retired.
  ///   - claimedEnd: The last event that anything claims was durable. Where that is not before the route's end, a batch
  ///     that is incomplete there was complete once, and its missing events are marked as lost.
  ///   - room: How many events may be marked after the route's end; if there would be more, none is.
  func write(
    _ ways: [SalvageRoute.Way], to path: String, _ report: inout SalvageReport, isRetired: Bool, claimedEnd: UInt64,
    room: UInt64
  ) throws(JournalError) {
    let target = SalvageTarget(
      directory: JournalDirectory(path: path, fileSystem: salvage.fileSystem), identity: report.identity)
    guard !salvage.isSearched(path) else {
      throw JournalError(
        .outOfRange, "it lies inside a directory that is salvaged from", remedy: "name one outside of it", file: path)
    }
    try target.check()
    let journal: JournalWriter
    do throws(JournalError) {
      journal = try located(path) { () throws(JournalError) in
        try JournalWriter.create(at: path, target.unfinishedIdentity, options: options, fileSystem: salvage.fileSystem)
      }
    } catch {
      // Anything that prevents its creation belongs to another process, and is left alone.
      guard error.code != .alreadyExists, error.code != .locked else { throw error }
      target.clearBeginning()
      throw target.explained(error)
    }
    self.path = path
    do throws(JournalError) {
      try copy(ways, into: journal, &report, isEndProven: claimedEnd >= ways.last?.to.sequence ?? .max)
      if claimedEnd > lastAppended, claimedEnd - lastAppended <= room { try markLost(upTo: claimedEnd, journal) }
      let checkpoint = try copyCheckpoints(ways, into: journal, &report)
      try located(path) { () throws(JournalError) in
        try journal.close()
        if isRetired, let checkpoint, let start = ways.first?.from {
          try target.writeRetirement(before: start, checkpoint)
        }
        try target.finish()
      }
    } catch {
      // No other process writes it while it is open here; closing lets others in, even where closing fails.
      withExtendedLifetime(journal) {
        if journal.core.withLock({ $0.isClosed }) { target.clearBeginning() } else { target.clear() }
      }
      throw target.explained(error)
    }
  }

  private func copy(
    _ ways: [SalvageRoute.Way], into journal: JournalWriter, _ report: inout SalvageReport, isEndProven: Bool
  ) throws(JournalError) {
    var open: (fragment: Int, file: OpenFile)?
    defer { if let open { salvage.fileSystem.close(open.file) } }
    lastAppended = (ways.first?.from.sequence ?? 1)
    for way in ways {
      if way.from.sequence > lastAppended + UInt64(batch.count) { try markLost(upTo: way.from.sequence, journal) }
      let fragment = salvage.fragments[way.fragment]
      let path = salvage.files[fragment.file].path
      if let last = open, salvage.fragments[last.fragment].file != fragment.file {
        salvage.fileSystem.close(last.file)
        open = nil
      }
      if open == nil {
        do throws(FileSystemError) {
          open = (way.fragment, try salvage.fileSystem.open(path, .read))
        } catch {
          throw JournalError.system(error, file: path)
        }
      }
      guard let file = open?.file else { continue }
      let window = FileWindow(fileSystem: salvage.fileSystem, file: file, name: path)
      try copy(way, FragmentCursor(fragment, at: way.from.sequence + 1, window), journal)
    }
    let unfinished = UInt64(batch.count)
    // A batch that continues past the route was complete, whatever became of the rest of it.
    let goesOn = ways.last.map { salvage.fragments[$0.fragment].last > $0.to.sequence } ?? false
    if isEndProven || goesOn {
      try append(journal)
    } else if unfinished > 0, let way = ways.last {
      let fragment = salvage.fragments[way.fragment]
      report.aside.append(
        ExcludedEvents(
          events: (lastAppended + 1)...(lastAppended + unfinished), file: salvage.files[fragment.file].path,
          byteRange: fragment.start..<fragment.end, reason: .unfinishedBatch))
    }
    report.lastChain = journal.lastChain
    guard journal.lastSequence >= report.events.lowerBound else {
      throw JournalError(
        .notAJournal, "the only events that were found are those of a batch that was never completed",
        remedy: "add other copies of the files")
    }
    report.events = report.events.lowerBound...journal.lastSequence
    for way in ways where way.from.sequence < journal.lastSequence {
      report.salvagedCount += min(way.to.sequence, journal.lastSequence) - way.from.sequence
    }
  }

  private func copy(
    _ way: SalvageRoute.Way, _ cursor: consuming FragmentCursor, _ journal: JournalWriter
  ) throws(JournalError) {
    nextTrace = salvage.fragments[way.fragment].trace
    while let event = try cursor.next(), event.sequence <= way.to.sequence {
      // A batch lies in one segment, and so has one catalogue.
      if batch.isEmpty, let trace = nextTrace {
        journal.describe(by: catalogs.catalog(of: trace))
        nextTrace = nil
      }
      guard event.sequence > way.from.sequence else { continue }
      do throws(JournalError) {
        try batch.append(payload: event.payload, label: 0)
      } catch {
        // Only a batch that no writer wrote is too large.
        guard error.code == .tooLarge, !batch.isEmpty else { throw error }
        try append(journal)
        try batch.append(payload: event.payload, label: 0)
      }
      if event.isLastOfBatch { try append(journal) }
    }
  }

  /// Divides the current batch, and replaces lost events by events without a payload.
  private func markLost(upTo end: UInt64, _ journal: JournalWriter) throws(JournalError) {
    try append(journal)
    while lastAppended < end {
      for _ in 0..<min(end - lastAppended, UInt64(Format.maximumBatchEvents)) {
        try batch.append(payload: [], label: 0)
      }
      try append(journal)
    }
  }

  private func append(_ journal: JournalWriter) throws(JournalError) {
    guard !batch.isEmpty else { return }
    batch.forgetLabels()
    lastAppended = try located(path) { () throws(JournalError) in try journal.append(&batch).upperBound }
  }

  /// Runs an operation on the new journal; an error names its file with the directory, because the source files have
  /// the same names.
  @discardableResult
  private func located<Result>(
    _ path: String, _ body: () throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    do throws(JournalError) {
      return try body()
    } catch {
      var error = error
      if let file = error.file, file != path { error.file = path + "/" + file }
      throw error
    }
  }

  /// Copies the checkpoints of the route where events are missing: nothing else gives the state before the first event, and
  /// after a gap.
  ///
  /// - Returns: The first one, if no gap lies before it.
  private func copyCheckpoints(
    _ ways: [SalvageRoute.Way], into journal: JournalWriter, _ report: inout SalvageReport
  ) throws(JournalError) -> Checkpoint? {
    let first = report.events.lowerBound
    let firstGap = zip(ways, ways.dropFirst()).first { $0.to.sequence != $1.from.sequence }?.0.to.sequence
    guard first > 1 || firstGap != nil else { return nil }
    var copied: Checkpoint?
    var places: Set<SalvageRoute.Place> = [SalvageRoute.Place(sequence: first - 1, chain: ways.first?.from.chain ?? 0)]
    let wanted = salvage.checkpoints.filter { checkpoint in
      salvage.source(of: checkpoint.id) == report.source
        && (first > 1 || checkpoint.checkpoint.sequence > firstGap ?? .max)
    }
    for way in ways {
      let inside = Set(wanted.map(\.checkpoint.sequence)).filter { $0 > way.from.sequence && $0 <= way.to.sequence }
      let cuts = inside.sorted()
      for (cut, chain) in zip(cuts, try salvage.chains(of: way, at: cuts)) {
        places.insert(SalvageRoute.Place(sequence: cut, chain: chain))
      }
    }
    for (checkpoint, _, file) in wanted.sorted(by: { $0.checkpoint.sequence < $1.checkpoint.sequence }) {
      let place = SalvageRoute.Place(sequence: checkpoint.sequence, chain: checkpoint.chain)
      guard places.contains(place), checkpoint.sequence <= journal.lastSequence,
        !report.checkpoints.contains(checkpoint.sequence),
        let body = try? salvage.body(of: checkpoint, inFile: file)
      else { continue }
      let written = try located(path) { () throws(JournalError) in
        try journal.writeCheckpoint(sequence: checkpoint.sequence, body: body)
      }
      if checkpoint.sequence <= firstGap ?? .max { copied = copied ?? written }
      report.checkpoints.append(checkpoint.sequence)
    }
    return copied
  }
}
