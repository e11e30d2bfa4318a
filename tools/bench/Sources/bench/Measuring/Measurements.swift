/// What was measured of one operation. The samples of one repetition have the same index for all contestants.
struct Measurements {
  let operation: Operation
  var samples: [Contestant: [Sample]] = [:]

  init(_ operation: Operation) {
    self.operation = operation
  }

  /// Amounts per second, or seconds per call, or a number: what the operation's unit says.
  func figures(of contestant: Contestant, processorTime: Bool = false) -> Spread? {
    Spread(
      (samples[contestant] ?? []).map { sample in
        let seconds = processorTime ? sample.processorSeconds : sample.wallSeconds
        switch operation.unit {
        case .events, .bytes, .ratio: return sample.amount / max(seconds, 1e-9)
        case .time, .number: return seconds / sample.amount
        }
      })
  }

  /// How many times as fast as `other` the first contestant is, repetition by repetition.
  func ratios(to other: Contestant, processorTime: Bool) -> Spread? {
    guard let first = operation.contestants.first?.contestant, first != other, let ours = samples[first],
      let theirs = samples[other]
    else { return nil }
    return Spread(
      zip(ours, theirs).map { one, two in
        let (mine, their) =
          processorTime
          ? (one.processorSeconds, two.processorSeconds) : (one.wallSeconds, two.wallSeconds)
        return (one.amount / max(mine, 1e-9)) / (two.amount / max(their, 1e-9))
      })
  }

  /// What was to be reached, and whether the median reaches it.
  func verdicts(processorTime: Bool) -> [Verdict] {
    var verdicts = operation.goals.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { contestant, goal in
      ratios(to: contestant, processorTime: processorTime).map {
        Verdict(contestant: contestant, goal: goal, isLimit: false, isReached: $0.median >= goal)
      }
    }
    if let first = operation.contestants.first?.contestant,
      let median = figures(of: first, processorTime: processorTime)?.median
    {
      if let limit = operation.limit {
        verdicts.append(Verdict(contestant: nil, goal: limit, isLimit: true, isReached: median <= limit))
      }
      if let floor = operation.floor {
        verdicts.append(Verdict(contestant: nil, goal: floor, isLimit: false, isReached: median >= floor))
      }
    }
    return verdicts
  }

  /// One goal: a ratio to another contestant, or without one a figure of the first contestant.
  struct Verdict {
    var contestant: Contestant?
    var goal: Double
    /// Whether it is not to be exceeded, instead of to be reached.
    var isLimit: Bool
    var isReached: Bool
  }
}
