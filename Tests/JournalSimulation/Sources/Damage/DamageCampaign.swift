import Journal

/// Damages fixture journals in every way, one way at a time, and says what reading them gave.
package struct DamageCampaign: Sendable {
  /// One in so many alterations is tried.
  package var share: Int
  /// One in so many of those that are tried is gone on from, as a writer.
  package var writingShare: Int
  /// Which of them.
  package var seed: UInt64

  package init(share: Int = 1, writingShare: Int = 8, seed: UInt64 = 0) {
    self.share = max(share, 1)
    self.writingShare = max(writingShare, 1)
    self.seed = seed
  }

  /// One file of one fixture, and everything of one kind that was done to it.
  package struct Row: Sendable {
    package let fixture: String
    package let file: String
    package let kind: Alteration.Kind
    package var count = 0
    package var verdicts: [String: Int] = [:]
    /// Events lost, over all alterations, and by the worst of them.
    package var lost = 0
    package var mostLost = 0
    package var wrong = 0
    /// Alterations after which durable events are missing, or wrong ones are there, and nothing says so.
    package var silent = 0
    package var failures = FailureLog()

    mutating func add(_ other: Row) {
      count += other.count
      verdicts.merge(other.verdicts, uniquingKeysWith: +)
      lost += other.lost
      mostLost = max(mostLost, other.mostLost)
      wrong += other.wrong
      silent += other.silent
      failures.add(other.failures)
    }
  }

  /// Tries alterations of some kinds on every file of every fixture, on as many threads as there are.
  package func run(
    _ fixtures: [DamageFixture], _ kinds: [Alteration.Kind] = Alteration.Kind.ofOneFile
  ) async -> DamageReport {
    await withTaskGroup(of: (Int, Row).self) { group in
      var empty: [Row] = []
      for fixture in fixtures {
        for kind in kinds {
          for path in fixture.paths {
            let place = empty.count
            let row = Row(fixture: fixture.name, file: String(path.dropFirst(Workload.path.count + 1)), kind: kind)
            empty.append(row)
            for part in parts(of: fixture, path, kind) {
              group.addTask { (place, run(fixture, path, part, row)) }
            }
          }
        }
      }
      var rows = empty
      for await (place, part) in group { rows[place].add(part) }
      return DamageReport(rows: rows)
    }
  }

  /// The alterations to try, in portions for one task each, every one with its number.
  private func parts(
    of fixture: DamageFixture, _ path: String, _ kind: Alteration.Kind
  ) -> [[(number: Int, alteration: Alteration)]] {
    let others = fixture.paths.filter { $0 != path }.map { (path: $0, bytes: fixture.image.files[$0] ?? []) }
    var generator = SeededGenerator(seed: seed, UInt64(path.utf8.count))
    let first = generator.below(share)
    let all = Alteration.all(kind, of: fixture.image.files[path] ?? [], others: others)
    let chosen = all.enumerated().filter { $0.offset % share == first }.map {
      (number: $0.offset, alteration: $0.element)
    }
    return stride(from: 0, to: chosen.count, by: 1000).map { Array(chosen[$0..<min($0 + 1000, chosen.count)]) }
  }

  private func run(
    _ fixture: DamageFixture, _ path: String, _ part: [(number: Int, alteration: Alteration)], _ row: Row
  ) -> Row {
    var row = row
    for (number, alteration) in part {
      let isWriting = number / share % writingShare == 0
      let outcome = DamageCheck(fixture: fixture, path: path, goesOn: isWriting).check(alteration)
      row.count += 1
      row.verdicts[outcome.verdict, default: 0] += 1
      row.lost += outcome.lost
      row.mostLost = max(row.mostLost, outcome.lost)
      row.wrong += outcome.wrong
      if outcome.isSilent { row.silent += 1 }
      for failure in outcome.failures { row.failures.note(failure, "\(fixture.name), \(path), \(alteration)") }
    }
    return row
  }
}
