import Journal

/// One random life of a journal, which a seed determines, against ``ExpectedHistory``.
struct JournalSeedRun {
  let seed: UInt64
  private var generator: SeededGenerator
  private var device: SimulatedDevice
  private var journal: Journal?
  private var history = ExpectedHistory<[UInt8]>()
  private var options = JournalOptions()
  private var followers: [Follower] = []
  private var batches = 0
  private(set) var tally = SeedTally()
  private(set) var failure: String?

  init(seed: UInt64, canary: Canary? = nil) {
    self.seed = seed
    generator = SeededGenerator(seed: seed, 11)
    device = SimulatedDevice(canary: canary, forgetsAtFailedSync: generator.oneIn(2))
  }

  mutating func run() {
    reopen(afterPowerCut: false)
    let count = 20 + generator.below(60)
    for _ in 0..<count where failure == nil { step() }
    guard failure == nil else { return }
    // At the end nothing fails any more, and everything must be as it should.
    device.fileSystem.setPlan(nil)
    if device.fileSystem.isDead { restart(afterPowerCut: false) }
    if journal == nil { reopen(afterPowerCut: false) }
    attempt { (run) throws(JournalError) in try run.close() }
    journal = nil
    if failure == nil { verify() }
    follow()
    if let misuse = device.fileSystem.misuse.first { fail(misuse) }
  }

  private mutating func fail(_ what: String) {
    failure = failure ?? "\(what) (step \(tally.steps), of \(history.events.count) events \(history.promised) promised)"
  }

  private mutating func step() {
    if journal == nil { reopen(afterPowerCut: false) }
    tally.steps += 1
    switch generator.below(30) {
    case 0: attempt { (run) throws(JournalError) in try run.sync() }
    case 1, 2: device.fileSystem.advance(nanoseconds: UInt64(generator.below(16)))
    case 3, 4: attempt { (run) throws(JournalError) in try run.checkpoint() }
    case 5: attempt { (run) throws(JournalError) in try run.close() }
    case 6: reopen(afterPowerCut: false)
    case 7, 8: restart(afterPowerCut: true)
    case 9: device.dieSoon(using: &generator)
    case 10, 11: device.failSoon(using: &generator)
    case 12:
      let limit: ReadLimit = generator.oneIn(2) ? .durable : .written
      let start = generator.below((limit == .durable ? history.promised : history.events.count) + 1)
      if followers.count < 3 { followers.append(Follower(after: start, upTo: limit)) }
    case 13, 14, 15: follow()
    case 16: verify()
    default: append()
    }
    if device.fileSystem.isDead { restart(afterPowerCut: generator.oneIn(3)) }
    if let journal {
      let durable = Int(journal.durableSequence)
      if durable > history.events.count { fail("\(durable) events are called durable, of \(history.events.count)") }
      history.promise(durable)
    }
  }

  /// Runs a call that may fail where calls do.
  private mutating func attempt(_ body: (inout JournalSeedRun) throws(JournalError) -> Void) {
    do throws(JournalError) {
      try body(&self)
    } catch {
      guard !device.fileSystem.isDead else { return }
      tally.errors += 1
      switch error.code {
      case .inputOutput, .noSpace: break
      case .poisoned:
        history.loseTrust()
        journal = nil
      default: fail("\(error.code): \(error)")
      }
    }
  }

  private mutating func append() {
    guard let journal else { return }
    batches += 1
    var batch = JournalBatch()
    var payloads: [[UInt8]] = []
    for _ in 0...generator.below(4) {
      let length = generator.below(generator.oneIn(12) ? 1500 : 60)
      let payload = Workload.payload(history.events.count + payloads.count + 1, length, generation: batches &* 7)
      guard (try? batch.append(payload: payload, label: Int64(batches))) != nil else { return }
      payloads.append(payload)
    }
    let isSynced =
      switch options.syncPolicy {
      case .everyCommit, .group: true
      case .interval, .none: false
      }
    let last = history.events.count
    let isStale = generator.oneIn(20) && last > 0
    do throws(JournalError) {
      let range = try journal.append(
        &batch, expecting: isStale ? UInt64(last - 1) : generator.oneIn(2) ? UInt64(last) : nil)
      if isStale { fail("an append succeeds that expects another end") }
      if range != UInt64(last + 1)...UInt64(last + payloads.count) { fail("events \(range) behind \(last)") }
      history.append(payloads)
      if isSynced { history.promise(history.events.count) }
      tally.events += payloads.count
    } catch {
      if error.code == .conflict, isStale { return }
      if device.fileSystem.isDead || error.code == .poisoned {
        history.doubt(payloads)
      } else if journal.lastSequence != UInt64(last) {
        fail("\(error.code), and yet the journal ends with event \(journal.lastSequence) and not \(last)")
      }
      attempt { (_) throws(JournalError) in throw error }
    }
  }

  private mutating func sync() throws(JournalError) {
    guard let journal else { return }
    try journal.sync()
    history.promise(history.events.count)
  }

  private mutating func checkpoint() throws(JournalError) {
    guard let journal, journal.lastSequence > 0 else { return }
    let sequence = generator.oneIn(3) ? UInt64(1 + generator.below(history.events.count)) : journal.lastSequence
    try journal.writeCheckpoint(sequence: sequence, body: Workload.payload(Int(sequence), 40, generation: batches))
    history.promise(Int(sequence))
  }

  private mutating func close() throws(JournalError) {
    guard let open = journal else { return }
    journal = nil
    try open.close()
    history.promise(history.events.count)
  }

  /// The process ended; another one begins, after a power cut or without.
  private mutating func restart(afterPowerCut: Bool) {
    endProcess()
    if afterPowerCut {
      device.cutPower(using: &generator)
      tally.powerCuts += 1
    } else {
      tally.deaths += 1
    }
    reopen(afterPowerCut: afterPowerCut)
  }

  /// Drops everything that is open, as the system does for a process that died.
  private mutating func endProcess() {
    journal = nil
    for follower in followers { follower.stop() }
    if device.fileSystem.isDead { device.fileSystem.revive() }
    device.fileSystem.setPlan(nil)
  }

  private mutating func reopen(afterPowerCut: Bool) {
    journal = nil
    options.syncPolicy =
      [
        .everyCommit, .group(maximumDelayNanoseconds: 1000), .interval(nanoseconds: 10), .none,
      ][generator.below(4)]
    options.segmentSizeLimit = 1 << (10 + UInt64(generator.below(4)))
    options.preallocation = [0, 512, 4096][generator.below(3)]
    for attempt in 0..<3 where journal == nil && failure == nil {
      // The third time nothing fails any more.
      if attempt == 2 { device.fileSystem.setPlan(nil) }
      self.attempt { (run) throws(JournalError) in
        do throws(JournalError) {
          run.journal = try run.openOrCreate()
        } catch {
          run.history.loseTrust()
          throw error
        }
      }
      if device.fileSystem.isDead {
        endProcess()
        tally.deaths += 1
      }
    }
    guard let journal else { return fail("the journal cannot be opened any more") }
    tally.openings += 1
    let hasLost = history.mayMissUndurable
    if let wrong = history.adopt(last: Int(journal.lastSequence), afterPowerCut: afterPowerCut) { fail(wrong) }
    for follower in followers {
      if follower.limit == .durable, follower.position > history.events.count {
        fail("a follower saw event \(follower.position) as durable, and it is gone")
      }
      // Whoever follows what is only written may have seen what the device has lost since.
      if hasLost || follower.position > history.events.count { follower.stop() }
      follower.restart(behind: history.events.count)
    }
  }

  private func openOrCreate() throws(JournalError) -> Journal {
    do throws(JournalError) {
      return try Journal.open(at: Workload.path, options: options, fileSystem: device.fileSystem)
    } catch {
      guard error.code == .notAJournal else { throw error }
      return try Journal.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: device.fileSystem)
    }
  }

  private mutating func follow() {
    for follower in followers where failure == nil {
      attempt { (run) throws(JournalError) in
        let durable = max(run.history.promised, Int(run.journal?.durableSequence ?? 0))
        if let wrong = try follower.read(run.history.events, durable: durable, on: run.device.fileSystem) {
          run.fail(wrong)
        }
      }
    }
  }

  /// Reads everything and compares it.
  private mutating func verify() {
    attempt { (run) throws(JournalError) in
      let reader = try JournalReader(path: Workload.path, fileSystem: run.device.fileSystem)
      for finding in try reader.verify().findings {
        switch finding.verdict {
        case .torn, .ioError: break
        case .indexDamaged where finding.file == "HEAD": break
        default: run.fail("false alarm, \(finding.verdict): \(finding)")
        }
      }
      var cursor = try reader.cursor()
      var count = 0
      while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        guard count < run.history.events.count, event.payload.elementsEqual(run.history.events[count]) else {
          return run.fail("event \(event.sequence) was never appended")
        }
        count += 1
      }
      if count != run.history.events.count { run.fail("\(count) events are read, of \(run.history.events.count)") }
    }
  }
}
