extension Report {
  /// One line for the run, one for each operation and contestant, and one for each phase's memory.
  func json(_ results: [Measurements], memory: [MemoryResult]) -> String {
    var lines = [
      object([
        ("kind", quoted("run")), ("schema", quoted("policyjournal-bench/1")), ("events", "\(options.events)"),
        ("repetitions", "\(options.repetitions)"), ("seed", "\(options.seed)"),
        ("processor", quoted(Machine.processor)), ("processors", "\(Platform.processorCount)"),
        ("kernel", quoted(Machine.kernel)), ("loadAverage", quoted(Machine.loadAverage)),
      ])
    ]
    for result in results {
      for (contestant, _) in result.operation.contestants {
        lines.append(measurement(result, contestant))
      }
    }
    for result in memory {
      lines.append(
        object([
          ("kind", quoted("memory")), ("phase", quoted(result.phase.rawValue)), ("events", "\(result.events)"),
          ("beforeBytes", "\(result.before)"), ("keptBytes", "\(result.kept)"), ("peakBytes", "\(result.peak)"),
        ]))
    }
    lines.append(object([("kind", quoted("end")), ("complete", "true")]))
    return lines.joined(separator: "\n")
  }

  private func measurement(_ result: Measurements, _ contestant: Contestant) -> String {
    let samples = result.samples[contestant] ?? []
    var members = [
      ("kind", quoted("measurement")), ("operation", quoted(result.operation.name)),
      ("contestant", quoted(contestant.rawValue)), ("unit", quoted(result.operation.unit.name)),
      ("wall", spread(result.figures(of: contestant))),
      ("processor", spread(result.figures(of: contestant, processorTime: true))),
      ("amounts", list(samples.map(\.amount))), ("wallSeconds", list(samples.map(\.wallSeconds))),
      ("processorSeconds", list(samples.map(\.processorSeconds))),
    ]
    if let ratios = result.ratios(to: contestant, processorTime: false) {
      members.append(("ratio", spread(ratios)))
      members.append(("processorRatio", spread(result.ratios(to: contestant, processorTime: true))))
    }
    if let goal = result.operation.goals[contestant] { members.append(("goalRatio", "\(goal)")) }
    if contestant == result.operation.contestants.first?.contestant {
      if let limit = result.operation.limit { members.append(("goalAtMost", "\(limit)")) }
      if let floor = result.operation.floor { members.append(("goalAtLeast", "\(floor)")) }
    }
    return object(members)
  }

  private func spread(_ spread: Spread?) -> String {
    guard let spread else { return "null" }
    return object([
      ("min", "\(spread.minimum)"), ("median", "\(spread.median)"), ("max", "\(spread.maximum)"),
    ])
  }

  private func list(_ numbers: [Double]) -> String { "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]" }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(quoted($0)):\($1)" }.joined(separator: ",") + "}"
  }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case " "...: result.unicodeScalars.append(scalar)
      default: result += " "
      }
    }
    return result + "\""
  }
}

extension Operation.Unit {
  /// What a figure counts, for machines.
  var name: String {
    switch self {
    case .events: "events/s"
    case .bytes: "bytes/s"
    case .time: "s"
    case .number, .ratio: "1"
    }
  }
}
