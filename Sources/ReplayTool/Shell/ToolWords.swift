import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics

/// The texts of commands, which are written for `pj`, in the words of another tool: its name in place of `pj`, and what
/// its domain has in place of what app protection has.
struct ToolWords {
  private let name: String
  private let replacements: [(text: String, other: String)]

  init(_ name: String, _ domain: AnyDomain) {
    self.name = name
    let type = domain.entries.first?.name ?? StateMigration.descriptor.name
    let pattern = String(type.prefix { $0 != "." }) + ".*"
    let part = "/" + (domain.sliceNames.first ?? "")
    replacements =
      [
        ("wipe.requested", type), ("wipe.*", pattern), ("policy.*", pattern), ("/policies/a1/version", part),
        ("/policies/a1", part), ("/PART", part), ("/accounts/a1/enrollment/status", part),
        ("/accounts/a1/enrollment", part), ("problem, wiped, abandoned", "problem, abandoned"),
      ] + (domain.hasAccounts ? [] : Self.withoutAccounts)
  }

  /// What is said without accounts of events that name none.
  private static let withoutAccounts = [
    ("type, account and ", "type and "), ("accounts are pseudonyms and personal data", "personal data"),
    (": object ids, names, error texts", ": names, error texts"),
  ]

  /// A text in these words.
  func shown(_ text: String) -> String {
    replaced(in: replacements.reduce(text) { $0.replacing($1.text, with: $1.other) })
  }

  /// The name stands in place of the word `pj`, which is no part of another word or name.
  private func replaced(in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let place = rest.firstRange(of: "pj") {
      let before = rest[..<place.lowerBound]
      let (one, other) = (before.last ?? result.last, rest[place.upperBound...].first)
      let isWord = !(one.map(Self.isPart) ?? false) && !(other.map { $0 != "." && Self.isPart($0) } ?? false)
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
  func shown(in words: ToolWords) -> HelpBlock {
    switch self {
    case .paragraph(let text): .paragraph(words.shown(text))
    case .preformatted(let lines): .preformatted(lines.map(words.shown))
    case .definitions(let terms):
      .definitions(terms.map { Definition(words.shown($0.term), words.shown($0.meaning)) })
    case .exitCodes: .exitCodes
    }
  }
}

extension HelpTopic {
  func shown(in words: ToolWords) -> HelpTopic {
    HelpTopic(name, words.shown(summary), body().map { $0.shown(in: words) })
  }
}

extension CommandDescription {
  /// The description as another tool shows it.
  func shown(in words: ToolWords) -> CommandDescription {
    var command = self
    command.summary = words.shown(summary)
    command.discussion = discussion.map { $0.shown(in: words) }
    command.examples = examples.map { Example(words.shown($0.line), words.shown($0.explanation)) }
    for place in positionals.indices { command.positionals[place].meaning = words.shown(positionals[place].meaning) }
    for place in options.indices { command.options[place].meaning = words.shown(options[place].meaning) }
    command.exitCodes = exitCodes.map { ExitCodeDescription($0.code, words.shown($0.meaning)) }
    command.actions = actions.map { $0.shown(in: words) }
    return command
  }

  /// The description with the examples that a tool of a domain can have: those that name no path, event type or command that it
  /// lacks. Where none is left, the first one asks about a part of the domain's own states.
  func fitting(_ domain: AnyDomain, commands: Set<String>) -> CommandDescription {
    var command = self
    if !domain.hasAccounts { command.options.removeAll { $0.name == "account" } }
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
    // What a shell replaces is no path of a state, and the other stands for a part of the domain's own states.
    if word == "/PART" || word.hasPrefix("~") || word.hasPrefix(">") { return true }
    if word.hasPrefix("/") {
      let name = word.dropFirst().prefix { $0 != "/" }
      return name.isEmpty || sliceNames.contains(String(name))
    }
    if let dots = word.firstRange(of: "..") {
      return mayHave(word[..<dots.lowerBound]) && mayHave(word[dots.upperBound...])
    }
    let name = word.prefix { !"@#".contains($0) }
    guard name.contains("."), !Self.endings.contains(where: { name.hasSuffix($0) }) else { return true }
    let pattern = Glob(String(name))
    return entries.contains { pattern.matches($0.name) }
  }

  /// The endings of the files in examples.
  private static let endings = [".pj", ".pjx", ".key", ".sh", ".zip", ".html", ".json", ".txt"]
}
