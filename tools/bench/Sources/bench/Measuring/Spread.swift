/// The smallest, the middle and the largest of some numbers.
struct Spread {
  var minimum: Double
  var median: Double
  var maximum: Double

  /// `nil` without numbers.
  init?(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    minimum = first
    maximum = last
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
