import PlainText

/// Parses a command line according to a table.
///
/// The rules are those of GNU tools (POSIX Utility Conventions, 12.2, with the additions of `getopt_long`):
///
/// - `--name value`, `--name=value`, `-n value`, `-nvalue`; short flags may be joined, and the last of a group may have
///   a value, as in `-rj` and `-rn5`. Long options cannot be abbreviated.
/// - Options may appear anywhere after the command, global ones also before it. `--` ends the options.
/// - An option with a value always takes the next word, so `--since -1d` works.
/// - A single dash, and a dash followed by a digit (`-2h`), is a positional. A dash followed by digits only (`-5`) is
///   the value of the command's option that takes bare numbers, if it has one.
/// - `-h` or `--help` anywhere requests help and overrides every error except an unknown command.
struct ArgumentParser {
  private let tool: CommandLineTool
  private var command: CommandDescription?
  private var words: [String] = []
  private var occurrences: [ParsedArguments.Occurrence] = []
  /// The first error found. Parsing continues, because a request for help may follow.
  private var firstError: ArgumentError?

  init(_ tool: CommandLineTool) {
    self.tool = tool
  }

  mutating func parse(_ line: some Sequence<String>) throws(ArgumentError) -> Invocation {
    var rest = line.makeIterator()
    var optionsHaveEnded = false
    var isEmpty = true
    while let word = rest.next() {
      isEmpty = false
      if !optionsHaveEnded, let option = bareOption(word) {
        addOption(option, as: word, inline: String(word.dropFirst()), &rest)
      } else if optionsHaveEnded || !Self.isOption(word) {
        try addPositional(word)
      } else if word == "--" {
        optionsHaveEnded = true
      } else if word.utf8.starts(with: "--".utf8) {
        readLong(word, &rest)
      } else {
        readShort(word, &rest)
      }
    }
    if isGiven(CommandLineTool.help) {
      return command.map { .help(words.first.flatMap($0.action) ?? $0) } ?? .overview
    }
    if let firstError { throw firstError }
    if isGiven(CommandLineTool.versionOption) { return .version }
    guard let command else {
      // As in Cargo and most tools with commands, the name alone shows the overview.
      guard !isEmpty else { return .overview }
      throw error(.missingCommand)
    }
    let action = try chosenAction(of: command)
    let assignment = try assign(to: action ?? command)
    return .run(
      ParsedArguments(tool: tool, command: command, action: action, assignment: assignment, occurrences: occurrences))
  }

  /// The action that the first word selects, once the options are known to be its own; `nil` where the command has none.
  private mutating func chosenAction(of command: CommandDescription) throws(ArgumentError) -> CommandDescription? {
    guard let choice = command.choice else { return nil }
    guard !words.isEmpty else { throw error(.missingPositional(choice.name)) }
    let word = words.removeFirst()
    check(word, choice.rule, choice.name)
    if let firstError { throw firstError }
    guard let action = command.action(named: word) else { return nil }
    for given in occurrences where !(action.options + tool.globalOptions).contains(where: { $0.name == given.option }) {
      let owners = command.actions.filter { $0.options.contains { $0.name == given.option } }.map(\.name)
      throw error(.otherAction("--" + given.option, owners))
    }
    for option in action.options {
      for value in occurrences.filter({ $0.option == option.name }).compactMap(\.value) {
        check(value, option.rule, option.longWord)
      }
    }
    return action
  }

  /// The option that takes a word such as `-5` as its value.
  private func bareOption(_ word: String) -> OptionDescription? {
    let digits = word.utf8.dropFirst()
    guard word.utf8.first == UInt8(ascii: "-"), !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return command?.allOptions.first(where: \.takesBareNumbers)
  }

  /// Whether a word has the form of an option.
  private static func isOption(_ word: String) -> Bool {
    let scalars = word.unicodeScalars.prefix(2)
    guard scalars.count == 2, scalars.first == "-", let second = scalars.last else { return false }
    return !("0"..."9").contains(second)
  }

  private mutating func addPositional(_ word: String) throws(ArgumentError) {
    guard command == nil else {
      words.append(word)
      return
    }
    guard let found = tool.command(named: word) else {
      // What looks like a command may be the value of an option that is unknown.
      if let firstError { throw firstError }
      throw error(.unknownCommand(word), nearest: tool.commands(meantBy: word))
    }
    command = found
  }

  private mutating func readLong(_ word: String, _ rest: inout some IteratorProtocol<String>) {
    // Compares scalars, not characters: a combining mark may follow the equals sign.
    let scalars = word.unicodeScalars
    let equals = scalars.firstIndex(of: "=")
    let name = String(scalars[..<(equals ?? scalars.endIndex)].dropFirst(2))
    guard let option = option(where: { $0.name == name }) else {
      recordUnknown("--" + name, { $0.name == name })
      return
    }
    addOption(option, as: option.longWord, inline: equals.map { String(scalars[$0...].dropFirst()) }, &rest)
  }

  private mutating func readShort(_ word: String, _ rest: inout some IteratorProtocol<String>) {
    var letters = word.unicodeScalars.dropFirst()
    while let letter = letters.popFirst().map(Character.init) {
      guard let option = option(where: { $0.short == letter }) else {
        recordUnknownShort(letter, in: word)
        return
      }
      let inline = option.isFlag || letters.isEmpty ? nil : String(letters)
      addOption(option, as: "-" + String(letter), inline: inline, &rest)
      if !option.isFlag { return }
    }
  }

  /// Records an option with its value, from after the equals sign or from the next word.
  private mutating func addOption(
    _ option: OptionDescription, as typed: String, inline: String?, _ rest: inout some IteratorProtocol<String>
  ) {
    guard let placeholder = option.placeholder else {
      if let inline { record(.unexpectedValue(option: typed, value: inline)) }
      occurrences.append(.init(option.name, nil))
      return
    }
    guard let value = inline ?? rest.next() else {
      record(.missingValue(option: typed, placeholder: placeholder))
      return
    }
    // Another action may take other values of it.
    let isOfAction = command?.actions.contains { $0.options.contains { $0.name == option.name } } ?? false
    if !isOfAction { check(value, option.rule, typed) }
    if !option.isRepeatable, isGiven(option) { record(.repeatedOption(typed)) }
    occurrences.append(.init(option.name, value))
  }

  private mutating func check(_ value: String, _ rule: ValueRule, _ name: String) {
    guard !rule.accepts(value), let expected = rule.phrase else { return }
    var nearest: [String] = []
    if case .oneOf(let choices) = rule { nearest = tool.nearest(to: value, in: choices) }
    record(.unacceptedValue(of: name, value: value, expected: expected), nearest: nearest)
  }

  /// Distributes the words among the command's positionals; see ``ParsedArguments/positionals(_:)``.
  private mutating func assign(to command: CommandDescription) throws(ArgumentError) -> [[String]] {
    var rest = words[...]
    var required = command.positionals.reduce(0) { $0 + $1.minimum }
    var assignment: [[String]] = []
    for positional in command.positionals {
      required -= positional.minimum
      // If there are too few words, the first positionals receive theirs, so that the error names the missing one.
      let available = max(rest.count - required, positional.minimum)
      let taken = rest.prefix(min(available, positional.maximum))
      guard taken.count >= positional.minimum else { throw error(.missingPositional(positional.name)) }
      for word in taken { check(word, positional.rule, positional.name) }
      assignment.append(Array(taken))
      rest = rest.dropFirst(taken.count)
    }
    if let word = rest.first { throw error(.extraPositional(word)) }
    if let firstError { throw firstError }
    return assignment
  }

  /// The options allowed here, the command's own first.
  private var options: [OptionDescription] { (command?.allOptions ?? []) + tool.globalOptions }

  private func option(where matches: (OptionDescription) -> Bool) -> OptionDescription? {
    options.first(where: matches)
  }

  private func isGiven(_ option: OptionDescription) -> Bool {
    occurrences.contains { $0.option == option.name }
  }

  private mutating func recordUnknown(_ typed: String, _ matches: (OptionDescription) -> Bool) {
    guard firstError == nil else { return }
    if command == nil, tool.commands.contains(where: { $0.allOptions.contains(where: matches) }) {
      record(.misplacedOption(typed), nearest: synonyms(of: typed))
    } else {
      let meant = synonyms(of: typed)
      record(
        .unknownOption(typed, in: typed),
        nearest: meant.isEmpty ? nearestOptions(to: String(typed.dropFirst(2))) : meant)
    }
  }

  private mutating func recordUnknownShort(_ letter: Character, in word: String) {
    guard firstError == nil else { return }
    let typed = "-" + String(letter)
    if command == nil, tool.commands.contains(where: { $0.allOptions.contains { $0.short == letter } }) {
      record(.misplacedOption(typed), nearest: synonyms(of: typed))
      return
    }
    // `-type` is more often a long option with a missing dash than a group of short ones.
    var nearest = synonyms(of: typed)
    if nearest.isEmpty, word.count > 2 { nearest = nearestOptions(to: String(word.dropFirst())) }
    if nearest.isEmpty {
      let otherCase = option { $0.short?.lowercased() == letter.lowercased() }
      nearest = otherCase?.shortWord.map { [$0] } ?? []
    }
    record(.unknownOption(typed, in: word), nearest: nearest)
  }

  /// The options here that have the name which a word has in other tools.
  private func synonyms(of typed: String) -> [String] {
    (tool.synonyms[typed] ?? []).filter { word in
      word.hasPrefix(">") || options.contains { $0.words.contains(word) }
    }
  }

  private func nearestOptions(to name: String) -> [String] {
    EditDistance.nearest(to: name, in: options.map(\.name)).map { "--" + $0 }
  }

  private mutating func record(_ code: ArgumentError.Code, nearest: [String] = []) {
    if firstError == nil { firstError = error(code, nearest: nearest) }
  }

  private func error(_ code: ArgumentError.Code, nearest: [String] = []) -> ArgumentError {
    let suffix = command.map { " " + $0.name } ?? ""
    return ArgumentError(code, place: tool.name + suffix, nearest: nearest, next: "\(tool.name) help\(suffix)")
  }
}

/// What a command line requests.
public enum Invocation: Equatable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show the help of a command, or of one of its actions: ``CommandLineTool/helpText(for:width:style:)``.
  case help(CommandDescription)
  /// Show an overview of the tool: ``CommandLineTool/overview(width:style:)``.
  case overview
  /// Print ``CommandLineTool/version``.
  case version
}

extension CommandLineTool {
  /// Parses a command line.
  ///
  /// Options follow the GNU tools: `--name value`, `--name=value`, `-n value`, `-nvalue`, joined short flags; `--` ends
  /// the options. Options may appear anywhere after the command, global ones also before it. An option with a value
  /// always takes the next word, and a dash followed by a digit is a positional, so `-2h` can be either. `--help` and
  /// `-h` anywhere request help.
  ///
  /// - Parameter words: The words after the tool's own name.
  /// - Throws: ``ArgumentError`` for the first error.
  public func parse(_ words: some Sequence<String>) throws(ArgumentError) -> Invocation {
    var parser = ArgumentParser(self)
    return try parser.parse(words)
  }
}
