/// The values that an option or a positional accepts. The parser checks the rule and the help states it.
public enum ValueRule: Equatable, Sendable {
  /// Any word, even an empty one; the command itself checks it.
  case anything
  /// A whole number in a range, in decimal digits, with or without a sign.
  case integer(ClosedRange<Int>)
  /// One word of a closed list, spelled exactly. Completions offer the list.
  case oneOf([String])

  /// The accepted values as a phrase for help and errors; `nil` if any value is accepted.
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

/// What a shell offers when the user presses Tab in place of a value.
public enum ValueCompletion: Equatable, Sendable {
  /// Nothing.
  case none
  /// Names of files and directories.
  case file
  /// Names of directories.
  case directory
  /// These words, although others are accepted too. Each consists of ASCII letters, digits and `.`, `_`, `-`, `/`, `+`,
  /// so that no shell needs to quote it.
  case words([String])
  /// The names of the tool's commands and topics.
  case helpSubjects
  /// What the tool itself says: `TOOL complete KIND -- CURRENT WORD…` prints a candidate a line, for the word that is typed
  /// and the words before it; names of files as well if asked for. The kind consists of lower-case letters.
  case asks(String, orFiles: Bool = false)
}
