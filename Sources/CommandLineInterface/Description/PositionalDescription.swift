/// A word of a command line that is not an option, identified by its position.
public struct PositionalDescription: Equatable, Sendable {
  /// Its name in the help, in upper case.
  public var name: String
  /// Number of words it takes.
  public var count: Count
  /// Which words are accepted.
  public var rule: ValueRule
  /// What a shell offers. If ``rule`` is a closed list, the shell offers that list instead.
  public var completion: ValueCompletion
  /// What it means, as one sentence with a full stop.
  public var meaning: String

  /// How many words a positional takes.
  public enum Count: Equatable, Sendable {
    /// Exactly one.
    case one
    /// One or none.
    case optional
    /// Any number, including none.
    case many
    /// One or more.
    case atLeastOne
  }

  /// Takes any single word by default.
  public init(
    _ name: String, _ count: Count = .one, accepting rule: ValueRule = .anything, completion: ValueCompletion = .none,
    _ meaning: String
  ) {
    self.name = name
    self.count = count
    self.rule = rule
    self.completion = completion
    self.meaning = meaning
  }

  /// The fewest words it takes.
  var minimum: Int { count == .one || count == .atLeastOne ? 1 : 0 }

  /// The most words it takes.
  var maximum: Int { count == .one || count == .optional ? 1 : .max }

  /// Its form in a usage line, as in GNU tools: `PATH`, `[PATH]`, `PATH...`, `[PATH]...`.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many: "[\(name)]..."
    case .atLeastOne: "\(name)..."
    }
  }
}
