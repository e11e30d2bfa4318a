/// What a ``SalvageCampaign`` found, as one table.
package struct SalvageCampaignReport: Sendable {
  package var rows: [SalvageCampaign.Row]

  /// One line for each kind of breach.
  package var failures: [String] {
    var log = FailureLog()
    for row in rows { log.add(row.failures) }
    return log.lines
  }

  /// How many damages were tried.
  package var count: Int { rows.reduce(0) { $0 + $1.count } }
  /// How many of them were followed by a breach of the law.
  package var breaches: Int { rows.reduce(0) { $0 + $1.breaches } }
  /// How many times a copy held every event, or some of them.
  package var whole: Int { results(.whole) }
  package var part: Int { results(.part) }

  private func results(_ result: SalvageCheck.Outcome.Result) -> Int {
    rows.reduce(0) { $0 + ($1.results[result] ?? 0) }
  }

  /// A line for each kind of damage to each fixture.
  package var table: String {
    let results = SalvageCheck.Outcome.Result.allCases
    var lines = [["", "tried"] + results.map(\.rawValue) + ["events lost", "intact", "breaches"]]
    var heading = ""
    for row in rows where row.count > 0 {
      if row.fixture != heading { lines.append([row.fixture]) }
      heading = row.fixture
      lines.append(
        ["  \(row.kind)", "\(row.count)"] + results.map { row.results[$0].map(String.init) ?? "." }
          + ["\(row.lost)", "\(row.lostIntact)", "\(row.breaches)"])
    }
    return DamageReport.aligned(lines)
  }

  /// One line.
  package var summary: String {
    "\(count) damages salvaged: \(whole) copies are whole, \(part) lack events, \(breaches) break the law in "
      + "\(failures.count) ways"
  }
}
