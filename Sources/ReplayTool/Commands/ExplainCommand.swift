import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON

/// `pj explain`: a decision of the rules, rule by rule.
package enum ExplainCommand: Command {
  package static let description = CommandDescription(
    "explain", "Explains a decision, rule by rule, with the event that set each value that the rules read.",
    discussion: [
      """
      The rules are applied to the state at a position, at the time of its event. The answer also says since when it is given, \
      and what it was before. With --when, every answer in the history is listed, with the events between which it was given; \
      one that changes with time alone is seen at the next event.
      """,
      """
      Settings also show as the administration portal words them. The end names what to change to get another answer: what the \
      user can do, such as choosing another PIN; a setting; or something that happens, such as a check-in or an update. Each \
      change was tried on a copy of the state and asked again; two together are named only where none is enough.
      """,
      "pj help questions lists what can be asked.",
    ],
    examples: [
      .init("pj explain field.pj 'saveTo(oneDriveForBusiness, a1)'", "Why saving is or is not allowed."),
      .init("pj explain field.pj 'managed(a1)' --when", "When policy was applied to an account, and when not."),
      .init("pj explain field.pj 'config(homepage, a1)'", "Where a value of the app configuration comes from."),
    ],
    positionals: [
      PositionalDescription(
        "WHAT", .atLeastOne, completion: .file,
        "The journal, or JOURNAL@POSITION (default: the current directory), then the question.")
    ],
    options: [
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"),
        "The state to ask: pj help positions. Default: the end."),
      OptionDescription("when", "List every answer in the history instead, with its rule."), JournalSeeking.option,
    ])

  package static func description(in domain: AnyDomain) -> CommandDescription {
    var command = description
    guard domain.additions == nil else { return command }
    command.discussion[1] = """
      Where the domain knows what could be changed, the end names what leads to another answer. Each change was tried on a \
      copy of the state and asked again; two together are named only where none is enough.
      """
    let question = domain.samples.question ?? "QUESTION"
    command.examples = [
      .init("pj explain field.pj '\(question)'", "The answer at the end, and why."),
      .init("pj explain field.pj '\(question)' --when", "Every answer in the history."),
      .init("pj explain field.pj@end~1 '\(question)' -j", "The answer one event earlier, for programs."),
    ]
    return command
  }

  package static var schemas: [OutputSchema] { [ExplainReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    var words = arguments.positionals
    let domain = context.environment.tool.domain
    // Either order: a path that reads like a question has ./ before it.
    if words.count == 2, isQuestion(words[0], domain), !isQuestion(words[1], domain) { words.reverse() }
    let last = words.removeLast()
    if let word = words.dropFirst().first {
      throw Failure(
        .wrongUse,
        isQuestion(word, domain) ? "one question at a time: \(word), or \(last)" : "unexpected word '\(word)'",
        next: "\(Tool.name) help explain")
    }
    if words.isEmpty, Platform.exists(last) {
      throw Failure(
        .wrongUse, "\(last): a question about the journal is missing, such as '\(domain.samples.question ?? "")'",
        next: "\(Tool.name) help questions")
    }
    let question = try question(last, domain)
    let (path, position) = try PositionInput.place(words.first ?? JournalPath.defaultPath, context)
    let journal = try JournalInput(seekingIn: path, context)
    let end = try journal.states.reading(at: position, context).restingOnHistory()
    end.noteUnknownAccounts(in: question.values, context)
    if end.sequence == 0 { try end.expectEnd("what the rules answer") }
    return try ExplainReport(question, end, context).print()
  }

  /// Whether a word is the name of a question, with or without its values.
  private static func isQuestion(_ word: String, _ domain: AnyDomain) -> Bool {
    let name = word.prefix { $0 != "(" && $0 != " " }
    return domain.questions.contains { $0.name == name }
  }

  private static func question(_ text: String, _ domain: AnyDomain) throws(Failure) -> AnyQuestion {
    do throws(FilterError) {
      return try domain.question(text)
    } catch {
      throw Failure(.wrongUse, "\(error)", next: "\(Tool.name) help questions")
    }
  }
}
