/// One measurement: how much was done, in how much time.
struct Sample {
  /// Events, bytes or calls, as the operation's unit says.
  var amount: Double
  var wallSeconds: Double
  var processorSeconds: Double

  init(_ amount: Double, wallSeconds: Double, processorSeconds: Double) {
    self.amount = amount
    self.wallSeconds = wallSeconds
    self.processorSeconds = processorSeconds
  }

  /// Times something that says how much it did.
  static func timing(_ body: () throws -> Double) rethrows -> Sample {
    let wall = Platform.wallNanoseconds
    let processor = Platform.processorNanoseconds
    let amount = try body()
    return Sample(
      amount, wallSeconds: Double(Platform.wallNanoseconds - wall) / 1e9,
      processorSeconds: Double(Platform.processorNanoseconds - processor) / 1e9)
  }

  /// Times something that does `amount`.
  static func timing(_ amount: Int, _ body: () throws -> Void) rethrows -> Sample {
    try timing {
      try body()
      return Double(amount)
    }
  }

  /// The one that this part of some, of which there is at least one, is faster than.
  static func quantile(_ part: Double, of samples: [Sample]) -> Sample {
    let sorted = samples.sorted { $0.wallSeconds < $1.wallSeconds }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }

  /// How many times as fast this is as `other`.
  func ratio(to other: Sample) -> Sample {
    func inverse(_ mine: Double, _ their: Double) -> Double { mine / amount / max(their / other.amount, 1e-12) }
    return Sample(
      1, wallSeconds: inverse(wallSeconds, other.wallSeconds),
      processorSeconds: inverse(processorSeconds, other.processorSeconds))
  }

  /// A number that is no time, such as allocations: its "speed" is its inverse.
  static func count(_ number: Double) -> Sample {
    Sample(1, wallSeconds: number, processorSeconds: number)
  }
}
