import EventSourcing
import Journal

/// One random life of an ``EventStore``, which a seed determines: its state must be the model's whenever it is looked at.
struct StoreSeedRun {
  let seed: UInt64
  private var generator: SeededGenerator
  private var device: SimulatedDevice
  private var store: EventStore<Shelf>?
  private var history = ExpectedHistory<ShelfEvent>()
  /// Commands with a key that are in the history, and how many events there were before them.
  private var keyed: [(key: [UInt8], command: Shelf.Command, before: Int)] = []
  private var commands = 0
  private var options = StoreOptions()
  private(set) var tally = SeedTally()
  private(set) var failure: String?

  init(seed: UInt64, canary: Canary? = nil) {
    self.seed = seed
    generator = SeededGenerator(seed: seed, 12)
    device = SimulatedDevice(canary: canary, forgetsAtFailedSync: generator.oneIn(2))
  }

  mutating func run() {
    reopen(afterPowerCut: false)
    let count = 20 + generator.below(40)
    for _ in 0..<count where failure == nil { step() }
    guard failure == nil else { return }
    device.fileSystem.setPlan(nil)
    if device.fileSystem.isDead { restart(afterPowerCut: false) }
    reopen(afterPowerCut: false)
    compareHistory()
    close()
    if let misuse = device.fileSystem.misuse.first { fail(misuse) }
  }

  private mutating func fail(_ what: String) {
    failure = failure ?? "\(what) (store, step \(tally.steps), of \(history.events.count) events)"
  }

  /// The state after so many events.
  private func state(after count: Int) -> ShelfState {
    var state = Shelf.initialState
    for (index, event) in history.events.prefix(count).enumerated() {
      let context = EventContext(sequence: UInt64(index + 1), moment: Moment(wallNanoseconds: 0))
      Shelf.reduce(into: &state, event, context)
    }
    return state
  }

  private mutating func step() {
    if store == nil { reopen(afterPowerCut: false) }
    tally.steps += 1
    switch generator.below(24) {
    case 0, 1: checkpoint()
    case 2: close()
    case 3: reopen(afterPowerCut: false)
    case 4, 5: restart(afterPowerCut: true)
    case 6: device.dieSoon(using: &generator)
    case 7, 8: device.failSoon(using: &generator)
    case 9: compareHistory()
    case 10: device.fileSystem.advance(nanoseconds: UInt64(generator.below(16)))
    default: command()
    }
    if device.fileSystem.isDead { restart(afterPowerCut: generator.oneIn(3)) }
    if let store {
      if store.lastSequence != UInt64(history.events.count) {
        fail("the store is at event \(store.lastSequence)")
      } else if store.state != state(after: history.events.count) {
        fail("the state is another one than the model's")
      }
      history.promise(Int(store.journal.durableSequence))
    }
  }

  /// Takes note of an error of the journal: those that faults lead to are none of the store's.
  private mutating func note(_ error: JournalError) {
    guard !device.fileSystem.isDead else { return }
    tally.errors += 1
    switch error.code {
    case .inputOutput, .noSpace: break
    case .poisoned:
      history.loseTrust()
      store = nil
    default: fail("\(error.code): \(error)")
    }
  }

  private mutating func note(_ error: HistoryError) {
    if device.fileSystem.isDead { return }
    guard case .journal(let cause) = error else { return fail("\(error)") }
    note(cause)
  }

  private mutating func command() {
    guard let store else { return }
    commands += 1
    let before = history.events.count
    if let known = keyed.last, generator.oneIn(6) { return repeatCommand(known, store) }
    let command: Shelf.Command =
      generator.oneIn(2)
      ? .move(from: generator.next() % 8, to: generator.next() % 8, count: Int64(generator.below(60)))
      : .say(
        (0..<generator.below(4)).map { "word \(commands).\($0) " + String(repeating: "x", count: generator.below(40)) })
    let key: [UInt8] = generator.oneIn(3) ? [1, UInt8(truncatingIfNeeded: commands), UInt8(commands >> 8 & 0xFF)] : []
    let moment = Moment(wallNanoseconds: Int64(commands))
    var explanation = Explanation()
    let expected = try? Shelf.decide(command, in: state(after: before), at: moment, explanation: &explanation)
    do {
      let result = try store.append(command, at: moment, idempotencyKey: key)
      guard result.events.map(\.event) == expected ?? [], expected != nil else {
        return fail("command \(commands) led to other events than in the model")
      }
      guard let expected, !expected.isEmpty else { return }
      history.append(expected)
      if !key.isEmpty { keyed.append((key, command, before)) }
      switch options.journal.syncPolicy {
      case .everyCommit, .group: history.promise(history.events.count)
      case .interval, .none: break
      }
      tally.events += expected.count
    } catch .rejected {
      if expected != nil { fail("command \(commands) was refused") }
    } catch .journal(let error) {
      if device.fileSystem.isDead || error.code == .poisoned { history.doubt(expected ?? []) }
      note(error)
    } catch {
      fail("command \(commands): \(error)")
    }
  }

  /// Repeats a command that is in the history: nothing happens, and the answer is the same.
  private mutating func repeatCommand(
    _ known: (key: [UInt8], command: Shelf.Command, before: Int), _ store: EventStore<Shelf>
  ) {
    do {
      let result = try store.append(known.command, at: Moment(wallNanoseconds: 5), idempotencyKey: known.key)
      let first = result.events.first?.sequence
      if !result.isRepetition || first != UInt64(known.before + 1) { fail("a repeated command is not recognized") }
    } catch .journal(let error) {
      note(error)
    } catch .history(let error) {
      note(error)
    } catch {
      fail("a repeated command: \(error)")
    }
  }

  private mutating func checkpoint() {
    guard let store else { return }
    do {
      history.promise(Int(try store.checkpoint()))
    } catch {
      note(error)
    }
  }

  private mutating func close() {
    guard let open = store else { return }
    store = nil
    do {
      try open.close()
      history.promise(history.events.count)
    } catch {
      note(error)
    }
  }

  private mutating func restart(afterPowerCut: Bool) {
    store = nil
    if device.fileSystem.isDead { device.fileSystem.revive() }
    device.fileSystem.setPlan(nil)
    if afterPowerCut {
      device.cutPower(using: &generator)
      tally.powerCuts += 1
    } else {
      tally.deaths += 1
    }
    reopen(afterPowerCut: afterPowerCut)
  }

  private mutating func reopen(afterPowerCut: Bool) {
    store = nil
    options.journal.syncPolicy =
      [
        .everyCommit, .group(maximumDelayNanoseconds: 1000), .interval(nanoseconds: 10), .none,
      ][generator.below(4)]
    options.journal.segmentSizeLimit = 1 << (10 + UInt64(generator.below(4)))
    options.journal.preallocation = [0, 512, 4096][generator.below(3)]
    options.recordsStateDigest = generator.oneIn(2)
    for attempt in 0..<3 where store == nil && failure == nil {
      if attempt == 2 { device.fileSystem.setPlan(nil) }
      do {
        store = try openOrCreate()
      } catch {
        history.loseTrust()
        note(error)
      }
      if device.fileSystem.isDead {
        store = nil
        device.fileSystem.revive()
        device.fileSystem.setPlan(nil)
        tally.deaths += 1
      }
    }
    guard let store else { return fail("the store cannot be opened any more") }
    tally.openings += 1
    if let wrong = history.adopt(last: Int(store.lastSequence), afterPowerCut: afterPowerCut) { fail(wrong) }
    if store.state != state(after: history.events.count) { fail("the state after opening is not the model's") }
    keyed.removeAll { $0.before >= history.events.count }
  }

  private func openOrCreate() throws(HistoryError) -> EventStore<Shelf> {
    do throws(HistoryError) {
      return try EventStore.open(at: Workload.path, options: options, fileSystem: device.fileSystem)
    } catch {
      guard case .journal(let cause) = error, cause.code == .notAJournal else { throw error }
      return try EventStore.create(
        at: Workload.path, journalID: Workload.id, createdNanoseconds: 7, options: options,
        fileSystem: device.fileSystem)
    }
  }

  /// Asks a history for the state at a place that chance chooses.
  private mutating func compareHistory() {
    let place = generator.below(history.events.count + 1)
    do {
      let past = try History<Shelf>(at: Workload.path, fileSystem: device.fileSystem)
      let found = try past.state(at: place == 0 ? .start : .sequence(UInt64(place)))
      if found.state != state(after: place) { fail("the state at event \(place) is not the model's") }
    } catch {
      note(error)
    }
  }
}
