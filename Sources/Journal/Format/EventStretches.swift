/// Stretches of event numbers, in order and apart from each other.
extension [ClosedRange<UInt64>] {
  /// The numbers in any of some stretches.
  static func union(_ stretches: some Sequence<ClosedRange<UInt64>>) -> Self {
    var result: Self = []
    for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, last.upperBound == .max || stretch.lowerBound <= last.upperBound + 1 {
        result[result.count - 1] = last.lowerBound...Swift.max(last.upperBound, stretch.upperBound)
      } else {
        result.append(stretch)
      }
    }
    return result
  }

  /// The numbers that are in none of some other stretches.
  func subtracting(_ others: Self) -> Self {
    var result: Self = []
    var index = others.startIndex
    for stretch in self {
      var next = stretch.lowerBound
      while index < others.endIndex, others[index].upperBound < next { index += 1 }
      var isRestTaken = false
      for other in others[index...] {
        guard other.lowerBound <= stretch.upperBound else { break }
        if other.lowerBound > next { result.append(next...(other.lowerBound - 1)) }
        isRestTaken = other.upperBound >= stretch.upperBound
        if isRestTaken { break }
        next = other.upperBound + 1
      }
      if !isRestTaken { result.append(next...stretch.upperBound) }
    }
    return result
  }

  /// The numbers that are in some other stretches too.
  func intersection(_ others: Self) -> Self { subtracting(subtracting(others)) }

  /// At most so many stretches: the first ones become one with what lies between them.
  func fitting(_ limit: Int) -> Self {
    guard count > limit, let first else { return self }
    return [first.lowerBound...self[count - limit].upperBound] + self[(count - limit + 1)...]
  }
}
