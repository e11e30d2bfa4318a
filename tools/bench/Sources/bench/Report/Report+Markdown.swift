extension Report {
  /// The table for the documentation: smallest, middle and largest figure of the first contestant, and its ratio to each of
  /// the others.
  func markdown(_ results: [Measurements]) -> String {
    var lines = ["| operation | ours | ratio | goal | reached |", "|---|---|---|---|---|"]
    for result in results {
      guard let first = result.operation.contestants.first?.contestant else { continue }
      let verdicts = result.verdicts(processorTime: options.comparesProcessorTime)
      let ratios = result.operation.contestants.map(\.contestant).compactMap { contestant in
        result.ratios(to: contestant, processorTime: options.comparesProcessorTime)
          .map { "\(contestant.title) \(spread($0, short))" }
      }
      let goals = verdicts.map { verdict in
        verdict.contestant.map { "\($0.title) \(verdict.goal)" }
          ?? "\(verdict.isLimit ? "≤" : "≥") \(result.operation.unit.shown(verdict.goal))"
      }
      lines.append(
        row([
          result.operation.title,
          result.figures(of: first, processorTime: options.comparesProcessorTime)
            .map { spread($0, result.operation.unit.shown) } ?? "",
          ratios.joined(separator: "; "), goals.joined(separator: "; "), reached(verdicts),
        ]))
    }
    return lines.joined(separator: "\n")
  }

  /// The same for the memory of each phase.
  func markdown(_ results: [MemoryResult]) -> String {
    let lengths = results.map(\.events).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
    var lines = [
      row(["memory beside an empty process"] + lengths.map { "\(grouped($0)) events" }),
      row([String](repeating: "---", count: lengths.count + 1)),
    ]
    for phase in MemoryPhase.measured where phase != .nothing {
      let growths = lengths.compactMap { length in
        results.first { $0.phase == phase && $0.events == length }.map {
          "\(fixed(Double($0.growth) / 1_048_576, 1)) MB"
        }
      }
      lines.append(row([phase.title] + growths))
    }
    return lines.joined(separator: "\n")
  }

  private func reached(_ verdicts: [Measurements.Verdict]) -> String {
    guard let first = verdicts.first else { return "" }
    if verdicts.allSatisfy({ $0.isReached == first.isReached }) { return first.isReached ? "yes" : "no" }
    return verdicts.map { $0.isReached ? "yes" : "no" }.joined(separator: "; ")
  }

  private func spread(_ spread: Spread, _ show: (Double) -> String) -> String {
    [spread.minimum, spread.median, spread.maximum].map(show).joined(separator: "–")
  }

  private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
