import Journal

/// What random lives of journals and of stores have in common: what chance decides, a device that fails, what must be in
/// the history, and what happened so far.
struct SeedLife<Event: Equatable & Sendable> {
  var generator: SeededGenerator
  var device: SimulatedDevice
  var history = ExpectedHistory<Event>()
  var tally = SeedTally()
  private(set) var failure: String?

  /// - Parameter stream: which of the random numbers that the seed leads to: lives with one seed are no copies.
  init(seed: UInt64, stream: UInt64, canary: Canary?) {
    generator = SeededGenerator(seed: seed, stream)
    device = SimulatedDevice(canary: canary, forgetsAtFailedSync: generator.oneIn(2))
  }

  var fileSystem: RecordingFileSystem { device.fileSystem }

  /// Notes what is wrong; the first time counts.
  mutating func fail(_ what: String) {
    failure =
      failure ?? "\(what) (step \(tally.steps), of \(history.events.count) events \(history.promised) promised)"
  }

  /// Takes note of an error: those that faults lead to are to be expected. Returns whether nothing more can be done with
  /// what is open.
  mutating func note(_ error: JournalError) -> Bool {
    guard !fileSystem.isDead else { return false }
    tally.errors += 1
    switch error.code {
    case .inputOutput, .noSpace: return false
    case .poisoned:
      history.loseTrust()
      return true
    default:
      fail("\(error.code): \(error)")
      return false
    }
  }

  /// The process ended; another one begins, after a power cut or without. Nothing may be open any more.
  mutating func restart(afterPowerCut: Bool) {
    endProcess()
    if afterPowerCut {
      device.cutPower(using: &generator)
      tally.powerCuts += 1
    } else {
      tally.deaths += 1
    }
  }

  private func endProcess() {
    if fileSystem.isDead { fileSystem.revive() }
    fileSystem.setPlan(nil)
  }

  /// Other options, as chance decides.
  mutating func chooseOptions(_ options: inout JournalOptions) {
    options.syncPolicy =
      [
        .everyCommit, .group(maximumDelayNanoseconds: 1000), .interval(nanoseconds: 10), .none,
      ][generator.below(4)]
    options.segmentSizeLimit = 1 << (10 + UInt64(generator.below(4)))
    options.preallocation = [0, 512, 4096][generator.below(3)]
  }

  /// Opens something, up to three times; the third time nothing fails any more.
  mutating func open<Value>(_ body: (RecordingFileSystem) throws(JournalError) -> Value) -> Value? {
    for attempt in 0..<3 where failure == nil {
      if attempt == 2 { fileSystem.setPlan(nil) }
      var opened: Value?
      do throws(JournalError) {
        opened = try body(fileSystem)
      } catch {
        history.loseTrust()
        _ = note(error)
      }
      if fileSystem.isDead {
        opened = nil
        endProcess()
        tally.deaths += 1
      }
      if let opened {
        tally.openings += 1
        return opened
      }
    }
    fail("it cannot be opened any more")
    return nil
  }

  /// Takes that everything before this event is retired, durably.
  mutating func retire(before first: UInt64) {
    let before = history.retired.lowerBound
    if let wrong = history.retire(Int(first) - 1) { return fail(wrong) }
    tally.retired += history.retired.lowerBound - before
  }

  /// Takes what an opening found.
  mutating func adopt(last: UInt64, afterPowerCut: Bool) {
    if let wrong = history.adopt(last: Int(last), afterPowerCut: afterPowerCut) { fail(wrong) }
  }
}
