import CommandLineInterface
import CommandSupport
import PlainText
import ReplayTool

/// `pj help`: what the tool can do, and what the words mean that logs, portals and its own answers use.
enum HelpCommand: Command {
  static let description = CommandDescription(
    "help", "Shows what pj can do, or explains a command, a topic or a term.",
    discussion: ["pj help terms lists what counts as a term. -j writes terms as records, and nothing else."],
    examples: [
      .init("pj help log", "One command with its options."),
      .init("pj help positions", "How to name a place in a history."),
      .init("pj help 225", "What a status code means, and what to do."),
    ],
    positionals: [
      PositionalDescription(
        "SUBJECT", .optional, completion: .asks("terms"),
        """
        A command, a topic, or a term: a status code, a word, a sentence of a log, a rule such as saveTo.7, or a setting.
        """),
      PositionalDescription(
        "MORE", .many, "An action of the command, such as lint of policy, or the rest of a sentence."),
    ],
    options: [
      OptionDescription(
        "kind", value: "KIND", accepting: .oneOf(Term.Kind.allCases.map(\.rawValue)),
        "Only terms of this kind, where several have the same name.")
    ] + HelpPages.options)

  static var schemas: [OutputSchema] { [TermReport.records.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let more = context.arguments.positionals("MORE")
    if let subject = context.arguments.positional("SUBJECT"),
      let code = try explain(([subject] + more).joined(separator: " "), subject, more, context)
    {
      return code
    }
    var pages = HelpPages(table: PolicyJournalTool.table, action: more.first)
    let isForPages = context.arguments.flag("man") || context.arguments.isGiven("man-pages")
    if isForPages { pages.morePages = [("terms", manPage)] }
    return try pages.run(context)
  }

  /// Explains a term; `nil` where a command or a topic is meant.
  private static func explain(
    _ text: String, _ subject: String, _ more: [String], _ context: CommandContext
  ) throws(Failure) -> ExitCode? {
    let table = PolicyJournalTool.table
    guard !context.arguments.flag("man"), !context.arguments.isGiven("man-pages") else { return nil }
    let kind = context.arguments.value(of: "kind").flatMap(Term.Kind.init)
    let isSubject = table.helpSubjects.contains(subject) && kind == nil
    guard !isSubject || more.count > 1 else { return nil }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Failure(
        .wrongUse, "the term is empty: name a code, a word, a setting or a sentence of a log, such as 225",
        next: "pj help \(HelpTopics.terms.name)")
    }
    let report = TermReport(text, table, context)
    switch Terms.answer(text, kind: kind) {
    case .named(let terms): return report.print(terms)
    case .having(let terms): return report.printList(terms)
    case .unknown(let nearest):
      // What is too much after a command or a term is named as such.
      if isSubject { return nil }
      if let word = more.first, case .named = Terms.answer(subject, kind: kind) {
        throw Failure(
          .wrongUse, "\(subject) has no action, so '\(word)' is too much", next: "pj help \(subject.shellWord)")
      }
      let nearCommands = kind == nil && more.isEmpty ? EditDistance.nearest(to: subject, in: table.helpSubjects) : []
      guard nearCommands.isEmpty else { return nil }
      let near = nearest.isEmpty ? "" : "; nearest: \(nearest.joined(separator: ", "))"
      // A pasted log is not repeated as a whole.
      let name = text.count > 60 ? "\(text.prefix(60))…" : text
      throw Failure(
        .wrongUse, "nothing is named \(name)\(near)",
        next: "pj help \(nearest.first?.shellWord ?? HelpTopics.terms.name)")
    }
  }

  /// The manual page with every term.
  private static var manPage: CommandLineTool.ManPage {
    PolicyJournalTool.table.manPage(
      HelpTopics.terms.name, "what codes, rules and settings mean", synopsis: "help TERM",
      sections: Term.Kind.allCases.map { kind in
        (title: kind.title, topics: Terms.all.filter { $0.kind == kind }.map(\.topic))
      })
  }
}
