import Journal

/// Damages fixture journals in every way, one way at a time and two at random, and says whether what a salvage makes of
/// them keeps the law: see <doc:HowPolicyJournalIsTested>.
package struct SalvageCampaign: Sendable {
  /// One in so many single damages is tried; one in eight of those that flip or cut. None when it is zero.
  package var share: Int
  /// How many mixes of two are tried.
  package var mixes: Int
  /// How many mixes of a run that was inserted, deleted or moved with another damage, or with another such run.
  package var runs: Int
  /// Which of the single damages, and the first mix.
  package var seed: UInt64
  var tamper: (@Sendable (inout SalvagedCopy) -> Void)?

  package init(share: Int = 1, mixes: Int = 0, runs: Int = 0, seed: UInt64 = 1) {
    self.init(share: share, mixes: mixes, runs: runs, seed: seed, tampering: nil)
  }

  /// - Parameter tampering: makes each copy wrong, so that there is something to find.
  init(
    share: Int, mixes: Int = 0, runs: Int = 0, seed: UInt64 = 1,
    tampering tamper: (@Sendable (inout SalvagedCopy) -> Void)?
  ) {
    self.share = share
    self.mixes = mixes
    self.runs = runs
    self.seed = seed
    self.tamper = tamper
  }

  /// One fixture, and everything of one kind that was done to it.
  package struct Row: Sendable {
    package let fixture: String
    package let kind: String
    package var count = 0
    var results: [SalvageCheck.Outcome.Result: Int] = [:]
    package var lost = 0
    package var lostIntact = 0
    package var breaches = 0
    package var failures = FailureLog()

    mutating func add(_ other: Row) {
      count += other.count
      results.merge(other.results, uniquingKeysWith: +)
      lost += other.lost
      lostIntact += other.lostIntact
      breaches += other.breaches
      failures.add(other.failures)
    }

    mutating func add(_ outcome: SalvageCheck.Outcome, _ place: @autoclosure () -> String) {
      count += 1
      results[outcome.result, default: 0] += 1
      lost += outcome.lost
      lostIntact += outcome.lostIntact
      if !outcome.breaches.isEmpty { breaches += 1 }
      for breach in outcome.breaches { failures.note(breach, "\(fixture), \(place())") }
    }
  }

  private static let mixed = "mixes of two"
  private static let shifted = "mixes of a run and another"
  private static let portion = 200
  /// One in so many copies of mixes is salvaged again.
  private static let againShare: UInt64 = 4

  /// Tries everything on every fixture, on as many threads as there are.
  package func run(_ fixtures: [SalvageFixture]) async -> SalvageCampaignReport {
    await withTaskGroup(of: (Int, Row).self) { group in
      var empty: [Row] = []
      for fixture in fixtures {
        for kind in Alteration.Kind.allCases where share > 0 {
          let (place, row) = (empty.count, Row(fixture: fixture.name, kind: kind.rawValue))
          empty.append(row)
          let damages = singles(kind, of: fixture)
          for start in stride(from: 0, to: damages.count, by: Self.portion) {
            group.addTask {
              (place, run(damages[start..<min(start + Self.portion, damages.count)], fixture, row))
            }
          }
        }
      }
      for (kind, count) in [(Self.mixed, mixes), (Self.shifted, runs)] where count > 0 {
        for (index, fixture) in fixtures.enumerated() {
          let (place, row) = (empty.count, Row(fixture: fixture.name, kind: kind))
          empty.append(row)
          let seeds = (seed..<seed + UInt64(count)).filter { $0 % UInt64(fixtures.count) == UInt64(index) }
          for start in stride(from: 0, to: seeds.count, by: Self.portion) {
            group.addTask { (place, run(seeds: seeds[start..<min(start + Self.portion, seeds.count)], fixture, row)) }
          }
        }
      }
      var rows = empty
      for await (place, part) in group { rows[place].add(part) }
      return SalvageCampaignReport(rows: rows)
    }
  }

  private func singles(_ kind: Alteration.Kind, of fixture: SalvageFixture) -> [Damage] {
    let step =
      switch kind {
      case .flips, .cuts: share * 8
      case .sectors, .runs, .files: share
      }
    var generator = SeededGenerator(seed: seed, UInt64(fixture.name.utf8.count))
    let first = generator.below(step)
    return Damage.all(kind, of: fixture.journal.image, foreign: fixture.others).enumerated()
      .filter { $0.offset % step == first }.map(\.element)
  }

  private func run(_ damages: ArraySlice<Damage>, _ fixture: SalvageFixture, _ row: Row) -> Row {
    var row = row
    let check = SalvageCheck(fixture: fixture, tamper: tamper)
    for damage in damages { row.add(check.check([damage]), "\(damage)") }
    return row
  }

  private func run(seeds: ArraySlice<UInt64>, _ fixture: SalvageFixture, _ row: Row) -> Row {
    var row = row
    let check = SalvageCheck(fixture: fixture, tamper: tamper)
    let hasRun = row.kind == Self.shifted
    for seed in seeds {
      var generator = SeededGenerator(seed: seed, hasRun ? 3 : 2)
      var image = fixture.journal.image
      var damages: [Damage] = []
      for number in 0..<2 {
        var run: Damage?
        if hasRun, number == 0 || generator.oneIn(2) {
          run = Damage.randomRun(of: image, foreign: fixture.others, &generator)
        }
        let damage =
          run ?? Damage.random(of: image, foreign: fixture.others, after: damages.last, &generator)
        damage.apply(to: &image)
        damages.append(damage)
        if image.files.isEmpty { break }
      }
      row.add(
        check.check(damages, again: seed % Self.againShare == 0),
        "seed \(seed): \(damages.map(\.description).joined(separator: "; "))")
    }
    return row
  }
}
