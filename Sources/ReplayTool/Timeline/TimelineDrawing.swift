import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// What `timeline` does in every tool: a history as a drawing.
package enum TimelineDrawing {
  /// The description of the command.
  ///
  /// - Parameters:
  ///   - lanes: What the lanes are for.
  ///   - examples: In the words of the domain.
  package static func description(lanes: String, examples: [CommandDescription.Example]) -> CommandDescription {
    CommandDescription(
      "timeline", "Draws a history as a page to look through, or as a trace for Perfetto.",
      discussion: [
        .paragraph(
          """
          The page has lanes for \(lanes), \
          and marks where something is worth a look, with the next step. It needs no network and contains everything it shows: \
          without --reveal, accounts are pseudonyms and personal data is withheld. Any browser of the last years opens it.
          """),
        .paragraph(
          """
          A page holds at most \(Timeline.maximumEvents.grouped) events and \
          \(byteLimit >> 20) MiB; of a longer history, RANGE chooses a part. What is damaged is marked, and the exit code is 3.
          """),
      ],
      examples: examples,
      positionals: [
        .journal,
        PositionalDescription(
          "RANGE", .optional, completion: .asks("positions"),
          "The range to draw, such as 41..46, 2020-06 or wipe.requested..: pj help positions."),
      ],
      options: [
        OptionDescription(
          "output", short: "o", value: "FILE", completion: .file, "The file to write; must not exist."),
        OptionDescription(
          "format", value: "FORMAT", accepting: .oneOf(["html", "chrome-trace"]), default: "html",
          "A page, or a trace in the trace event format of Chrome."),
      ])
  }

  /// The longest file that is written.
  static let byteLimit = 256 << 20

  /// What `-j` writes.
  package static var schema: OutputSchema { records.schema }

  /// Carries out a command line.
  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let (path, rest) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help timeline")
    }
    guard let target = arguments.value(of: "output"), !target.isEmpty, target != "-" else {
      throw Failure(.wrongUse, "--output is missing: it names the file to write", next: "\(Tool.name) help timeline")
    }
    try NewPlace.refuseTaken(target, by: .file, context)
    let range = try rest.first.map { (word) throws(Failure) in try PositionInput.range(word) } ?? .all
    let journal = try JournalInput(path, context.environment)
    let bounds = try journal.positions.bounds(of: range)
    journal.begin("drawing")
    let drawn = try Failure.translating(
      journal: path,
      try journal.history.timeline(from: bounds.lower, upTo: bounds.upper, context.redaction))
    guard var timeline = drawn else { throw tooLong(journal, bounds.lower) }
    if timeline.events.isEmpty, let reason = bounds.reasonForNothing {
      throw Failure(.wrongUse, "\(path): \(reason)", next: "\(Tool.name) help positions")
    }
    let findings = try journal.trust.findings() + journal.trust.lossesAround(from: bounds.lower, upTo: bounds.upper)
    if journal.otherDomain == nil {
      try journal.diagnosis(from: bounds.lower, upTo: bounds.upper, damage: findings)?.mark(
        &timeline, context.redaction, Tool.name)
    }
    for finding in findings where FindingNotes.exitCode([finding], nil) != .done { timeline.add(finding) }
    let heading = heading(path, timeline, findings, context)
    let bytes =
      arguments.value(of: "format") == "chrome-trace"
      ? ChromeTrace(timeline, heading).bytes : TimelinePage.bytes(TimelineData(timeline, heading), heading)
    guard bytes.count <= byteLimit else { throw tooLong(journal, bounds.lower, bytes: bytes.count) }
    try FileOutput.create(target, bytes, context.environment.fileSystem)
    let code = FindingNotes.exitCode(findings, timeline.obstacle)
    report(timeline, target, bytes.count, code, context)
    if let trouble = trouble(findings, timeline.obstacle, path) {
      context.note("\(trouble). Next: \(FindingNotes.nextStep(findings, path, obstacle: timeline.obstacle))")
    }
    return code
  }

  private static func tooLong(_ journal: JournalInput, _ first: UInt64, bytes: Int? = nil) -> Failure {
    let most = UInt64(Timeline.maximumEvents)
    let reason =
      bytes.map { "the file would have \(($0 >> 20).grouped) of at most \(byteLimit >> 20) MiB" }
      ?? "a timeline holds at most \(most.grouped) events"
    let last = max(journal.history.firstSequence, first) + most / (bytes == nil ? 1 : 4) - 1
    return Failure(
      .wrongUse, "\(journal.path): \(reason); draw a part of the history",
      next:
        "\(Tool.name) timeline \(journal.path.shellWord) \(max(journal.history.firstSequence, first))..\(last) -o FILE")
  }

  /// The journal's own name: the folders above it may name a person.
  private static func heading(
    _ path: String, _ timeline: Timeline, _ findings: [Finding], _ context: CommandContext
  ) -> TimelineData.Heading {
    let name = path.split(separator: "/").last { $0 != "." }.map(String.init) ?? "journal"
    let title = context.redaction.shows(text: name) ? name : "journal"
    return TimelineData.Heading(
      title: title, tool: Tool.current.title, isRedacted: !context.redaction.revealsAccounts,
      notes: trouble(findings, timeline.obstacle, title).map { ["\($0)."] } ?? [])
  }

  /// What is wrong with a journal, in a sentence without a full stop; `nil` for nothing.
  private static func trouble(_ findings: [Finding], _ obstacle: HistoryError?, _ path: String) -> String? {
    if FindingNotes.exitCode(findings, nil) != .done {
      return "\(path): \(FindingNotes.count(findings)); what is drawn is sound"
    }
    return obstacle.map { Failure($0, journal: path).message }
  }

  private static func report(
    _ timeline: Timeline, _ target: String, _ size: Int, _ code: ExitCode, _ context: CommandContext
  ) {
    context.report { lines in
      lines.begin(records, ())
      lines.add(file, (timeline, target, size))
      lines.end(records, (), code)
    } text: {
      context.output.line(
        "\(TerminalText.visible(target)): \(timeline.events.count.counted("event")) "
          + "on \(timeline.lanes.count.counted("lane")), \(timeline.marks.count.counted("mark")), \(((size + 1023) >> 10).grouped) KiB"
          + (context.redaction.revealsAccounts || !context.environment.tool.domain.hasAccounts
            ? "" : ". Accounts are pseudonyms: \(Tool.name) help redaction"))
    }
  }

  private static let records = JSONOutput<Void, Void>("timeline", [file])

  private static let file = JSONRecord<(timeline: Timeline, target: String, size: Int)>(
    "file",
    [
      .init("path", \.target), .init("bytes", \.size), .init("first", \.timeline.events.first?.sequence),
      .init("last", \.timeline.events.last?.sequence), .init("events", \.timeline.events.count),
      .init("lanes", \.timeline.lanes.count), .init("spans", \.timeline.spans.count),
      .init("marks", \.timeline.marks.count),
    ])
}
