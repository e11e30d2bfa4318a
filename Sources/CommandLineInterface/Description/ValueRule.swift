/// Which values an option or a positional accepts. The parser checks it and the help says it.
public enum ValueRule: Equatable, Sendable {
  /// Any word, also an empty one; the command looks at it.
  case anything
  /// A whole number in a range, in decimal digits, with a sign or without.
  case integer(ClosedRange<Int>)
  /// One word of a closed list, spelled exactly so. Completions offer the list.
  case oneOf([String])

  /// What is accepted, as a phrase for help and errors; `nil` when anything is.
  var phrase: String? {
    switch self {
    case .anything: nil
    case .integer(let range):
      switch (range.lowerBound, range.upperBound) {
      case (.min, .max): "a whole number"
      case (let low, .max): "a whole number from \(low)"
      case (.min, let high): "a whole number up to \(high)"
      case (let low, let high): "a whole number from \(low) to \(high)"
      }
    case .oneOf(let choices): "one of " + choices.joined(separator: ", ")
    }
  }

  /// Whether `value` is accepted.
  func accepts(_ value: String) -> Bool {
    switch self {
    case .anything: true
    case .integer(let range): Int(value).map(range.contains) ?? false
    case .oneOf(let choices): choices.contains(value)
    }
  }
}
