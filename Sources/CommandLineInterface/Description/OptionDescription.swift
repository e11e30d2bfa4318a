/// An option: a word with dashes that may stand anywhere after the command.
public struct OptionDescription: Equatable, Sendable {
  /// The long name without its dashes: lower-case ASCII letters, digits and hyphens. It is written `--name`.
  public var name: String
  /// The short name, one ASCII letter, written `-n`; `nil` when there is none. A digit would make positions such as
  /// `-2h` ambiguous and is refused by ``CommandLineTool/problems()``.
  public var short: Character?
  /// What the value is called in the help, in upper case; `nil` for a flag, which has no value.
  public var placeholder: String?
  /// Which values are accepted.
  public var rule: ValueRule
  /// Whether the option may be given more than once.
  public var isRepeatable: Bool
  /// The value that holds when the option is not given; `nil` when there is none.
  public var defaultValue: String?
  /// What a shell offers for the value. Where ``rule`` is a closed list, that list is offered instead.
  public var completion: ValueCompletion
  /// Whether a dash with digits alone gives its value: `-5` for `-n 5`.
  public var takesBareNumbers: Bool
  /// What the option does, as one sentence with a full stop.
  public var meaning: String

  /// Creates a description of an option with a value, or of a flag when `placeholder` is `nil`.
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

  /// The option as it is typed, the long form: `--name`.
  public var longWord: String { "--" + name }

  /// The option as it is typed, the short form: `-n`; `nil` when there is none.
  public var shortWord: String? { short.map { "-" + String($0) } }

  /// Every way the option is typed, the short form first.
  var words: [String] { (shortWord.map { [$0] } ?? []) + [longWord] }
}
