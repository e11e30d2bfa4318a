import CommandLineInterface
import CommandSupport
import Forensics

/// The texts of commands with the name of another tool than `pj`, for which they are written.
enum ToolName {
  /// The text with another name in place of the word `pj`, which is no part of another word or name.
  static func replaced(in text: String, by name: String) -> String {
    var result = ""
    // A tool of a domain has no command that lists events.
    var rest = text.replacing("pj log", with: "pj stats").replacing("pj show", with: "pj state")[...]
    while let place = rest.firstRange(of: "pj") {
      let before = rest[..<place.lowerBound]
      let (one, other) = (before.last ?? result.last, rest[place.upperBound...].first)
      let isWord = !(one.map(isPart) ?? false) && !(other.map { $0 != "." && isPart($0) } ?? false)
      result += before
      result += isWord ? name : "pj"
      rest = rest[place.upperBound...]
    }
    return result + rest
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "._-/".contains(character)
  }
}

extension HelpBlock {
  func renamed(to name: String) -> HelpBlock {
    switch self {
    case .paragraph(let text): .paragraph(ToolName.replaced(in: text, by: name))
    case .preformatted(let lines): .preformatted(lines.map { ToolName.replaced(in: $0, by: name) })
    case .definitions(let terms):
      .definitions(
        terms.map {
          Definition(ToolName.replaced(in: $0.term, by: name), ToolName.replaced(in: $0.meaning, by: name))
        })
    case .exitCodes: .exitCodes
    }
  }
}

extension HelpTopic {
  func renamed(to name: String) -> HelpTopic {
    let body = body
    return HelpTopic(
      self.name, ToolName.replaced(in: summary, by: name), body().map { $0.renamed(to: name) })
  }
}

extension CommandDescription {
  /// The description as another tool shows it.
  func renamed(to name: String) -> CommandDescription {
    func shown(_ text: String) -> String { ToolName.replaced(in: text, by: name) }
    var command = self
    command.summary = shown(summary)
    command.discussion = discussion.map { $0.renamed(to: name) }
    command.examples = examples.map { Example(shown($0.line), shown($0.explanation)) }
    for place in positionals.indices { command.positionals[place].meaning = shown(positionals[place].meaning) }
    for place in options.indices { command.options[place].meaning = shown(options[place].meaning) }
    command.exitCodes = exitCodes.map { ExitCodeDescription($0.code, shown($0.meaning)) }
    command.actions = actions.map { $0.renamed(to: name) }
    return command
  }

  /// The description with the examples that a tool of a domain can have: those that name no path, event type or command that it
  /// lacks. Where none is left, the first one asks about a part of the domain's own states.
  func fitting(_ domain: AnyDomain, commands: Set<String>) -> CommandDescription {
    var command = self
    func words(_ line: String) -> [Substring] { line.split { " '\"".contains($0) } }
    command.examples = examples.filter { example in
      let words = words(example.line)
      let called = zip(words, words.dropFirst()).filter { $0.0 == "pj" }.map { String($0.1) }
      return words.dropFirst().allSatisfy { domain.mayHave($0) } && commands.isSuperset(of: called)
    }
    if command.examples.isEmpty, let first = examples.first, let slice = domain.sliceNames.first {
      let own = words(first.line).map { domain.mayHave($0) ? String($0) : "/\(slice)" }
      command.examples = [Example(own.joined(separator: " "), first.explanation)]
    }
    return command
  }
}

extension AnyDomain {
  /// Whether a word of an example is none of a state's paths and no event type, or one that the domain has.
  fileprivate func mayHave(_ word: Substring) -> Bool {
    // What a shell replaces is no path of a state.
    if word.hasPrefix("~") || word.hasPrefix(">") { return true }
    if word.hasPrefix("/") {
      let name = word.dropFirst().prefix { $0 != "/" }
      return name.isEmpty || sliceNames.contains(String(name))
    }
    let name = word.prefix { !"@#".contains($0) }
    guard name.contains("."), !Self.endings.contains(where: { name.hasSuffix($0) }) else { return true }
    let pattern = Glob(String(name))
    return entries.contains { pattern.matches($0.name) }
  }

  /// The endings of the files in examples.
  private static let endings = [".pj", ".pjx", ".zip", ".html", ".txt"]
}
