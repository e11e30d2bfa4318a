/// An option: a word with dashes, allowed anywhere after the command.
public struct OptionDescription: Equatable, Sendable {
  /// The long name without its dashes: lower-case ASCII letters, digits and hyphens. It is written `--name`.
  public var name: String
  /// The short name, one ASCII letter, written `-n`; `nil` for none. A digit would make positions such as `-2h`
  /// ambiguous; ``CommandLineTool/problems()`` rejects it.
  public var short: Character?
  /// The name of the value in the help, in upper case; `nil` for a flag, which has no value.
  public var placeholder: String?
  /// Which values are accepted.
  public var rule: ValueRule
  /// Whether the option may be given more than once.
  public var isRepeatable: Bool
  /// The value used when the option is not given; `nil` for none.
  public var defaultValue: String?
  /// What a shell offers for the value. If ``rule`` is a closed list, the shell offers that list instead.
  public var completion: ValueCompletion
  /// Whether a dash followed by digits is its value: `-5` for `-n 5`.
  public var takesBareNumbers: Bool
  /// What the option does, as one sentence with a full stop.
  public var meaning: String

  /// An option with a value, or a flag if `placeholder` is `nil`.
  public init(
    _ name: String, short: Character? = nil, value placeholder: String? = nil, accepting rule: ValueRule = .anything,
    repeatable isRepeatable: Bool = false, default defaultValue: String? = nil, completion: ValueCompletion = .none,
    bareNumbers takesBareNumbers: Bool = false, _ meaning: String
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.rule = rule
    self.isRepeatable = isRepeatable
    self.defaultValue = defaultValue
    self.completion = completion
    self.takesBareNumbers = takesBareNumbers
    self.meaning = meaning
  }

  /// Whether the option has no value.
  public var isFlag: Bool { placeholder == nil }

  /// The long form as typed: `--name`.
  public var longWord: String { "--" + name }

  /// The short form as typed: `-n`; `nil` if there is none.
  public var shortWord: String? { short.map { "-" + String($0) } }

  /// All forms as typed, the short form first.
  var words: [String] { (shortWord.map { [$0] } ?? []) + [longWord] }
}
