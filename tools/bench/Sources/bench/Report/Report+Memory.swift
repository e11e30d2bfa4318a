extension Report {
  /// The most memory that each phase had resident, for histories of different length.
  func table(_ results: [MemoryResult]) -> String {
    let lengths = results.map(\.events).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
    var table = TextTable()
    table.add(["memory: peak, and what the phase added, MB"] + lengths.map { "\(grouped($0)) events" } + ["goal"])
    for phase in MemoryPhase.measured {
      let row = lengths.compactMap { length in results.first { $0.phase == phase && $0.events == length } }
      table.add(
        [phase.title]
          + row.map { "\(megabytes($0.peak))  +\(megabytes($0.growth))" }
          + [phase == .nothing ? "" : "+4 \(row.allSatisfy { $0.growth <= 4 << 20 } ? "reached" : "MISSED")"])
    }
    return table.text
  }

  private func megabytes(_ bytes: Int) -> String { fixed(Double(bytes) / 1_048_576, 1) }
}
