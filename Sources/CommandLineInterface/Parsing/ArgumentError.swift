/// Why a command line cannot be carried out. Tools end with exit code 2 because of it.
///
/// Its description is one line that names the place, the reason, the nearest valid names and what to type next:
/// `pj log: unknown option '--tpye'; nearest: --type. Next: pj help log`. What came from the command line is shown with
/// control characters made visible, and cut after 60 columns.
public struct ArgumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: Equatable, Sendable {
    /// There is no command.
    case missingCommand
    /// No command has this name.
    case unknownCommand(String)
    /// No command and no topic has this name.
    case unknownTopic(String)
    /// Neither the command nor the tool has this option. The second word is what was typed when that is more than the
    /// option, as in a group of short options.
    case unknownOption(String, in: String)
    /// An option of some command stands before the command.
    case misplacedOption(String)
    /// An option with a value is the last word.
    case missingValue(option: String, placeholder: String)
    /// A flag was given a value with `=`.
    case unexpectedValue(option: String, value: String)
    /// An option that may be given once was given again.
    case repeatedOption(String)
    /// The value of an option or positional is not what its ``ValueRule`` accepts.
    case unacceptedValue(of: String, value: String, expected: String)
    /// There are fewer words than the command needs; the name of the first that is missing.
    case missingPositional(String)
    /// There are more words than the command takes; the first that is too much.
    case extraPositional(String)
    /// A reason that the command itself found, as a phrase.
    case refused(String)
  }

  /// What is wrong.
  public let code: Code
  /// Where: the tool's name and, if there is one, the command's.
  public let place: String
  /// Valid names that resemble what was typed, the nearest first.
  public let nearest: [String]
  /// What to type next.
  public var next: String

  /// Creates an error. Use ``ParsedArguments/refused(_:nearest:next:)`` for a reason found by a command.
  public init(_ code: Code, place: String, nearest: [String] = [], next: String) {
    self.code = code
    self.place = place
    self.nearest = nearest
    self.next = next
  }

  /// One line: place, reason, nearest names, next step.
  public var description: String {
    let names = nearest.isEmpty ? "" : "; nearest: " + nearest.map(Self.shown).joined(separator: ", ")
    return "\(place): \(reason)\(names). Next: \(next)"
  }

  private var reason: String {
    switch code {
    case .missingCommand: "no command is given"
    case .unknownCommand(let word): "unknown command \(Self.quoted(word))"
    case .unknownTopic(let word): "no command and no topic is called \(Self.quoted(word))"
    case .unknownOption(let option, let word):
      option == word
        ? "unknown option \(Self.quoted(option))" : "unknown option \(Self.quoted(option)) in \(Self.quoted(word))"
    case .misplacedOption(let option): "the option \(Self.quoted(option)) belongs to a command and stands after it"
    case .missingValue(let option, let placeholder): "the option \(option) needs a value, \(placeholder)"
    case .unexpectedValue(let option, let value):
      "the option \(option) takes no value, and \(Self.quoted(value)) is given"
    case .repeatedOption(let option): "the option \(option) is given twice"
    case .unacceptedValue(let name, let value, let expected): "\(name) is \(expected), not \(Self.quoted(value))"
    case .missingPositional(let name): "\(name) is missing"
    case .extraPositional(let word): "one word too many, \(Self.quoted(word))"
    case .refused(let reason): TerminalText.visible(reason)
    }
  }

  /// A word from outside in quotation marks, safe to print and not too long.
  private static func quoted(_ word: String) -> String {
    "'\(shown(word))'"
  }

  private static func shown(_ word: String) -> String {
    // A word of a megabyte is made visible only as far as it is shown.
    TerminalText.truncated(TerminalText.visible(String(word.unicodeScalars.prefix(240))), to: 60)
  }
}
