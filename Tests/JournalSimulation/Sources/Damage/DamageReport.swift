/// What a ``DamageCampaign`` found, as one table.
package struct DamageReport: Sendable {
  package var rows: [DamageCampaign.Row]

  /// One line for each kind of thing that went wrong.
  package var failures: [String] {
    var log = FailureLog()
    for row in rows { log.add(row.failures) }
    return log.lines
  }

  /// How many alterations were tried.
  package var count: Int { rows.reduce(0) { $0 + $1.count } }
  /// Those after which a journal was not as written, and nobody was told.
  package var silent: Int { rows.reduce(0) { $0 + $1.silent } }
  package var wrong: Int { rows.reduce(0) { $0 + $1.wrong } }

  /// A line for each file: what was done to it, what the verdicts were, and what was lost.
  package var table: String {
    let verdicts = DamageCheck.Outcome.verdicts
    var lines = [["", "tried"] + verdicts + ["events lost", "most", "silent", "wrong"]]
    var heading = ""
    for row in rows where row.count > 0 {
      let title = "\(row.fixture): \(row.kind.rawValue)"
      if title != heading { lines.append([title]) }
      heading = title
      lines.append(
        ["  \(row.file)", "\(row.count)"] + verdicts.map { row.verdicts[$0].map(String.init) ?? "." }
          + ["\(row.lost)", "\(row.mostLost)", "\(row.silent)", "\(row.wrong)"])
    }
    return Self.aligned(lines)
  }

  /// Lines of as many columns as the first one has, the first column on the left and the others on the right; headings
  /// have one.
  static func aligned(_ lines: [[String]]) -> String {
    let columns = lines[0].count
    let widths = (0..<columns).map { column in
      lines.filter { $0.count == columns }.map { $0[column].count }.max() ?? 0
    }
    return lines.map { line in
      guard line.count == columns else { return line.joined() }
      return line.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// One line.
  package var summary: String {
    "\(count) alterations: \(silent) silent, \(wrong) wrong events, \(failures.count) kinds of failures"
  }

  /// What flipped bits did, in the terms in which engines are compared.
  package var comparison: String {
    let flips = rows.filter { $0.kind == .flips }
    let count = flips.reduce(0) { $0 + $1.count }
    let lost = flips.reduce(0) { $0 + $1.lost }
    let wrong = flips.reduce(0) { $0 + $1.wrong }
    let unnoticed = flips.reduce(0) { $0 + ($1.verdicts[DamageCheck.Outcome.unnoticed] ?? 0) }
    func percent(_ number: Int) -> String { "\(Double(number * 10_000 / max(count, 1)) / 100) %" }
    return """
      \(count) single flipped bits: \(percent(count - unnoticed)) surfaced as an error, \
      \(percent(flips.reduce(0) { $0 + $1.silent })) silent loss or wrong data, \(wrong) wrong events, \
      \(Double(lost * 1000 / max(count, 1)) / 1000) events lost per flip, at most \(flips.map(\.mostLost).max() ?? 0)
      """
  }
}
