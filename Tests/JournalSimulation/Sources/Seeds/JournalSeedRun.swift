import Journal

/// One random life of a journal, which a seed determines, against ``ExpectedHistory``.
struct JournalSeedRun {
  private var life: SeedLife<[UInt8]>
  private var journal: JournalWriter?
  private var options = JournalOptions()
  private var followers: [Follower] = []
  private var batches = 0

  init(seed: UInt64, canary: Canary? = nil) {
    life = SeedLife(seed: seed, stream: 11, canary: canary)
    // Every other journal is of a domain, whose catalogue changes now and then.
    if seed % 2 == 1 { options.domain = Workload.domain() }
  }

  var tally: SeedTally { life.tally }
  var failure: String? { life.failure }

  mutating func run() {
    reopen(afterPowerCut: false)
    let count = 20 + life.generator.below(60)
    for _ in 0..<count where failure == nil { step() }
    guard failure == nil else { return }
    // At the end nothing fails any more, and everything must be as it should.
    life.fileSystem.setPlan(nil)
    if life.fileSystem.isDead { restart(afterPowerCut: false) }
    if journal == nil { reopen(afterPowerCut: false) }
    attempt { (run) throws(JournalError) in try run.close() }
    journal = nil
    if failure == nil { verify() }
    follow()
    if let misuse = life.fileSystem.misuse.first { life.fail(misuse) }
  }

  private mutating func step() {
    if journal == nil { reopen(afterPowerCut: false) }
    life.tally.steps += 1
    switch life.generator.below(32) {
    case 0: attempt { (run) throws(JournalError) in try run.sync() }
    case 1, 2: life.fileSystem.advance(nanoseconds: UInt64(life.generator.below(16)))
    case 3, 4: attempt { (run) throws(JournalError) in try run.checkpoint() }
    case 5: attempt { (run) throws(JournalError) in try run.close() }
    case 6: reopen(afterPowerCut: false)
    case 7, 8: restart(afterPowerCut: true)
    case 9: life.device.dieSoon(using: &life.generator)
    case 10, 11: life.device.failSoon(using: &life.generator)
    case 12:
      let limit: ReadLimit = life.generator.oneIn(2) ? .durable : .written
      let start = life.generator.below((limit == .durable ? life.history.promised : life.history.events.count) + 1)
      if followers.count < 3 { followers.append(Follower(after: start, upTo: limit)) }
    case 13, 14, 15: follow()
    case 16: verify()
    case 17: attempt { (run) throws(JournalError) in try run.retire() }
    default: append()
    }
    if life.fileSystem.isDead { restart(afterPowerCut: life.generator.oneIn(3)) }
    if let journal {
      let durable = Int(journal.durableSequence)
      if durable > life.history.events.count {
        life.fail("\(durable) events are called durable, of \(life.history.events.count)")
      }
      life.history.promise(durable)
    }
  }

  /// Runs a call that may fail where calls do.
  private mutating func attempt(_ body: (inout JournalSeedRun) throws(JournalError) -> Void) {
    do throws(JournalError) {
      try body(&self)
    } catch {
      if life.note(error) { journal = nil }
    }
  }

  private mutating func append() {
    guard let journal else { return }
    batches += 1
    var batch = JournalBatch()
    var payloads: [[UInt8]] = []
    for _ in 0...life.generator.below(4) {
      let length = life.generator.below(life.generator.oneIn(12) ? 1500 : 60)
      let payload = Workload.payload(life.history.events.count + payloads.count + 1, length, generation: batches &* 7)
      guard (try? batch.append(payload: payload, label: Int64(batches))) != nil else { return }
      payloads.append(payload)
    }
    let isSynced =
      switch options.syncPolicy {
      case .everyCommit, .group: true
      case .interval, .none: false
      }
    let last = life.history.events.count
    let isStale = life.generator.oneIn(20) && last > 0
    do throws(JournalError) {
      let range = try journal.append(
        &batch, expecting: isStale ? UInt64(last - 1) : life.generator.oneIn(2) ? UInt64(last) : nil)
      if isStale { life.fail("an append succeeds that expects another end") }
      if range != UInt64(last + 1)...UInt64(last + payloads.count) { life.fail("events \(range) after \(last)") }
      life.history.append(payloads)
      if isSynced { life.history.promise(life.history.events.count) }
      life.tally.events += payloads.count
    } catch {
      if error.code == .conflict, isStale { return }
      if life.fileSystem.isDead || error.code == .poisoned {
        life.history.doubt(payloads)
      } else if journal.lastSequence != UInt64(last) {
        life.fail("\(error.code), and yet the journal ends with event \(journal.lastSequence) and not \(last)")
      }
      attempt { (_) throws(JournalError) in throw error }
    }
  }

  private mutating func sync() throws(JournalError) {
    guard let journal else { return }
    try journal.sync()
    life.history.promise(life.history.events.count)
  }

  private mutating func checkpoint() throws(JournalError) {
    guard let journal, journal.lastSequence > 0 else { return }
    // What may be retired is not to be read any more.
    let gone = life.history.retired.upperBound
    let sequence =
      life.generator.oneIn(3) && gone < life.history.events.count
      ? UInt64(gone + 1 + life.generator.below(life.history.events.count - gone)) : journal.lastSequence
    try journal.writeCheckpoint(sequence: sequence, body: Workload.payload(Int(sequence), 40, generation: batches))
    life.history.promise(Int(sequence))
  }

  /// Retires what is before an event that chance chooses and in the newest checkpoint.
  private mutating func retire() throws(JournalError) {
    guard let journal else { return }
    let reader = try JournalReader(path: Workload.path, fileSystem: life.fileSystem)
    guard let checkpoint = reader.checkpoints().first else { return }
    let sequence = 1 + life.generator.below(life.history.events.count + 1)
    life.history.mayRetire(min(sequence - 1, Int(checkpoint.sequence)))
    life.retire(before: try journal.retire(before: UInt64(sequence), after: checkpoint))
  }

  private mutating func close() throws(JournalError) {
    guard let open = journal else { return }
    journal = nil
    try open.close()
    life.history.promise(life.history.events.count)
  }

  /// The process ended; another one begins, after a power cut or without.
  private mutating func restart(afterPowerCut: Bool) {
    journal = nil
    for follower in followers { follower.stop() }
    life.restart(afterPowerCut: afterPowerCut)
    reopen(afterPowerCut: afterPowerCut)
  }

  private mutating func reopen(afterPowerCut: Bool) {
    journal = nil
    life.chooseOptions(&options)
    if options.domain != nil { options.domain = Workload.domain("catalogue \(batches / 4 % 3)") }
    let options = options
    let followers = followers
    journal = life.open { (fileSystem) throws(JournalError) in
      defer { if fileSystem.isDead { for follower in followers { follower.stop() } } }
      return try Self.openOrCreate(options, fileSystem)
    }
    guard let journal else { return }
    let hasLost = life.history.mayMissUndurable
    life.adopt(last: journal.lastSequence, afterPowerCut: afterPowerCut)
    for follower in followers {
      if follower.limit == .durable, follower.position > life.history.events.count {
        life.fail("a follower saw event \(follower.position) as durable, and it is gone")
      }
      // Whoever follows what is only written may have seen what the device has lost since.
      if hasLost || follower.position > life.history.events.count { follower.stop() }
      follower.restart(after: life.history.events.count)
    }
  }

  private static func openOrCreate(
    _ options: JournalOptions, _ fileSystem: RecordingFileSystem
  ) throws(JournalError) -> JournalWriter {
    do throws(JournalError) {
      return try JournalWriter.open(at: Workload.path, options: options, fileSystem: fileSystem)
    } catch {
      guard error.code == .notAJournal else { throw error }
      return try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: fileSystem)
    }
  }

  private mutating func follow() {
    var left: [Follower] = []
    for follower in followers where goesOn(follower) { left.append(follower) }
    followers = left
  }

  /// Lets a follower read on; `false` when what it wants next was retired.
  private mutating func goesOn(_ follower: Follower) -> Bool {
    guard failure == nil else { return true }
    var isBehind = false
    attempt { (run) throws(JournalError) in
      let durable = max(run.life.history.promised, Int(run.journal?.durableSequence ?? 0))
      do throws(JournalError) {
        if let wrong = try follower.read(run.life.history.events, durable: durable, on: run.life.fileSystem) {
          run.life.fail(wrong)
        }
      } catch {
        isBehind =
          [.outOfRange, .retired].contains(error.code) && follower.position < run.life.history.retired.upperBound
        guard isBehind else { throw error }
      }
    }
    return !isBehind
  }

  /// Reads everything and compares it.
  private mutating func verify() {
    attempt { (run) throws(JournalError) in
      let reader = try JournalReader(path: Workload.path, fileSystem: run.life.fileSystem)
      for finding in try reader.verify().findings {
        switch finding.verdict {
        case .torn, .ioError: break
        case .indexDamaged where finding.file == "HEAD": break
        default: run.life.fail("false alarm, \(finding.verdict): \(finding)")
        }
      }
      var cursor = try reader.cursor()
      var count = Int(reader.retirement?.firstSequence ?? 1) - 1
      guard run.life.history.retired.contains(count) else { return run.life.fail("\(count) events are retired") }
      while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        guard count < run.life.history.events.count, event.payload.elementsEqual(run.life.history.events[count]) else {
          return run.life.fail("event \(event.sequence) was never appended")
        }
        count += 1
      }
      if count != run.life.history.events.count {
        run.life.fail("\(count) events are read, of \(run.life.history.events.count)")
      }
    }
  }
}
