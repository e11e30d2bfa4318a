import Journal

/// A program that uses a journal: steps, one after the other.
package struct Workload: Sendable {
  package enum Step: Hashable, Sendable {
    /// Appends one batch with payloads of these lengths.
    case append([Int])
    /// Appends one batch of one event with these bytes.
    case embed([UInt8])
    case sync
    /// Lets time pass.
    case pass(nanoseconds: UInt64)
    /// Writes a checkpoint of the last event.
    case checkpoint
    /// Writes a checkpoint of the last event, and retires everything that it stands for.
    case retire
    case close
    /// Names a catalogue for the events after the next ``open``, in a journal of a domain.
    case describe(String)
    /// Opens the journal again, after ``close`` or as by another process.
    case open
    /// The process dies at this call from here on, in the middle of whatever follows, and another one opens the journal.
    case death(afterCalls: Int)
  }

  package var name: String
  package var options: JournalOptions
  package var steps: [Step]
  /// The process dies at this call from the start, and another one opens or creates the journal.
  package var deathAtCall: Int?

  package static let path = "j"
  /// The domain of some programs, with a catalogue.
  package static func domain(_ catalog: String = "one catalogue") -> JournalDomain? {
    try? JournalDomain(name: "simulation", catalog: Array(catalog.utf8))
  }

  package static let id = JournalID(bytes: Array(1...16)) ?? .none

  /// Bytes that no other event of any generation has, but for those too short to tell.
  package static func payload(_ sequence: Int, _ length: Int, generation: Int) -> [UInt8] {
    (0..<length).map {
      $0 == 0
        ? UInt8(truncatingIfNeeded: sequence) : UInt8(truncatingIfNeeded: $0 &* 31 &+ sequence &* 17 &+ generation)
    }
  }
}

extension Workload {
  /// What a run left.
  package struct Run: Sendable {
    package var operations: [DiskOperation]
    package var chronicle: Chronicle
    /// What went wrong that should not have.
    package var failures: [String] = []
    /// How many calls it made.
    package var callCount: Int
    /// How many operations there were when the process died that dies at a given call.
    package var deathPosition: Int?
  }

  /// Runs the program and says what it knew when.
  ///
  /// - Parameters:
  ///   - image: the device at the start; a journal on it is opened, and one is created otherwise.
  ///   - events: the events of the journal on it.
  ///   - stranded: those that may be on it besides, by number, after a gap.
  package func run(
    on image: DiskImage = DiskImage(), events: [[UInt8]] = [], stranded: [[UInt8]] = [], generation: Int = 0
  ) -> Run {
    let fileSystem = RecordingFileSystem(image)
    var runner = Runner(
      workload: self, fileSystem: fileSystem, chronicle: Chronicle(events: events, stranded: stranded),
      generation: generation)
    runner.run()
    return Run(
      operations: fileSystem.operations, chronicle: runner.chronicle,
      failures: runner.failures + fileSystem.misuse.map { "\(name): \($0)" },
      callCount: fileSystem.calls.count, deathPosition: runner.deathPosition)
  }

  private struct Runner {
    let workload: Workload
    var options: JournalOptions
    let fileSystem: RecordingFileSystem
    let generation: Int
    var chronicle: Chronicle
    var journal: JournalWriter?
    var failures: [String] = []
    var attempts = 0
    var deathPosition: Int?

    init(workload: Workload, fileSystem: RecordingFileSystem, chronicle: Chronicle, generation: Int) {
      self.workload = workload
      options = workload.options
      self.fileSystem = fileSystem
      self.generation = generation
      self.chronicle = chronicle
    }

    mutating func run() {
      if let call = workload.deathAtCall { fileSystem.setPlan(FaultPlan(at: call, .death)) }
      attempt("open") { (runner) throws(JournalError) in try runner.open() }
      if fileSystem.isDead { restart() }
      for step in workload.steps {
        attempt("\(step)") { (runner) throws(JournalError) in try runner.take(step) }
        if fileSystem.isDead { restart() }
        noteDurable()
      }
      journal = nil
    }

    private mutating func attempt(
      _ what: @autoclosure () -> String, _ body: (inout Runner) throws(JournalError) -> Void
    ) {
      do throws(JournalError) {
        try body(&self)
      } catch {
        if !fileSystem.isDead { failures.append("\(workload.name): \(what()) failed: \(error)") }
      }
    }

    private mutating func noteDurable() {
      guard let journal else { return }
      chronicle.note(fileSystem) { $0.promised = max($0.promised, Int(journal.durableSequence)) }
    }

    mutating func open() throws(JournalError) {
      journal = nil
      do throws(JournalError) {
        journal = try JournalWriter.open(at: Workload.path, options: options, fileSystem: fileSystem)
      } catch {
        guard error.code == .notAJournal else { throw error }
        journal = try JournalWriter.create(
          at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: fileSystem)
      }
      let last = Int(journal?.lastSequence ?? 0)
      if last < chronicle.now.promised || last > chronicle.now.events.count {
        failures.append("\(workload.name): \(last) events after opening, \(chronicle.now.promised) were promised")
      }
      // What opening shows is promised from then on, and what it does not show never comes back.
      chronicle.note(fileSystem) { moment in
        moment.events = Array(moment.events.prefix(last))
        moment.promised = last
        moment.isClosed = false
      }
    }

    private mutating func take(_ step: Step) throws(JournalError) {
      switch step {
      case .append(let lengths): try append(payloads(lengths))
      case .embed(let bytes): try append([bytes])
      case .sync: try journal?.sync()
      case .pass(let nanoseconds): fileSystem.advance(nanoseconds: nanoseconds)
      case .checkpoint, .retire:
        if let journal, journal.lastSequence > 0 {
          let body = Workload.payload(Int(journal.lastSequence), 40, generation: generation)
          let checkpoint = try journal.writeCheckpoint(sequence: journal.lastSequence, body: body)
          if step == .retire { try journal.retire(before: .max, after: checkpoint) }
        }
      case .close:
        chronicle.note(fileSystem) { $0.isClosed = true }
        try journal?.close()
        chronicle.note(fileSystem) { $0.promised = $0.events.count }
      case .describe(let catalog): if options.domain != nil { options.domain = Workload.domain(catalog) }
      case .open: try open()
      case .death(let calls):
        fileSystem.setPlan(FaultPlan(at: fileSystem.calls.count + 1 + calls, .death))
      }
    }

    private mutating func payloads(_ lengths: [Int]) -> [[UInt8]] {
      attempts += 1
      let first = chronicle.now.events.count + 1
      return lengths.enumerated().map { index, length in
        Workload.payload(first + index, length, generation: generation &+ attempts &* 7)
      }
    }

    private mutating func append(_ payloads: [[UInt8]]) throws(JournalError) {
      guard let journal else { return }
      var batch = JournalBatch()
      let before = chronicle.now.events.count
      for payload in payloads { try batch.append(payload: payload, label: Int64(attempts)) }
      chronicle.note(fileSystem) { $0.events += payloads }
      let range = try journal.append(&batch)
      if range != UInt64(before + 1)...UInt64(before + payloads.count) {
        failures.append("\(workload.name): events \(range) where \(before + 1) should begin")
      }
      switch workload.options.syncPolicy {
      case .everyCommit, .group: chronicle.note(fileSystem) { $0.promised = Int(range.upperBound) }
      case .interval, .none: break
      }
    }

    private mutating func restart() {
      journal = nil
      deathPosition = deathPosition ?? fileSystem.position
      fileSystem.revive()
      attempt("open after death") { (runner) throws(JournalError) in try runner.open() }
    }
  }
}
