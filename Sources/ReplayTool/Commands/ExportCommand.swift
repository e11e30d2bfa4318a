import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// `pj export`: a history as one file to send.
package enum ExportCommand: Command {
  package static let description = CommandDescription(
    "export", "Writes a journal, or a range of its events, as one file to send.",
    discussion: [
      """
      What identifies people leaves as pseudonyms, and secrets do not leave: object ids, names, error texts and whatever else \
      the catalogue marks as personal. Equal values have equal pseudonyms within one export. The key that makes them is \
      random and is not kept; --key sets it, so that several exports fit together. Every command opens the file: pj log \
      FILE, or pj log - from standard input.
      """,
      """
      With --reveal everything leaves as it is: pj import then gives a journal with the same events, to the last byte. \
      Where events hold secrets, such as keys in an app configuration or tokens in links, that needs --secrets as well. \
      With -o -, the file goes to standard output: pj export field.pj -o - | ssh host pj log -. See pj help exports.
      """,
    ],
    examples: [
      .init("pj export field.pj --preview", "Lists what would leave, and writes nothing."),
      .init("pj export field.pj -o field.pjx", "One file without names, for a colleague."),
      .init(
        "pj export field.pj wipe.requested.. -o wipe.pjx --key team.key", "The events since a wipe, with a set key."),
    ],
    positionals: [
      .journal,
      PositionalDescription(
        "RANGE", .optional, completion: .asks("positions"), "The events to export: pj help positions. Default: all."),
    ],
    options: [
      OptionDescription(
        "output", short: "o", value: "FILE", completion: .file,
        "The file to write; must not exist. - is standard output."),
      OptionDescription("preview", "List what would leave, and write nothing."),
      OptionDescription("secrets", "With --reveal: let secrets leave too, in the bytes of the events that hold them."),
      PseudonymInput.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "the file is written"), ExitCodeDescription(2, "wrong use, or the file exists"),
      ExitCodeDescription(3, "the journal is incomplete or damaged; the file says what is lost"),
      ExitCodeDescription(4, "the journal cannot be read, or the file cannot be written"),
      ExitCodeDescription(5, "the journal needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [ExportReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let (path, rest) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help export")
    }
    let isPreview = arguments.flag("preview")
    let target = arguments.value(of: "output")
    guard isPreview != (target != nil) else {
      throw Failure(
        .wrongUse,
        isPreview
          ? "--preview writes nothing, and --output names a file" : "--output is missing: it names the file to write",
        next: "\(Tool.name) help export")
    }
    let pseudonyms = try PseudonymInput.pseudonyms(context)
    let showsSecrets = arguments.flag("secrets")
    guard !showsSecrets || context.redaction.revealsAccounts else {
      throw Failure(
        .wrongUse, "--secrets goes with --reveal: otherwise no secret leaves", next: "\(Tool.name) help export")
    }
    let range = try rest.first.map { (word) throws(Failure) in try PositionInput.range(word) }
    if let target { try checkTarget(target, context) }
    let journal = try JournalInput(path, context.environment)
    let export = ExportRequest(
      pseudonyms: pseudonyms, range: try range.flatMap { (range) throws(Failure) in try events(of: range, journal) },
      tool: Tool.current.title)
    let verification = try journal.trust.report()
    var secrets: String?
    if pseudonyms == nil, target != nil {
      // Before anything is written: secrets leave only where the command line says so.
      journal.begin("looking for secrets in")
      secrets = Self.secrets(in: try preview(export, verification, journal))
      if let secrets, !showsSecrets {
        throw Failure(
          .wrongUse, "\(path): with --reveal, \(secrets) would leave; leave out --reveal, or add --secrets",
          next: "\(Tool.name) help export")
      }
    }
    journal.begin("exporting")
    let summary: ExportSummary
    if target == "-" {
      summary = try write(export, verification, to: context.output, journal)
    } else if let target {
      summary = try write(export, verification, to: target, journal, context.environment.fileSystem)
    } else {
      summary = try preview(export, verification, journal)
      if pseudonyms == nil { secrets = Self.secrets(in: summary) }
    }
    let losses = export.range == nil ? journal.trust.lossesAround(from: 1, upTo: nil) : []
    let code = FindingNotes.exitCode(try journal.trust.findings() + losses, nil)
    let lost = summary.lost + losses.reduce(0) { $0 + UInt64($1.lostEvents?.count ?? 0) }
    let partial: ExitCode = lost > 0 || !summary.unreadable.isEmpty ? .partial : .done
    let report = ExportReport(
      summary: summary, lost: lost, path: path, target: target,
      isRedacted: export.pseudonyms != nil || summary.wasRedacted, secrets: secrets, showsSecrets: showsSecrets,
      code: code == .done ? partial : code)
    report.print(to: context)
    return report.code
  }

  /// The secrets that a preview found, in words; `nil` where none leave as they are.
  private static func secrets(in summary: ExportSummary) -> String? {
    guard !summary.wasRedacted, summary.secretEvents > 0 || summary.stateHoldsSecrets else { return nil }
    let events = summary.secretEvents.counted("event")
    let places = (summary.secretEvents > 0 ? [events] : []) + (summary.stateHoldsSecrets ? ["the stored state"] : [])
    return "secrets in \(places.joined(separator: " and "))"
  }

  /// Refuses a file that cannot be written, before anything is read.
  private static func checkTarget(_ target: String, _ context: CommandContext) throws(Failure) {
    guard !target.isEmpty else {
      throw Failure(.wrongUse, "--output names the file to write", next: "\(Tool.name) help export")
    }
    guard target != "-" else {
      guard !context.environment.outputIsTerminal else {
        throw Failure(
          .wrongUse, "--output -: the file is compressed, and standard output is a terminal; name a file, or a pipe",
          next: "\(Tool.name) help export")
      }
      return try context.refuseJSON("--output -, which writes the file to standard output")
    }
    try NewPlace.refuseTaken(target, by: .file, context)
  }

  /// The events of a range.
  private static func events(of range: NamedRange, _ journal: JournalInput) throws(Failure) -> ClosedRange<UInt64>? {
    guard range != .all else { return nil }
    let bounds = try journal.positions.bounds(of: range)
    let last = min(bounds.upper ?? .max, journal.history.reader.durableSequence)
    let first = max(bounds.lower, journal.history.firstSequence)
    guard bounds.reasonForNothing == nil, first <= last else {
      throw Failure(
        .wrongUse, "\(journal.path): \(bounds.reasonForNothing ?? "this range contains no event")",
        next: "\(Tool.name) help positions")
    }
    return first...last
  }

  private static func write(
    _ export: ExportRequest, _ verification: VerificationReport, to output: TextOutput,
    _ journal: JournalInput
  ) throws(Failure) -> ExportSummary {
    return try Failure.translating(
      journal: journal.path, try journal.history.export(export, verification) { output.write(bytes: $0) })
  }

  private static func preview(
    _ export: ExportRequest, _ verification: VerificationReport, _ journal: JournalInput
  ) throws(Failure) -> ExportSummary {
    return try Failure.translating(journal: journal.path, try journal.history.preview(export, verification))
  }

  private static func write(
    _ export: ExportRequest, _ verification: VerificationReport, to target: String,
    _ journal: JournalInput, _ fileSystem: any FileSystem
  ) throws(Failure) -> ExportSummary {
    let file = try OutputFile(target)
    let summary: ExportSummary
    do throws(HistoryError) {
      summary = try journal.history.export(export, verification) { file.write($0) }
    } catch {
      file.discard()
      throw Failure(error, journal: journal.path)
    }
    try file.finish()
    try FileOutput.keepName(of: target, fileSystem)
    return summary
  }
}
