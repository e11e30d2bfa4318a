import Journal

/// What must hold for a journal after a crash, whatever the crash left.
struct CrashCheck {
  /// What a check saw, for the statistics.
  struct Outcome {
    var failures: [String] = []
    /// The worst verdict: `clean`, `torn`, `unsyncedGap`; or `no journal`.
    var verdict = "clean"
    /// The events that are there.
    var events: [[UInt8]] = []
  }

  let moment: Chronicle.Moment
  /// How the journal is opened again.
  let options: JournalOptions

  func check(_ image: DiskImage) -> Outcome {
    var outcome = Outcome()
    do throws(JournalError) {
      let fileSystem = RecordingFileSystem(image)
      do throws(JournalError) {
        try read(fileSystem, &outcome)
      } catch {
        guard error.code == .notAJournal, moment.promised == 0 else { throw error }
        outcome.verdict = "no journal"
      }
      try goOn(fileSystem, &outcome)
      for misuse in fileSystem.misuse { outcome.failures.append(misuse) }
      if fileSystem.openFileCount > 0 { outcome.failures.append("\(fileSystem.openFileCount) files were left open") }
    } catch {
      outcome.failures.append("\(error.code): \(error)")
    }
    return outcome
  }

  private func read(_ fileSystem: RecordingFileSystem, _ outcome: inout Outcome) throws(JournalError) {
    let reader = try JournalReader(path: Workload.path, fileSystem: fileSystem)
    outcome.events = try events(reader, &outcome)
    let count = outcome.events.count
    if count < moment.promised { outcome.failures.append("\(count) events, and \(moment.promised) were promised") }
    compare(outcome.events, moment.events, &outcome)
    if reader.durableSequence > UInt64(count) {
      outcome.failures.append("\(count) events, and the reader calls \(reader.durableSequence) durable")
    }
    let report = try reader.verify()
    if report.lastVerifiedSequence != UInt64(count) {
      outcome.failures.append("verify says \(report.lastVerifiedSequence), and the cursor served \(count)")
    }
    for finding in report.findings {
      switch finding.verdict {
      case .torn: if outcome.verdict == "clean" { outcome.verdict = "torn" }
      case .unsyncedGap: outcome.verdict = "unsyncedGap"
      case .indexDamaged where isReceiptOfClosed(finding): break
      default: outcome.failures.append("false alarm, \(finding.verdict): \(finding)")
      }
    }
    try readFromTheMiddle(reader, count, &outcome)
    try readBeyond(reader, &outcome)
  }

  /// While a journal is being closed, or opened after that, one of the two receipts says that it is closed. A tear
  /// below the size of a sector in the other one cannot be told from damage then; no event depends on it.
  private func isReceiptOfClosed(_ finding: Finding) -> Bool {
    moment.isClosed && finding.file == "HEAD"
  }

  /// Begins at an event in the middle, where indexes and receipts are used.
  private func readFromTheMiddle(
    _ reader: JournalReader, _ count: Int, _ outcome: inout Outcome
  ) throws(JournalError) {
    let retired = Int(reader.retirement?.firstSequence ?? 1) - 1
    for start in [count / 2, max(count, 1) - 1].map({ max($0, retired) }) {
      var cursor = try reader.cursor(after: UInt64(start))
      var next = start
      while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        if event.sequence != UInt64(next + 1) || next >= count || !event.payload.elementsEqual(outcome.events[next]) {
          outcome.failures.append("after \(start) a cursor serves event \(event.sequence) as number \(next + 1)")
          return
        }
        next += 1
      }
      if next != count { outcome.failures.append("after \(start) a cursor serves \(next - start) events") }
    }
  }

  /// Behind a gap every event must still be one that was appended under its number.
  private func readBeyond(_ reader: JournalReader, _ outcome: inout Outcome) throws(JournalError) {
    var cursor = try reader.cursor(beyondDamage: true)
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      let index = Int(clamping: event.sequence) - 1
      let candidates = [moment.events, moment.stranded].filter { index < $0.count }
      if !candidates.contains(where: { event.payload.elementsEqual($0[index]) }) {
        outcome.failures.append("after a gap event \(event.sequence) was never appended")
        return
      }
    }
  }

  /// The events of a reader: numbered from 1 without gaps. Those that were retired are taken as they were appended.
  private func events(_ reader: JournalReader, _ outcome: inout Outcome) throws(JournalError) -> [[UInt8]] {
    var cursor = try reader.cursor()
    let retired = Int(reader.retirement?.firstSequence ?? 1) - 1
    if retired > moment.events.count { outcome.failures.append("\(retired) events are retired that never were") }
    var events = Array(moment.events.prefix(retired))
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      events.append(Array(event.payload))
      if event.sequence != UInt64(events.count) {
        outcome.failures.append("event \(event.sequence) is served as number \(events.count)")
      }
    }
    return events
  }

  private func compare(_ served: [[UInt8]], _ appended: [[UInt8]], _ outcome: inout Outcome) {
    for (index, event) in served.enumerated() where index >= appended.count || event != appended[index] {
      outcome.failures.append("event \(index + 1) was never appended")
      return
    }
  }

  /// Opens the journal for writing, appends, and reads everything again.
  private func goOn(_ fileSystem: RecordingFileSystem, _ outcome: inout Outcome) throws(JournalError) {
    let journal: JournalWriter
    if outcome.verdict == "no journal" {
      journal = try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: fileSystem)
    } else {
      journal = try JournalWriter.open(at: Workload.path, options: options, fileSystem: fileSystem)
    }
    if journal.lastSequence != UInt64(outcome.events.count) {
      outcome.failures.append("\(outcome.events.count) events, and the writer goes on after \(journal.lastSequence)")
    }
    var expected = outcome.events
    for lengths in [[5], [0, 30]] {
      var batch = JournalBatch()
      for length in lengths {
        let payload = Workload.payload(expected.count + 1, length, generation: 99)
        try batch.append(payload: payload, label: 1)
        expected.append(payload)
      }
      try journal.append(&batch)
    }
    try journal.close()
    let reader = try JournalReader(path: Workload.path, fileSystem: fileSystem)
    let served = try events(reader, &outcome)
    if served != expected { outcome.failures.append("\(served.count) events after going on, not \(expected.count)") }
    let report = try reader.verify()
    let retired = (reader.retirement?.firstSequence ?? 1) - 1
    if report.eventCount + retired != UInt64(expected.count) || report.lastVerifiedSequence != UInt64(expected.count) {
      outcome.failures.append("verify counts \(report.eventCount) events after going on, not \(expected.count)")
    }
    for finding in report.findings {
      guard case .torn = finding.verdict else {
        outcome.failures.append("after going on: \(finding.verdict): \(finding)")
        continue
      }
    }
    if !report.wasClosed { outcome.failures.append("the journal does not count as closed") }
  }
}
