import Journal

/// Runs random lives of journals and of stores, each of which a seed determines.
package struct SeedCampaign: Sendable {
  /// What was found.
  package struct Report: Sendable {
    package var seeds = 0
    package var tally = SeedTally()
    /// The seeds that failed, in order, and why.
    package var failures: [(seed: UInt64, what: String)] = []

    package init() {}

    /// One line.
    package var summary: String {
      "\(seeds) seeds: \(tally.steps) steps, \(tally.events) events, \(tally.openings) openings, \(tally.powerCuts) power"
        + " cuts, \(tally.deaths) deaths, \(tally.errors) errors, \(tally.retired) events retired"
    }

    package mutating func add(_ other: Report) {
      seeds += other.seeds
      tally.add(other.tally)
      failures = (failures + other.failures).sorted { $0.seed < $1.seed }
    }
  }

  /// What is wrong with the simulated system, if anything.
  package var canary: Canary?

  package init(canary: Canary? = nil) {
    self.canary = canary
  }

  /// Runs one seed.
  package func run(seed: UInt64) -> Report {
    var report = Report()
    report.seeds = 1
    var run = JournalSeedRun(seed: seed, canary: canary)
    run.run()
    report.tally.add(run.tally)
    if let failure = run.failure { report.failures.append((seed, failure)) }
    var store = StoreSeedRun(seed: seed, canary: canary)
    store.run()
    report.tally.add(store.tally)
    if let failure = store.failure { report.failures.append((seed, failure)) }
    return report
  }

  /// Runs these seeds, on as many threads as there are.
  package func run(_ seeds: Range<UInt64>) async -> Report {
    await withTaskGroup(of: Report.self) { group in
      for start in stride(from: seeds.lowerBound, to: seeds.upperBound, by: 16) {
        group.addTask {
          var report = Report()
          for seed in start..<min(start + 16, seeds.upperBound) { report.add(run(seed: seed)) }
          return report
        }
      }
      var report = Report()
      for await part in group { report.add(part) }
      return report
    }
  }
}
