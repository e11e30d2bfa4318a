extension CommandLineTool {
  /// The mistakes in the table, one sentence each; a test of the tool asserts that there are none. The rules:
  ///
  /// - Names are unique and consist of lower-case ASCII letters, digits and hyphens; short names are ASCII letters.
  /// - Every command has exactly three examples, and each parses.
  /// - Every meaning is given; defaults satisfy their own rules; flags have no attributes of values.
  /// - At most one positional of a command takes any number of words, and it comes last.
  /// - Words offered by completions need no quoting in any shell.
  /// - Exit codes ascend and lie in 0...255.
  public func problems() -> [String] {
    var found: [String] = []
    found += Self.repeated(helpSubjects).map { "\(name): two commands or topics are named \($0)" }
    found += ([name] + helpSubjects).filter { !Self.isName($0) }.map { "\(name): \($0) is not a lower-case name" }
    found += problems(of: options, at: name)
    found += Self.problems(of: exitCodes, at: name)
    for topic in topics where topic.summary.isEmpty || topic.body().isEmpty {
      found.append("\(name) help \(topic.name): the topic is empty")
    }
    for command in commands { found += problems(of: command) }
    let known = Set(
      (commands + commands.flatMap(\.forms)).flatMap { $0.options.flatMap(\.words) } + globalOptions.flatMap(\.words)
    )
    .union(commands.flatMap { [$0.name] + $0.actions.map(\.name) })
    for (word, instead) in synonyms.sorted(by: { $0.key < $1.key }) {
      found += instead.filter { !$0.hasPrefix(">") && !known.contains($0) }.map {
        "\(name): \(word) stands for \($0), which is unknown"
      }
      if command(named: word) != nil { found.append("\(name): \(word) is a command and a synonym") }
    }
    return found
  }

  private func problems(of command: CommandDescription) -> [String] {
    let place = "\(name) \(command.name)"
    var found = problems(of: command.options, at: place)
    found += Self.problems(of: command.exitCodes, at: place)
    if command.summary.isEmpty { found.append("\(place): the summary is empty") }
    if command.examples.count != 3 { found.append("\(place): there are \(command.examples.count) examples, not three") }
    for example in command.examples { found += problems(of: example, at: place, for: command) }
    for action in command.actions { found += problems(of: action, of: command) }
    return found + problems(ofWords: command, at: place)
  }

  /// Those of an action: it may have as many examples as it needs, and shares no option with the command. An option that it
  /// shares with another action takes a value in both or in neither, so that it can stand before the action.
  private func problems(of action: CommandDescription, of command: CommandDescription) -> [String] {
    let place = "\(name) \(command.name) \(action.name)"
    var found = problems(of: action.options, at: place)
    found += Self.problems(of: action.exitCodes, at: place)
    if !Self.isName(action.name) { found.append("\(place): \(action.name) is not a lower-case name") }
    if action.summary.isEmpty { found.append("\(place): the summary is empty") }
    for example in action.examples { found += problems(of: example, at: place, for: command) }
    found += Self.repeated((action.options + command.options).map(\.name)).map {
      "\(place): two options are named \($0)"
    }
    for option in action.options {
      guard let first = command.allOptions.first(where: { $0.name == option.name }) else { continue }
      if (first.short, first.isFlag, first.isRepeatable) != (option.short, option.isFlag, option.isRepeatable) {
        found.append("\(place): \(option.longWord) has another form in another action")
      }
    }
    return found + problems(ofWords: action, at: place)
  }

  private func problems(ofWords command: CommandDescription, at place: String) -> [String] {
    var found: [String] = []
    for positional in command.positionals {
      if positional.meaning.isEmpty { found.append("\(place): \(positional.name) has no meaning") }
      found += problems(of: offer(positional.rule, positional.completion), at: "\(place): \(positional.name)")
    }
    found += Self.repeated(command.positionals.map(\.name)).map { "\(place): two positionals are named \($0)" }
    if command.positionals.dropLast().contains(where: { $0.maximum > 1 }) {
      found.append("\(place): only the last positional can take any number of words")
    }
    return found
  }

  private func problems(of options: [OptionDescription], at place: String) -> [String] {
    // Global options are checked together with the built-in ones, and a command's options together with both.
    let all = place == name ? globalOptions : options + globalOptions
    var found = Self.repeated(all.flatMap(\.words)).map { "\(place): two options are named \($0)" }
    for option in options {
      let here = "\(place): \(option.longWord)"
      if !Self.isName(option.name) { found.append("\(here) is not a lower-case name") }
      if let short = option.short, !(short.isASCII && short.isLetter) {
        found.append("\(here) has the short name \(short), which is not an ASCII letter")
      }
      if option.meaning.isEmpty { found.append("\(here) has no meaning") }
      if option.isFlag, option.rule != .anything || option.defaultValue != nil || option.completion != .none {
        found.append("\(here) is a flag but describes a value")
      }
      if let value = option.defaultValue, !option.rule.accepts(value) {
        found.append("\(here) does not accept its own default, \(value)")
      }
      found += problems(of: offer(option.rule, option.completion), at: here)
    }
    return found
  }

  private func problems(of offer: Offer, at place: String) -> [String] {
    guard case .words(let words) = offer else { return [] }
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+")
    let unsafe = words.filter { $0.isEmpty || $0.hasPrefix("-") || !$0.allSatisfy(plain.contains) }
    return unsafe.map { "\(place) offers '\($0)', which a shell would have to quote" }
  }

  private func problems(
    of example: CommandDescription.Example, at place: String, for command: CommandDescription
  ) -> [String] {
    let here = "\(place): the example '\(example.line)'"
    var found = example.explanation.isEmpty ? ["\(here) is not explained"] : []
    guard let segments = Self.segments(ofShellLine: example.line) else {
      return found + ["\(here) has an unmatched quotation mark"]
    }
    var usesCommand = false
    for words in segments where words.first == name {
      do throws(ArgumentError) {
        switch try parse(words.dropFirst()) {
        case .run(let arguments): usesCommand = usesCommand || arguments.command.name == command.name
        case .help(let asked): usesCommand = usesCommand || asked.name == command.name
        case .overview, .version: break
        }
      } catch {
        found.append("\(here) does not parse: \(error)")
        usesCommand = true
      }
    }
    if !usesCommand { found.append("\(here) does not use the command") }
    return found
  }

  private static func problems(of codes: [ExitCodeDescription], at place: String) -> [String] {
    var found = codes.filter { $0.meaning.isEmpty }.map { "\(place): exit code \($0.code) has no meaning" }
    found += codes.filter { !(0...255).contains($0.code) }.map { "\(place): \($0.code) is not an exit code" }
    if zip(codes, codes.dropFirst()).contains(where: { $0.code >= $1.code }) {
      found.append("\(place): the exit codes do not ascend")
    }
    return found
  }

  private static func isName(_ word: String) -> Bool {
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
    return !word.isEmpty && !word.hasPrefix("-") && word.allSatisfy(letters.contains)
  }

  private static func repeated(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { !seen.insert($0).inserted }
  }

  /// The words of each command in a line of shell, with quotes resolved and redirections removed; `nil` if a quotation
  /// mark is unmatched. Understands only as much shell syntax as examples need, and no expansion.
  static func segments(ofShellLine line: String) -> [[String]]? {
    var segments: [[String]] = []
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isRedirected = false
    var rest = line[...]
    func ended(_ words: [String], _ word: String?) -> [String] {
      words + (isRedirected ? [] : word.map { [$0] } ?? [])
    }
    while let character = rest.popFirst() {
      switch (character, quote) {
      case (let mark, .some(let open)) where mark == open: quote = nil
      case ("\\", .none), ("\\", .some("\"")): word = (word ?? "") + (rest.popFirst().map { String($0) } ?? "")
      case (_, .some): word = (word ?? "") + String(character)
      case ("'", .none), ("\"", .none):
        quote = character
        word = word ?? ""
      case (" ", .none), ("|", .none), (";", .none), ("&", .none), (">", .none), ("<", .none):
        words = ended(words, word)
        word = nil
        if character == ">" || character == "<" { isRedirected = true }
        if character == "|" || character == ";" || character == "&" {
          segments.append(words)
          words = []
          isRedirected = false
        }
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    segments.append(ended(words, word))
    return segments.filter { !$0.isEmpty }
  }
}
