import Journal

/// Runs workloads, works out what power cuts can leave, and checks each state once.
package struct CrashCampaign: Sendable {
  /// What was done, and what was found.
  package struct Report: Sendable {
    /// Different states that were checked.
    package var states = 0
    /// Those among them that a crash during or after the recovery from a crash left.
    package var secondGeneration = 0
    package var cuts = 0
    package var verdicts: [String: Int] = [:]
    package var failures = FailureLog()

    package mutating func add(_ other: Report) {
      states += other.states
      secondGeneration += other.secondGeneration
      cuts += other.cuts
      verdicts.merge(other.verdicts, uniquingKeysWith: +)
      failures.add(other.failures)
    }

    /// One line.
    package var summary: String {
      let counts = verdicts.keys.sorted().map { "\($0) \(verdicts[$0] ?? 0)" }.joined(separator: ", ")
      return "\(states) crash states after \(cuts) power cuts, \(secondGeneration) of them of recoveries: \(counts)"
    }
  }

  package var seed: UInt64
  /// One in so many states is checked.
  package var share: Int
  /// Random states for each operation.
  package var randomCount: Int
  /// One in so many states, checked or not, is recovered from on a recording device, whose crash states are checked too.
  package var recoveryShare: Int

  package init(seed: UInt64 = 1, share: Int = 1, randomCount: Int = 24, recoveryShare: Int = 400) {
    self.seed = seed
    self.share = share
    self.randomCount = randomCount
    self.recoveryShare = recoveryShare
  }

  /// Checks one workload.
  package func run(_ workload: Workload) -> Report {
    var report = Report()
    let run = workload.run()
    for failure in run.failures { report.failures.note(failure, "the program itself") }
    check(run, DiskImage(), workload, generation: 0, "", &report)
    return report
  }

  /// Lets the process die at each of its calls in turn, another one go on, and the power fail after that: once with
  /// nothing left of what was not synced, and once with everything but the names.
  package func runDeaths(_ workload: Workload) -> Report {
    var report = Report()
    var workload = workload
    var lastDeath = -1
    var deaths = 0
    for call in 1... {
      workload.deathAtCall = call
      let run = workload.run()
      guard call <= run.callCount, let death = run.deathPosition else { break }
      // Between two calls that only read it makes no difference.
      if death == lastDeath { continue }
      lastDeath = death
      deaths += 1
      guard deaths % share == 0 else { continue }
      var left = 6
      for failure in run.failures { report.failures.note(failure, "\(workload.name), death at call \(call)") }
      var disk = Disk()
      for position in 1...max(run.operations.count, 1) where position <= run.operations.count {
        disk.perform(run.operations[position - 1])
        let moment = run.chronicle.moment(at: position)
        guard position >= death, moment.position == position, left > 0 || position == run.operations.count else {
          continue
        }
        left -= 1
        report.cuts += 1
        for fates in [Fates(.all(.lost)), Fates(.all(.kept), names: .all(.lost))] {
          report.states += 1
          let outcome = CrashCheck(moment: moment, options: workload.options).check(disk.image(fates))
          report.verdicts[outcome.verdict, default: 0] += 1
          for failure in outcome.failures {
            report.failures.note(
              failure, "\(workload.name), death at call \(call), cut after operation \(position), \(fates)")
          }
        }
      }
    }
    return report
  }

  private func check(
    _ run: Workload.Run, _ image: DiskImage, _ workload: Workload, generation: UInt64, _ origin: String,
    _ report: inout Report
  ) {
    var disk = Disk(image)
    var seen: Set<Int> = []
    var generator = SeededGenerator(seed: seed, generation, UInt64(report.states))
    var number = generator.below(share)
    let fresh = UInt64(report.states)
    for position in 0...run.operations.count {
      if position > 0 { disk.perform(run.operations[position - 1]) }
      report.cuts += 1
      let moment = run.chronicle.moment(at: position)
      // Two cuts may leave the same bytes, with more promised in the later one.
      var hasher = Hasher()
      hasher.combine(moment.promised)
      hasher.combine(moment.events.count)
      hasher.combine(moment.isClosed)
      let promise = hasher.finalize()
      let count = generation == 0 ? randomCount : randomCount / 4
      for fates in CrashStates.fates(disk, randomCount: count, seed: seed &+ generation &+ fresh) {
        number += 1
        guard number % share == 0 else { continue }
        let state = disk.image(fates)
        guard seen.insert(state.fingerprint ^ promise).inserted else { continue }
        report.states += 1
        if generation > 0 { report.secondGeneration += 1 }
        let outcome = CrashCheck(moment: moment, options: workload.options).check(state)
        report.verdicts[outcome.verdict, default: 0] += 1
        for failure in outcome.failures {
          report.failures.note(
            failure, "\(workload.name)\(origin), cut after operation \(position) of \(run.operations.count), \(fates)")
        }
        if generation == 0, report.states % max(recoveryShare / share, 40) == 0 {
          recover(
            state, outcome.events, moment.events, workload, "\(origin), cut after operation \(position), \(fates)",
            &report)
        }
      }
    }
  }

  /// Opens the journal after a crash, and lets the power fail again meanwhile and afterwards.
  private func recover(
    _ state: DiskImage, _ events: [[UInt8]], _ stranded: [[UInt8]], _ workload: Workload, _ origin: String,
    _ report: inout Report
  ) {
    var second = workload
    second.name += ", second generation"
    second.steps = [.append([3]), .append([20, 1]), .close]
    let run = second.run(on: state, events: events, stranded: stranded, generation: 50)
    for failure in run.failures { report.failures.note(failure, "\(second.name)\(origin)") }
    var campaign = self
    campaign.share = share * 7
    campaign.check(run, state, second, generation: 1, origin, &report)
  }
}

extension CrashCampaign {
  /// What is done with a workload.
  package enum Kind: Sendable {
    /// Every state after every operation.
    case cuts
    /// A process that dies, then a power cut.
    case deaths
  }

  /// Checks several workloads, side by side.
  package func run(_ workloads: [Workload], _ kind: Kind = .cuts) async -> Report {
    await withTaskGroup(of: Report.self) { group in
      for workload in workloads { group.addTask { kind == .cuts ? run(workload) : runDeaths(workload) } }
      var report = Report()
      for await part in group { report.add(part) }
      return report
    }
  }
}
