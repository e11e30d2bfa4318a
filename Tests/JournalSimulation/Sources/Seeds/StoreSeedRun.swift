import EventSourcing
import Journal

/// One random life of an ``EventStore``, which a seed determines: its state must be the model's whenever it is looked at.
struct StoreSeedRun {
  private var life: SeedLife<ShelfEvent>
  private var store: EventStore<Shelf>?
  /// Commands with a key that are in the history, and how many events there were before them.
  private var keyed: [(key: [UInt8], command: Shelf.Command, before: Int)] = []
  private var commands = 0
  /// The newest event of which a checkpoint is known to hold the state, and of which one may.
  private var checkpointed = 0
  private var mayBeCheckpointed = 0
  private var options = StoreOptions()

  init(seed: UInt64, canary: Canary? = nil) {
    life = SeedLife(seed: seed, stream: 12, canary: canary)
  }

  var tally: SeedTally { life.tally }
  var failure: String? { life.failure.map { "store: \($0)" } }

  mutating func run() {
    reopen(afterPowerCut: false)
    let count = 20 + life.generator.below(40)
    for _ in 0..<count where failure == nil { step() }
    guard failure == nil else { return }
    life.fileSystem.setPlan(nil)
    if life.fileSystem.isDead { restart(afterPowerCut: false) }
    reopen(afterPowerCut: false)
    compareHistory()
    close()
    if let misuse = life.fileSystem.misuse.first { life.fail(misuse) }
  }

  /// The state after so many events.
  private func state(after count: Int) -> ShelfState {
    var state = Shelf.initialState
    for (index, event) in life.history.events.prefix(count).enumerated() {
      let context = EventContext(sequence: UInt64(index + 1), moment: Moment(wallNanoseconds: 0))
      Shelf.reduce(into: &state, event, context)
    }
    return state
  }

  private mutating func step() {
    if store == nil { reopen(afterPowerCut: false) }
    life.tally.steps += 1
    switch life.generator.below(25) {
    case 0, 1: checkpoint()
    case 2: close()
    case 3: reopen(afterPowerCut: false)
    case 4, 5: restart(afterPowerCut: true)
    case 6: life.device.dieSoon(using: &life.generator)
    case 7, 8: life.device.failSoon(using: &life.generator)
    case 9: compareHistory()
    case 10: life.fileSystem.advance(nanoseconds: UInt64(life.generator.below(16)))
    case 11: retire()
    default: command()
    }
    if life.fileSystem.isDead { restart(afterPowerCut: life.generator.oneIn(3)) }
    if let store {
      if store.lastSequence != UInt64(life.history.events.count) {
        life.fail("the store is at event \(store.lastSequence)")
      } else if store.state != state(after: life.history.events.count) {
        life.fail("the state is another one than the model's")
      }
      life.history.promise(Int(store.journal.durableSequence))
    }
  }

  private mutating func note(_ error: JournalError) {
    if life.note(error) { store = nil }
  }

  private mutating func note(_ error: HistoryError) {
    if life.fileSystem.isDead { return }
    guard case .journal(let cause) = error else { return life.fail("\(error)") }
    note(cause)
  }

  private mutating func command() {
    guard let store else { return }
    commands += 1
    let before = life.history.events.count
    if let known = keyed.last, known.before >= life.history.retired.upperBound, life.generator.oneIn(6) {
      return repeatCommand(known, store)
    }
    let command: Shelf.Command =
      life.generator.oneIn(2)
      ? .move(from: life.generator.next() % 8, to: life.generator.next() % 8, count: Int64(life.generator.below(60)))
      : .say(
        (0..<life.generator.below(4)).map {
          "word \(commands).\($0) " + String(repeating: "x", count: life.generator.below(40))
        })
    let key: [UInt8] =
      life.generator.oneIn(3) ? [1, UInt8(truncatingIfNeeded: commands), UInt8(commands >> 8 & 0xFF)] : []
    let moment = Moment(wallNanoseconds: Int64(commands))
    let expected = try? Shelf.events(for: command, in: state(after: before))
    do {
      let result = try store.append(command, at: moment, idempotencyKey: key)
      guard result.events.map(\.event) == expected ?? [], expected != nil else {
        return life.fail("command \(commands) led to other events than in the model")
      }
      guard let expected, !expected.isEmpty else { return }
      life.history.append(expected)
      if !key.isEmpty { keyed.append((key, command, before)) }
      switch options.journal.syncPolicy {
      case .everyCommit, .group: life.history.promise(life.history.events.count)
      case .interval, .none: break
      }
      life.tally.events += expected.count
    } catch .rejected {
      if expected != nil { life.fail("command \(commands) was refused") }
    } catch .journal(let error) {
      if life.fileSystem.isDead || error.code == .poisoned { life.history.doubt(expected ?? []) }
      note(error)
    } catch {
      life.fail("command \(commands): \(error)")
    }
  }

  /// Repeats a command that is in the history: nothing happens, and the answer is the same.
  private mutating func repeatCommand(
    _ known: (key: [UInt8], command: Shelf.Command, before: Int), _ store: EventStore<Shelf>
  ) {
    do {
      let result = try store.append(known.command, at: Moment(wallNanoseconds: 5), idempotencyKey: known.key)
      let first = result.events.first?.sequence
      if !result.isRepetition || first != UInt64(known.before + 1) { life.fail("a repeated command is not recognized") }
    } catch .journal(let error) {
      note(error)
    } catch .history(let error) {
      note(error)
    } catch {
      life.fail("a repeated command: \(error)")
    }
  }

  private mutating func checkpoint() {
    guard let store else { return }
    mayBeCheckpointed = life.history.events.count
    do {
      checkpointed = Int(try store.checkpoint())
      life.history.promise(checkpointed)
    } catch {
      note(error)
    }
  }

  private mutating func close() {
    guard let open = store else { return }
    store = nil
    do {
      try open.close()
      life.history.promise(life.history.events.count)
    } catch {
      note(error)
    }
  }

  /// Retires what is before an event that chance chooses and in the oldest checkpoint.
  private mutating func retire() {
    guard let store else { return }
    let sequence = 1 + life.generator.below(life.history.events.count + 1)
    life.history.mayRetire(sequence - 1)
    do {
      life.retire(before: try store.retire(before: UInt64(sequence)))
    } catch .journal(let cause) where cause.code == .badCheckpoint && checkpointed == 0 {
      return
    } catch {
      note(error)
    }
  }

  private mutating func restart(afterPowerCut: Bool) {
    store = nil
    life.restart(afterPowerCut: afterPowerCut)
    reopen(afterPowerCut: afterPowerCut)
  }

  private mutating func reopen(afterPowerCut: Bool) {
    store = nil
    life.chooseOptions(&options.journal)
    options.recordsStateDigest = life.generator.oneIn(2)
    options.keptCheckpointCount = 1 + life.generator.below(3)
    options.keyframeInterval = UInt64(1 + life.generator.below(12))
    let options = options
    store = life.open { (fileSystem) throws(JournalError) in try Self.openOrCreate(options, fileSystem) }
    guard let store else { return }
    life.adopt(last: store.lastSequence, afterPowerCut: afterPowerCut)
    if store.state != state(after: life.history.events.count) {
      life.fail("the state after opening is not the model's")
    }
    keyed.removeAll { $0.before >= life.history.events.count }
  }

  private static func openOrCreate(
    _ options: StoreOptions, _ fileSystem: RecordingFileSystem
  ) throws(JournalError) -> EventStore<Shelf> {
    do throws(HistoryError) {
      do throws(HistoryError) {
        return try EventStore.open(at: Workload.path, options: options, fileSystem: fileSystem)
      } catch {
        guard case .journal(let cause) = error, cause.code == .notAJournal else { throw error }
        return try EventStore.create(
          at: Workload.path, journalID: Workload.id, createdNanoseconds: 7, options: options, fileSystem: fileSystem)
      }
    } catch {
      if case .journal(let cause) = error { throw cause }
      throw JournalError(.damaged, error.message, remedy: "find out why")
    }
  }

  /// Asks a history for the state at a place that chance chooses. Before the newest checkpoint it may be gone.
  private mutating func compareHistory() {
    let place = life.generator.below(life.history.events.count + 1)
    do {
      let past = try History<Shelf>(at: Workload.path, fileSystem: life.fileSystem)
      let found = try past.state(at: place == 0 ? .start : .sequence(UInt64(place)))
      if found.state != state(after: place) { life.fail("the state at event \(place) is not the model's") }
    } catch .beforeKeptRange where place < life.history.retired.upperBound {
      return
    } catch .noStartingState where life.history.retired.upperBound > 0 && place < mayBeCheckpointed {
      return
    } catch {
      note(error)
    }
  }
}
