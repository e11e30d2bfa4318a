/// Prints what was measured.
struct Report {
  let options: Options

  /// The one table: a row of medians for each operation, and below each figure of another the ratio to the first one.
  func table(_ results: [Measurements]) -> String {
    var table = TextTable()
    let columns = Contestant.allCases.filter { column in results.contains { $0.samples[column] != nil } }
    table.add([""] + columns.map(\.title))
    for result in results {
      table.addGap()
      table.add(
        [result.operation.title]
          + columns.map { column in
            result.figures(of: column, processorTime: options.comparesProcessorTime)
              .map { result.operation.unit.shown($0.median) } ?? ""
          })
      table.add(
        ["  \(result.operation.name)"]
          + columns.map { column in
            if column == result.operation.contestants.first?.contestant { return spread(result, column) }
            return result.ratios(to: column, processorTime: options.comparesProcessorTime).map(ratio) ?? ""
          })
      let goals = goals(result, columns)
      if !goals.isEmpty { table.add(goals) }
    }
    return table.text
  }

  private func ratio(_ spread: Spread) -> String {
    "×\(short(spread.minimum))–\(short(spread.median))–\(short(spread.maximum))"
  }

  /// The smallest and the largest figure of the first contestant.
  private func spread(_ result: Measurements, _ column: Contestant) -> String {
    guard let figures = result.figures(of: column, processorTime: options.comparesProcessorTime),
      figures.minimum != figures.maximum
    else { return "" }
    return "\(result.operation.unit.shown(figures.minimum)) – \(result.operation.unit.shown(figures.maximum))"
  }

  /// What is to be reached, below the figures that it is about; empty when nothing is.
  private func goals(_ result: Measurements, _ columns: [Contestant]) -> [String] {
    let verdicts = result.verdicts(processorTime: options.comparesProcessorTime)
    // A check without optimisation says nothing about speed.
    guard !verdicts.isEmpty, !options.isQuick else { return [] }
    let first = result.operation.contestants.first?.contestant
    return ["  goal"]
      + columns.map { column in
        verdicts.first { $0.contestant == column || $0.contestant == nil && column == first }.map { verdict in
          let goal =
            verdict.contestant != nil
            ? "≥ ×\(verdict.goal)" : "\(verdict.isLimit ? "≤" : "≥") \(result.operation.unit.shown(verdict.goal))"
          return "\(goal) \(verdict.isReached ? "reached" : "MISSED")"
        } ?? ""
      }
  }

  /// What everything was measured on.
  func heading(load: String, _ fixtures: Fixtures) -> String {
    let sizes = fixtures.averageSizes.map { "\($0.title): \(short($0.bytes)) bytes" }.joined(separator: ", ")
    return """
      \(Machine.processor), \(Platform.processorCount) processors, Linux \(Machine.kernel), load before \(load)
      \(options.repetitions) repetitions in shuffled order; ratios are first contestant ÷ other, min–median–max, of \
      \(options.comparesProcessorTime ? "processor time" : "wall time")
      payload of an event: \(sizes.isEmpty ? "128 bytes" : sizes)
      """
  }
}
