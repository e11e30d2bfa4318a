import CommandLineInterface
import CommandSupport
import EventSourcing
import EventSourcingKit
import Forensics

/// What `whatif` does in every tool: what a history would have come to with other events.
package struct HistoryImagination: Sendable {
  /// The edits that only the domain has; `nil` for none.
  private let own: (any OwnEdits.Type)?

  package init(_ own: (any OwnEdits.Type)? = nil) { self.own = own }

  /// What `-j` writes.
  package var schema: OutputSchema { WhatIfReport.records.schema }

  /// The description of the command.
  ///
  /// - Parameters:
  ///   - words: What the domain says in its own words.
  ///   - hasQuestions: Whether its rules answer questions.
  ///   - examples: In the words of the domain.
  package func description(
    _ words: Words, hasQuestions: Bool, examples: [CommandDescription.Example]
  ) -> CommandDescription {
    let asking =
      hasQuestions
      ? "--ask asks questions of both histories: pj help questions. With --when, it lists every answer in between. "
      : ""
    return CommandDescription(
      "whatif", "Shows what a history would have come to with other \(words.others).",
      discussion: [
        .paragraph(
          """
          The events that stay are folded as they were; none is decided again. The decisions that the rules would now make \
          otherwise are named instead, with how that is known: decided again, where the events tell the command; by their \
          effect, where they change the state otherwise; or possibly, where only their \(words.subjects) state differs, or \
          where the event that is recorded as their cause is not there.
          """),
        .paragraph(
          """
          Every position is one of the real history. Edits compose in this order: --drop, --replace, \(words.rewriting)--move, \
          --insert. An edit that names one event overrides a --drop that covers it. A type without wildcards is a position, as \
          everywhere: the last event of this type.
          """),
        .paragraph(
          """
          --from begins the other history with the event at a position: what came before it stays as it was, every edit applies \
          from there on, and only what follows is counted.\(words.holding)
          """),
        .paragraph(
          """
          EVENT is JSON in the form of pj show -j, of which the type and the data are needed\(words.command); @FILE reads it \
          from a file. What states no time gets that of its place.
          """),
        .paragraph(
          """
          \(asking)-o writes the imagined history as a journal that every command reads; its identity and its events say that \
          they are imagined.
          """),
      ], examples: examples, positionals: [.journal], options: options(words, hasQuestions),
      exitCodes: [
        ExitCodeDescription(0, "nothing differs\(hasQuestions ? "; with --ask, the answers are the same" : "")"),
        ExitCodeDescription(1, "they differ"),
        ExitCodeDescription(2, "wrong use, or the rules refuse what is inserted"),
        ExitCodeDescription(3, "the journal is incomplete or damaged: what is shown ends there"),
        ExitCodeDescription(4, "the journal cannot be read, or the output cannot be written"),
        ExitCodeDescription(5, "it needs a newer tool"),
      ])
  }

  /// What a domain says in its own words.
  package struct Words: Sendable {
    /// What is different: `events`.
    let others: String
    /// Whose state may differ: `their` before it.
    let subjects: String
    /// The edits that rewrite the events that stay, with a comma and a space after them.
    let rewriting: String
    /// What is said of an edit that holds where the histories part, with a space before it.
    let holding: String
    /// What else stands for an event, with a comma before it.
    let command: String
    /// A pattern of types, and a condition, that select events.
    let pattern, condition: String

    package init(
      others: String = "events", subjects: String = "subjects'", rewriting: String = "", holding: String = "",
      command: String = "", pattern: String, condition: String
    ) {
      (self.others, self.subjects, self.rewriting) = (others, subjects, rewriting)
      (self.holding, self.command) = (holding, command)
      (self.pattern, self.condition) = (pattern, condition)
    }
  }

  private func options(_ words: Words, _ hasQuestions: Bool) -> [OptionDescription] {
    let asking = [
      OptionDescription(
        "ask", value: "QUESTION", repeatable: true,
        "Show the answers of both histories; - or @FILE reads questions, one a line."),
      OptionDescription("when", "With --ask, list the answers after every batch."),
    ]
    return [
      OptionDescription(
        "drop", value: "EVENTS", repeatable: true,
        "Leave out a position or a range, a pattern of types such as '\(words.pattern)', or what a condition selects: '\(words.condition)'."
      ),
      OptionDescription(
        "replace", value: "POSITION=EVENT", repeatable: true, "Put another event in the place of this one."),
    ] + (own?.descriptions ?? []) + [
      OptionDescription(
        "move", value: "POSITION=POSITION", repeatable: true,
        "Let an event happen after another one; it keeps its time."),
      OptionDescription(
        "insert", value: "POSITION=EVENT", repeatable: true, "Let an event happen after this one."),
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"), "End there: pj help positions. Default: the end."),
      OptionDescription(
        "from", value: "POSITION", completion: .asks("positions"),
        "Let the histories part here at the earliest. Default: the first event."),
      OptionDescription("diff", "Show every value that differs there."),
    ] + (hasQuestions ? asking : []) + [
      OptionDescription(
        "count", short: "n", value: "N", accepting: .integer(0...100_000), default: "20",
        "Name at most N affected decisions."),
      OptionDescription(
        "output", short: "o", value: "JOURNAL", completion: .directory,
        "Write the imagined history there; the folder must not exist, or be empty."),
    ]
  }

  /// Carries out a command line.
  package func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    guard let imagination = context.environment.tool.domain.imagination else { return .bug }
    let asks = context.environment.tool.domain.samples.question != nil
    let questions = asks ? try questions(context) : []
    if asks, arguments.flag("when"), questions.isEmpty {
      throw Failure(.wrongUse, "--when lists the answers to --ask, which is missing", next: "\(Tool.name) help whatif")
    }
    let (path, position) = try PositionInput.place(arguments.positional("JOURNAL") ?? JournalPath.defaultPath, context)
    let journal = try JournalInput(path, context.environment)
    let target = arguments.value(of: "output")
    if let target { try NewPlace.check(target, apartFrom: path, context) }
    let end = try journal.states.reading(at: position, context).restingOnHistory()
    let beginning = try beginning(journal, upTo: end.sequence, context)
    let input = try EditInput(
      imagination.begin(), own?.init(), of: journal, from: beginning, upTo: end.sequence, context)
    guard input.edits.count > 0 else {
      let names = ["drop", "replace"] + (own?.descriptions.map(\.name) ?? []) + ["move"]
      throw Failure(
        .wrongUse, "nothing is different; name an edit: \(names.map { "--\($0)" }.joined(separator: ", ")) or --insert",
        next: "\(Tool.name) help whatif")
    }
    if end.sequence == 0, end.obstacle != nil { try end.expectEnd("what would have happened") }
    return try WhatIfReport(
      imagination, input, end, beginning, questions, createdNanoseconds: Moment.now().wallNanoseconds, context
    ).print(writingTo: target)
  }

  /// Where the other history can begin: before the event that --from names, or at the first state that is known.
  private func beginning(
    _ journal: JournalInput, upTo last: UInt64, _ context: CommandContext
  ) throws(Failure) -> HistoryBeginning {
    let first = try Failure.translating(journal: journal.path, try journal.states.beginning(after: 0))
    guard let word = context.arguments.value(of: "from") else { return first }
    let position = try PositionInput.position(word)
    guard position != .start else { return first }
    let bounds = try journal.positions.bounds(of: NamedRange(lower: position, upper: .end))
    guard bounds.reasonForNothing == nil, bounds.lower <= last else {
      throw Failure(
        .wrongUse, "--from \(word): no event of what is read lies there or later; the last one is event \(last)",
        next: "\(Tool.name) log \(journal.path.shellWord) -n 1")
    }
    guard bounds.lower > first.sequence + 1 else { return first }
    return try Failure.translating(journal: journal.path, try journal.states.beginning(after: bounds.lower - 1))
  }

  /// The questions to ask: those on the command line, and those in files, one a line.
  private func questions(_ context: CommandContext) throws(Failure) -> [AnyQuestion] {
    var questions: [AnyQuestion] = []
    for word in context.arguments.values(of: "ask") {
      guard word == "-" || word.hasPrefix("@") else {
        questions.append(try question(word, at: "--ask", context))
        continue
      }
      let name = word == "-" ? "-" : String(word.dropFirst())
      let text = String(decoding: try FileInput.bytes(of: name, context), as: UTF8.self)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = line.filter { $0 != "\r" }
        guard line.contains(where: { $0 != " " && $0 != "\t" }), !line.hasPrefix("#") else { continue }
        questions.append(try question(String(line), at: "\(name), line \(number + 1)", context))
      }
    }
    guard questions.count <= Self.maximumQuestions else {
      throw Failure(
        .wrongUse, "these are more than \(Self.maximumQuestions) questions; ask fewer at once",
        next: "\(Tool.name) help whatif")
    }
    return questions
  }

  /// The most questions that are asked at once.
  package static let maximumQuestions = 10_000

  private func question(
    _ text: String, at place: String, _ context: CommandContext
  ) throws(Failure) -> AnyQuestion {
    do throws(FilterError) {
      return try context.environment.tool.domain.question(text)
    } catch {
      throw Failure(.wrongUse, "\(place): \(error)", next: "\(Tool.name) help questions")
    }
  }
}
