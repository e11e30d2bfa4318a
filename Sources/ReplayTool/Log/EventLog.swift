import CommandLineInterface
import CommandSupport
import Forensics

/// What `log` does in every tool: one line an event.
package struct EventLog: Sendable {
  /// The members of an event that its domain adds to what `-j` writes.
  private let members: [JSONMember<LoggedEvent>]
  private let records: JSONOutput<Void, (shown: UInt64, totals: LogTotals)>

  /// Whether the command has the option for local times.
  private let hasLocalTimes: Bool

  package init(adding members: [JSONMember<LoggedEvent>] = [], hasLocalTimes: Bool = false) {
    (self.members, records, self.hasLocalTimes) = (members, LogJSON.records(adding: members), hasLocalTimes)
  }

  /// What `-j` writes.
  package var schema: OutputSchema { records.schema }

  /// The description of the command.
  ///
  /// - Parameters:
  ///   - notes: What a line (!) under an event names.
  ///   - examples: In the words of the domain.
  ///   - others: The options that only this domain has.
  package static func description(
    notes: String, examples: [CommandDescription.Example], adding others: [OptionDescription] = []
  ) -> CommandDescription {
    CommandDescription(
      "log", "Lists events, one line each, with what they changed.",
      discussion: [
        .paragraph(
          """
          Damage, gaps and clock jumps have lines of their own (!), and so do events that this program does not know (?). \
          A line (!) under an event names \(notes). Times are UTC. +2 after a change means two further changes of the \
          state, apart from clocks and bookkeeping: pj show has them all.
          """)
      ],
      examples: examples,
      positionals: [
        .journal,
        PositionalDescription(
          "RANGE", .optional, completion: .asks("positions"),
          "The range to list, such as 41..46, 2020-06 or wipe.requested..: pj help positions."),
      ], options: options(adding: others))
  }

  private static func options(adding others: [OptionDescription]) -> [OptionDescription] {
    [
      OptionDescription(
        "since", value: "POSITION", completion: .asks("positions"), "Begin here; the same as the start of RANGE."),
      OptionDescription(
        "until", value: "POSITION", completion: .asks("positions"), "End here; the same as the end of RANGE."),
    ] + FilterInput.options + [
      OptionDescription(
        "count", short: "n", value: "N", accepting: .integer(1...1_000_000), bareNumbers: true,
        "Only the last N matches. Without a filter or -C, only the end of a long journal is read for them: see --verify."
      ),
      OptionDescription("reverse", short: "r", "Newest first."),
      OptionDescription(
        "follow", short: "f",
        """
        Keep printing new events, from any process that writes them, until interrupted. The exit code is 3 if what was \
        read is cut off or replaced by another journal, or if events that were left out as lost become readable again, \
        and 4 if the journal disappears.
        """),
      OptionDescription(
        "exit-on", value: "CONDITION",
        """
        With -f: end after the first event for which the condition holds, whether filters show it or not, with exit code 0 \
        on a sound journal. It is one on the event (pj help filters) or on the state after it (pj help bisect).
        """),
      OptionDescription("oneline", "Only number, type, account and change; no titles, notes or totals."),
      OptionDescription(
        "template", value: "TEMPLATE", "One line made after this template for each event: pj help templates."),
    ] + others + [
      OptionDescription(
        "context", short: "C", value: "N", accepting: .integer(0...1000), "Show N events before and after each match."),
      OptionDescription("highlight", value: "REGEX", "Mark the lines whose shown text matches the expression."),
      JournalSeeking.option,
    ]
  }

  /// The option of a domain that knows the device's local time.
  package static let local = OptionDescription(
    "local",
    "Times in the device's local time, with the offset that the journal records; before the first one, in UTC.")

  package func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let (path, rest) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help log")
    }
    let range = try range(rest.first, arguments)
    let highlight = try arguments.value(of: "highlight").map { (word) throws(Failure) in
      try FilterInput.expression(word, option: "--highlight")
    }
    if highlight != nil { try context.refuseJSON("--highlight") }
    let lines = try template(context)
    let stoppingCondition = try stoppingCondition(context)
    let journal = try JournalInput(
      seekingIn: path, context,
      isWhole: arguments.flag("follow") || (range == .all && !arguments.isGiven("count")))
    if arguments.flag("follow") {
      try journal.requireFolder(
        "a journal's folder is followed, because it grows", next: "\(Tool.name) log \(path.shellWord)")
    }
    let filter = try FilterInput.filter(arguments, journal)
    let bounds = try journal.positions.bounds(of: range)
    let text: LogText? = context.report { _ in
      nil
    } text: {
      lines == nil ? logText(context, highlight) : nil
    }
    let pass = LogPass(
      journal: journal, lower: bounds.lower, upper: bounds.upper, redaction: context.redaction,
      context: try count(arguments, "context") ?? 0)
    let format: any LogFormat = lines ?? text ?? LogJSON(context.redaction, adding: members) as any LogFormat
    let printer = LogPrinter(context.output, text)
    context.begin(records, ())
    if arguments.flag("follow") {
      context.output.showAtOnce()
      context.notes.isHeld = false
      try refuseToFollow(arguments, hasEnd: bounds.upper != nil || range.upper != .end)
      let following = LogFollowing(journal, context, printer, limit: try count(arguments, "count"))
      following.stoppingCondition = stoppingCondition
      let totals = try following.print(pass, filter, format)
      let code = following.isInterrupted ? ExitCode.interrupted : totals.exitCode
      finish(totals, printer, text, context, journal, code)
      return code
    }
    var totals = try print(pass, filter, format, printer, arguments)
    if !context.output.isClosed {
      // What the events' own places do not show: damage outside the stretch, and in files that only help.
      let losses = journal.trust.lossesAround(from: bounds.lower, upTo: bounds.upper)
      var told = Set(totals.findings)
      for finding in try journal.trust.findings() + losses where told.insert(finding).inserted {
        totals.findings.append(finding)
        _ = printer.print(format.row(finding))
      }
    }
    if let reason = bounds.reasonForNothing, totals.seen == 0 { totals.reasonForNothing = reason }
    finish(totals, printer, text, context, journal, totals.exitCode)
    return totals.exitCode
  }

  private func refuseToFollow(_ arguments: ParsedArguments, hasEnd: Bool) throws(Failure) {
    guard hasEnd || arguments.flag("reverse") else { return }
    throw Failure(
      .wrongUse,
      hasEnd ? "-f follows the end of the journal, but the range stops before it" : "-f and -r exclude each other",
      next: "\(Tool.name) help log")
  }

  private func logText(_ context: CommandContext, _ highlight: TextPattern?) -> LogText {
    LogText(
      style: context.style, redaction: context.redaction, highlight: highlight, columns: context.output.columns,
      clock: clock(context.arguments), hasAccounts: context.environment.tool.domain.hasAccounts)
  }

  /// The times that are shown.
  private func clock(_ arguments: ParsedArguments) -> LogClock {
    LogClock(isLocal: hasLocalTimes && arguments.flag("local"))
  }

  /// The template of the lines; `nil` for a table or JSON.
  private func template(_ context: CommandContext) throws(Failure) -> LogTemplate? {
    let arguments = context.arguments
    if clock(arguments).isLocal { try context.refuseJSON("--local") }
    let (word, isShort) = (arguments.value(of: "template"), arguments.flag("oneline"))
    guard word != nil || isShort else { return nil }
    let option = isShort ? "--oneline" : "--template"
    try context.refuseJSON(option)
    guard word == nil || !isShort else {
      throw Failure(.wrongUse, "--oneline and --template exclude each other", next: "\(Tool.name) help log")
    }
    guard !arguments.isGiven("highlight") else {
      throw Failure(.wrongUse, "--highlight does not apply to \(option)", next: "\(Tool.name) help log")
    }
    var template = try word.map { (word) throws(Failure) in try LogTemplate(word) } ?? .oneline
    template.clock = clock(arguments)
    template.values = ValueText(context.redaction)
    if isShort { template.columns = context.output.columns }
    return template
  }

  private func stoppingCondition(
    _ context: CommandContext
  ) throws(Failure) -> AnyStoppingCondition? {
    guard let text = context.arguments.value(of: "exit-on") else { return nil }
    guard context.arguments.flag("follow") else {
      throw Failure(.wrongUse, "--exit-on ends a log that is followed, with -f", next: "\(Tool.name) help log")
    }
    do throws(FilterError) {
      return try context.environment.tool.domain.stoppingCondition(text)
    } catch {
      throw Failure(error, option: "--exit-on")
    }
  }

  private func range(_ word: String?, _ arguments: ParsedArguments) throws(Failure) -> NamedRange {
    var range = NamedRange.all
    if let word { range = try PositionInput.range(word) }
    let given = range
    func expectOnce(_ isGiven: Bool, _ option: String) throws(Failure) {
      guard isGiven, let word else { return }
      throw Failure(
        .wrongUse, "\(word) and --\(option) name the same end: leave one out", next: "\(Tool.name) help log")
    }
    if let word = arguments.value(of: "since") {
      try expectOnce(given.lower != NamedRange.all.lower, "since")
      range.lower = try PositionInput.position(word)
    }
    if let word = arguments.value(of: "until") {
      try expectOnce(given.upper != NamedRange.all.upper, "until")
      range.upper = try PositionInput.position(word)
    }
    return range
  }

  private func count(_ arguments: ParsedArguments, _ option: String) throws(Failure) -> Int? {
    do throws(ArgumentError) {
      return try arguments.integer(of: option)
    } catch {
      throw Failure(error)
    }
  }

  /// Prints the rows in the order and the number that were asked for.
  private func print(
    _ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter, _ arguments: ParsedArguments
  ) throws(Failure) -> LogTotals {
    let limit = try count(arguments, "count")
    let isReversed = arguments.flag("reverse")
    guard limit != nil || isReversed else {
      return try pass.print(filter, format, printer)
    }
    return try LogTail(limit: limit, isReversed: isReversed).print(pass, filter, format, printer)
  }

  private func finish(
    _ totals: LogTotals, _ printer: LogPrinter, _ text: LogText?, _ context: CommandContext, _ journal: JournalInput,
    _ code: ExitCode
  ) {
    context.end(records, (printer.shown, totals), code, of: [journal]) {
      if let text, printer.shown > 0 { context.output.line(text.footer(totals, shown: printer.shown)) }
    }
    guard !context.output.isClosed else { return }
    JournalSeeking.note(journal, in: context)
    let path = journal.path
    let isDamaged = FindingNotes.exitCode(totals.findings, nil) != .done
    // Damage is why nothing is there.
    if let reason = totals.reasonForNothing, totals.seen > 0 || !isDamaged {
      context.note("\(path): \(reason). Next: \(totals.nextStep(journal))")
    }
    if isDamaged {
      context.note(
        "\(path): \(FindingNotes.count(totals.findings)); what is shown is sound. "
          + "Next: \(FindingNotes.nextStep(totals.findings, path))")
    } else if let obstacle = totals.obstacle {
      let failure = Failure(obstacle, journal: path)
      context.note("\(failure.message). Next: \(failure.next)")
    }
  }
}
