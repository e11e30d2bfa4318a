/// Why a command line is invalid. The tool then exits with code 2.
///
/// The description is one line with the place, the reason, the nearest valid names and what to type next:
/// `pj log: unknown option '--tpye'; nearest: --type. Next: pj help log`. Words from the command line are shown with
/// control characters escaped and truncated to 60 columns.
public struct ArgumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: Equatable, Sendable {
    /// No command is given.
    case missingCommand
    /// No command has this name.
    case unknownCommand(String)
    /// No command and no topic has this name.
    case unknownTopic(String)
    /// Neither the command nor the tool has this option. The second word is the whole word typed if it is more than the
    /// option, as in a group of short options.
    case unknownOption(String, in: String)
    /// A command's option precedes the command.
    case misplacedOption(String)
    /// The last word is an option that needs a value.
    case missingValue(option: String, placeholder: String)
    /// A flag was given a value with `=`.
    case unexpectedValue(option: String, value: String)
    /// An option of other actions of the command, which are named.
    case otherAction(String, [String])
    /// An option that is not repeatable is given more than once.
    case repeatedOption(String)
    /// The ``ValueRule`` of an option or positional does not accept the value.
    case unacceptedValue(of: String, value: String, expected: String)
    /// The command needs more words; the value is the name of the first missing one.
    case missingPositional(String)
    /// The command takes fewer words; the value is the first superfluous one.
    case extraPositional(String)
    /// A reason found by the command itself, as a phrase.
    case refused(String)
  }

  /// The kind of error.
  public let code: Code
  /// The tool's name, followed by the command's if known.
  public let place: String
  /// Valid names similar to the one typed, nearest first.
  public let nearest: [String]
  /// What to type next.
  public var next: String

  /// For a reason found by a command, use ``ParsedArguments/refused(_:nearest:next:)``.
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
    case .unknownTopic(let word): "no command or topic is named \(Self.quoted(word))"
    case .unknownOption(let option, let word):
      option == word
        ? "unknown option \(Self.quoted(option))" : "unknown option \(Self.quoted(option)) in \(Self.quoted(word))"
    case .misplacedOption(let option): "the option \(Self.quoted(option)) belongs to a command and must follow it"
    case .missingValue(let option, let placeholder): "the option \(option) needs a value, \(placeholder)"
    case .unexpectedValue(let option, let value):
      "the option \(option) takes no value, but \(Self.quoted(value)) is given"
    case .otherAction(let option, let actions): "\(option) applies to \(Self.enumerated(actions)) only"
    case .repeatedOption(let option): "the option \(option) is given twice"
    case .unacceptedValue(let name, let value, let expected): "\(name) is \(expected), not \(Self.quoted(value))"
    case .missingPositional(let name): "\(name) is missing"
    case .extraPositional(let word): "unexpected word \(Self.quoted(word))"
    case .refused(let reason): TerminalText.visible(reason)
    }
  }

  /// The words as a sentence lists them.
  private static func enumerated(_ words: [String]) -> String {
    [words.dropLast().joined(separator: ", "), words.last ?? ""].filter { !$0.isEmpty }.joined(separator: " and ")
  }

  /// A word from outside in quotes, safe to print and of limited length.
  private static func quoted(_ word: String) -> String {
    "'\(shown(word))'"
  }

  private static func shown(_ word: String) -> String {
    // Only the part of a very long word that is shown is escaped.
    TerminalText.truncated(TerminalText.visible(String(word.unicodeScalars.prefix(240))), to: 60)
  }
}
