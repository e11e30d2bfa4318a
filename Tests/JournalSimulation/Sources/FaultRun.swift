import Journal

/// One run of a program while calls fail: what it appended, what it was told, and what must be there afterwards.
struct FaultRun {
  let workload: Workload
  let plan: FaultPlan
  let fileSystem = RecordingFileSystem()
  private var journal: JournalWriter?

  /// Events in the history, or acknowledged to be.
  private(set) var events: [[UInt8]] = []
  /// Events of which an error said that it is unknown whether they are in the history, after the others.
  private(set) var uncertain: [[UInt8]] = []
  /// How many of the events were durable, by what the journal said.
  private(set) var promised = 0
  /// Set when the device failed so that events which were not durable may be lost although it goes on.
  private(set) var mayLoseUndurable = false
  /// The codes of the errors that steps ended with.
  private(set) var errors: [String] = []
  private(set) var failures: [String] = []
  private var attempts = 0
  private var options: JournalOptions

  init(_ workload: Workload, _ plan: FaultPlan) {
    self.workload = workload
    options = workload.options
    self.plan = plan
  }

  mutating func run() {
    fileSystem.setPlan(plan)
    open()
    for step in workload.steps {
      if journal == nil { open() }
      do throws(JournalError) {
        try take(step)
      } catch {
        note(error)
      }
      if let journal { promised = max(promised, Int(journal.durableSequence)) }
    }
    if fileSystem.calls.count < plan.firstCall + plan.count { fileSystem.setPlan(nil) }
    journal = nil
    fileSystem.setPlan(nil)
    failures += fileSystem.misuse
    if fileSystem.openFileCount > 0 { failures.append("\(fileSystem.openFileCount) files were left open") }
    if plan.count == 1, errors.count > 1 { failures.append("one failing call made several steps fail: \(errors)") }
  }

  private mutating func note(_ error: JournalError) {
    errors.append("\(error.code)")
    switch error.code {
    case .noSpace, .inputOutput: break
    case .poisoned:
      // What to do about it is in the message: open the journal again.
      mayLoseUndurable = true
      journal = nil
      open()
    default: failures.append("\(error.code): \(error)")
    }
  }

  private mutating func open() {
    journal = nil
    for _ in 0..<2 where journal == nil {
      do throws(JournalError) {
        journal = try openOrCreate()
      } catch {
        if ![JournalError.Code.noSpace, .inputOutput].contains(error.code) {
          failures.append("opening fails with \(error.code): \(error)")
        }
        errors.append("\(error.code)")
        // Where more than one call fails, writing again what a failed sync left may fail too.
        if plan.count > 1 { mayLoseUndurable = true }
      }
    }
    guard let journal else { return }
    let last = Int(journal.lastSequence)
    let least = mayLoseUndurable ? promised : events.count
    if last < least || last > events.count + uncertain.count {
      failures.append("after opening there are \(last) events, of \(least)...\(events.count + uncertain.count)")
    }
    events = Array((events + uncertain).prefix(last))
    uncertain = []
    mayLoseUndurable = false
    promised = max(promised, last)
  }

  private func openOrCreate() throws(JournalError) -> JournalWriter {
    do throws(JournalError) {
      return try JournalWriter.open(at: Workload.path, options: options, fileSystem: fileSystem)
    } catch {
      guard error.code == .notAJournal else { throw error }
      return try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: fileSystem)
    }
  }

  private mutating func take(_ step: Workload.Step) throws(JournalError) {
    if step == .open { return open() }
    if case .describe(let catalog) = step { options.domain = options.domain.flatMap { _ in Workload.domain(catalog) } }
    guard let journal else { return }
    switch step {
    case .append(let lengths): try append(lengths, to: journal)
    case .embed(let bytes): try append([bytes.count], to: journal)
    case .sync:
      try journal.sync()
      promised = events.count
    case .pass(let nanoseconds): fileSystem.advance(nanoseconds: nanoseconds)
    case .checkpoint, .retire:
      guard journal.lastSequence > 0 else { return }
      let checkpoint = try journal.writeCheckpoint(sequence: journal.lastSequence, body: [1, 2, 3])
      if step == .retire { try journal.retire(before: .max, after: checkpoint) }
    case .close:
      self.journal = nil
      try journal.close()
      promised = events.count
    case .open, .describe, .death: break
    }
  }

  private mutating func append(_ lengths: [Int], to journal: JournalWriter) throws(JournalError) {
    attempts += 1
    var batch = JournalBatch()
    var payloads: [[UInt8]] = []
    for length in lengths {
      let payload = Workload.payload(events.count + payloads.count + 1, length + 2, generation: attempts &* 7)
      try batch.append(payload: payload, label: 1)
      payloads.append(payload)
    }
    do throws(JournalError) {
      let range = try journal.append(&batch)
      if range.lowerBound != UInt64(events.count + 1) { failures.append("events \(range) after \(events.count)") }
      events += payloads
      switch workload.options.syncPolicy {
      case .everyCommit, .group: promised = events.count
      case .interval, .none: break
      }
    } catch {
      let kept = batch.count
      if kept != payloads.count { failures.append("a batch that was not appended lost its events") }
      if error.code == .poisoned {
        uncertain = payloads
      } else if journal.lastSequence != UInt64(events.count) {
        failures.append("\(error.code), and yet the journal ends with event \(journal.lastSequence)")
      }
      throw error
    }
  }
}
