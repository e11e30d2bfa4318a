import CommandLineInterface
import CommandSupport
import Forensics
import Journal
import JSON
import PlainText

/// `pj salvage`: every readable event out of anything, into a new journal.
package enum SalvageCommand: Command {
  package static let description = CommandDescription(
    "salvage", "Copies every event that can be read out of damaged files into a new journal.",
    discussion: [
      """
      The input may be whole journals, single segments under any name, several copies with different damage, and files \
      with other data around segments. It is never changed. Events keep their numbers; where some are lost, the new journal \
      says so. A journal that was salvaged earlier can be combined with copies of its original, but events of two \
      histories are never mixed. See pj help damage.
      """,
      """
      A segment in a later version of the format, or with an unknown feature, is named and left out; the rest is written \
      and the exit code is 5. In that case, salvage again with a newer pj.
      """,
      """
      If the input is one journal's folder, salvage takes the journal that the other commands read there. Events of another \
      journal in that folder are named and left out, and the exit code is 3; --journal selects them instead. Where the \
      folder holds only events of another journal, --journal must name it.
      """,
      """
      Without a sound HEAD file, the end of the journal is unknown: later events may have existed. salvage says so and exits \
      with 3. The new journal records the doubt, and every command that reaches its end repeats it.
      """,
    ],
    examples: [
      .init(
        "pj salvage field.pj -o copy.pj", "Writes everything readable of a damaged journal, and names what is lost."),
      .init(
        "pj salvage copy.pj backup.pj found/*.bin -o whole.pj",
        "Combines several copies, including salvaged ones."
      ),
      .init(
        "pj salvage disk.img -o copy.pj --journal 0b5f4c8e-0000-4000-8000-00000000002a",
        "Selects one journal of several."),
    ],
    positionals: [
      PositionalDescription("INPUT", .many, completion: .file, "Journals, folders and files to search.")
    ],
    options: [
      OptionDescription(
        "output", short: "o", value: "JOURNAL", completion: .directory,
        "The journal to write; must not exist, or must be empty."),
      OptionDescription(
        "journal", value: "ID", "The journal to salvage if several are found; unknown selects events without a journal."
      ),
    ],
    exitCodes: [
      ExitCodeDescription(0, "the journal is written and nothing is lost"), ExitCodeDescription(2, "wrong use"),
      ExitCodeDescription(3, "the journal is written, but events are or may be lost or left out"),
      ExitCodeDescription(4, "no event can be read, or a file cannot be read or written"),
      ExitCodeDescription(5, "a file needs a newer tool; whatever this one can read is written"),
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let inputs = context.arguments.positionals
    guard !inputs.isEmpty else {
      throw Failure(.wrongUse, "the files to salvage from are missing", next: "\(Tool.name) help salvage")
    }
    guard let target = context.arguments.value(of: "output"), !target.isEmpty, target != "-" else {
      throw Failure(.wrongUse, "--output is missing: it names the journal to write", next: "\(Tool.name) help salvage")
    }
    guard !inputs.contains(target) else {
      throw Failure(
        .wrongUse, "--output \(target): this is one of the files to salvage from", next: "\(Tool.name) help salvage")
    }
    try NewPlace.refuseTaken(target, by: .folder(mayExist: true), context)
    for input in inputs {
      do throws(Failure) {
        try context.environment.door?.open(input)
      } catch {
        // Segments are looked for in anything.
        if error.exitCode != .unreadable { throw error }
      }
    }
    let report: SalvageReport
    do throws(JournalError) {
      // A wrong id is refused before everything is searched.
      let wanted = try journal(context)
      // How much there is to be searched shows only while it is.
      context.environment.progress?.begin("salvaging, read so far", total: nil)
      report = try Salvage(of: inputs, fileSystem: context.fileSystem).write(journal: wanted, to: target)
      for input in inputs {
        try ExportOrigin.carryOver(from: input, to: target, context.fileSystem)
      }
    } catch {
      throw failure(error, target, inputs)
    }
    let isWhole = report.isComplete && hasStart(report) && report.knowsEnd
    let code = ExitCode.worst(isWhole ? .done : .partial, report.needsNewerProgram ? .needsNewerTool : .done)
    context.report { lines in
      lines.begin(records, (inputs, target))
      lines.add(file, each: report.files)
      lines.add(lost, each: report.losses)
      lines.add(leftOut, each: report.aside)
      lines.add(otherJournal, each: report.otherJournals)
      lines.end(records, report, code)
    } text: {
      printText(report, target, context)
    }
    return code
  }

  private static func journal(_ context: CommandContext) throws(JournalError) -> JournalID? {
    guard let text = context.arguments.value(of: "journal") else { return nil }
    if text == "unknown" { return JournalID.none }
    guard let id = JournalID(text) else {
      throw JournalError(
        .outOfRange, "--journal \(text): an id has 32 hexadecimal digits with four hyphens",
        remedy: "leave the option out to see which journals are found")
    }
    return id
  }

  private static func failure(_ error: JournalError, _ target: String, _ inputs: [String]) -> Failure {
    switch error.code {
    case .outOfRange, .alreadyExists, .tooLarge, .otherDomain:
      Failure(.wrongUse, "\(error)", next: "\(Tool.name) help salvage")
    case .notAJournal:
      Failure(
        .unreadable, (error.file == nil ? inputs.joined(separator: ", ") + ": " : "") + "\(error)",
        next: error.file.map { "ls -l \($0.shellWord)" }
          ?? inputs.lazy.compactMap { FindingNotes.stepForRenamed(in: $0) }.first ?? "\(Tool.name) help salvage")
    case .unsupportedFormat: Failure(.needsNewerTool, "\(error)", next: Failure.newerTool)
    case .noSpace: Failure(.unreadable, "\(error)", next: "df \(target.shellWord)")
    // What could not be written is not there any more, and on a device that cannot be written to, nor is its folder.
    default:
      Failure(
        .unreadable, "\(error)",
        next: Failure.next(nil, at: error.file.map { $0.hasPrefix(target + "/") ? target : $0 } ?? target))
    }
  }

  /// Whether the new journal tells the state before its first event, without which no later one can be rebuilt.
  private static func hasStart(_ report: SalvageReport) -> Bool {
    report.events.lowerBound == 1 || !report.checkpoints.isEmpty
  }

  // MARK: - Text

  private static func printText(_ report: SalvageReport, _ target: String, _ context: CommandContext) {
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn("")])
    func row(_ word: String, _ attribute: Style.Attribute, _ what: String, _ sentence: String) {
      table.append([
        TextCell(word, [attribute]), TextCell(TerminalText.visible(what)), TextCell(TerminalText.visible(sentence)),
      ])
    }
    for loss in report.losses {
      let word = loss.needsNewerProgram ? "too new" : "lost"
      row(word, .red, loss.events.map(VerifyText.events) ?? "unknown", sentence(about: loss))
    }
    for aside in report.aside {
      let place = "\(aside.file), byte \(aside.byteRange.lowerBound.grouped)"
      row("left out", .yellow, VerifyText.events(aside.events), "\(place): \(reason(aside))")
    }
    if !hasStart(report) {
      row("no state", .red, "", "no checkpoint stands for the events before the first one")
    }
    if let reason = report.unknownEnd {
      let last = (report.identity.lastKnownOfParent ?? report.events.upperBound).grouped
      row(
        "no end", .yellow, "",
        "\(sentence(about: reason)): whether events followed \(last) is unknown, and the new journal records that")
    }
    if report.lacksCatalog {
      let domain = report.identity.domain
      row(
        domain == nil ? "no domain" : "no catalogue", .yellow, domain ?? "",
        domain == nil
          ? "the domain of the events was not found: the new journal names none"
          : "no catalogue was found for some of the events: the new journal lists them by number")
    }
    for file in report.files {
      if let note = file.note { row("header", .yellow, file.path, note) }
      let lost = report.losses.filter { $0.file == file.path }.compactMap(\.byteRange)
      let count = file.unexplained.filter { !lost.contains($0) }.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
      if count > 0, file.kind == .events || file.kind == .emptySegment {
        row("no event", .dim, file.path, "\(count.grouped) bytes belong to no sound event")
      }
    }
    for other in report.otherJournals {
      let count = other.eventCount.counted("event")
      row("others", .dim, name(other.id), "\(count) of another journal; --journal selects it")
    }
    context.print(table)
    context.output.line(conclusion(report, target))
  }

  private static func conclusion(_ report: SalvageReport, _ target: String) -> String {
    let total = report.salvagedCount + report.lostCount
    let count = report.salvagedCount.grouped
    let amount = report.lostCount == 0 ? count : "\(count) of \(total.grouped)"
    var text =
      "salvaged \(amount) event\(total == 1 ? "" : "s") of journal \(name(report.source)) "
      + "into \(TerminalText.visible(target))"
    if !report.checkpoints.isEmpty {
      text += ", with \(report.checkpoints.count.counted("checkpoint"))"
    }
    if report.leftOutCount > 0 {
      text += "; \(report.leftOutCount.grouped) more were found and left out"
    }
    let hasGap = report.losses.contains { loss in
      loss.events.map { $0.upperBound < report.events.upperBound && $0.lowerBound > report.events.lowerBound } ?? false
    }
    guard !report.needsNewerProgram else {
      return text + ". Next: \(Tool.name) version, then salvage the same files again with a newer pj"
    }
    return text + ". Next: \(Tool.name) log \(target.shellWord)" + (hasGap ? " (shows where events are lost)" : "")
  }

  private static func sentence(about reason: SalvageReport.UnknownEnd) -> String {
    switch reason {
    case .noHead: "no HEAD was found that says how far the journal reached"
    case .oldHead: "HEAD is older than the last events found"
    case .earlierSalvage: "an earlier salvage wrote this journal without knowing how far the original reached"
    case .unfinishedCopy:
      "the salvage that wrote this copy was not finished, so nothing in it says how far the journal reached"
    }
  }

  private static func sentence(about loss: SalvageLoss) -> String {
    var text = loss.file.map { "\($0): " } ?? ""
    if let range = loss.byteRange, !range.isEmpty {
      text +=
        "bytes \(range.lowerBound.grouped)–\((range.upperBound - 1).grouped): "
    }
    text += loss.cause
    if loss.needsNewerProgram { return text + "; read it with a program at least as new as the one that wrote it" }
    switch loss.certainty {
    case .certain, .claimed: break
    case .byNumbers: text += "; only the gap in the numbers shows it"
    case .unknown: text += "; whether it loses events is unknown"
    }
    return text
  }

  private static func reason(_ aside: ExcludedEvents) -> String {
    switch aside.reason {
    case .givenUp: "the journal's writer gave them up and continued before them"
    case .undecided:
      "whether the journal's writer gave them up is unknown: the segment after them is damaged or missing"
    case .otherHistory: "they belong to another history, of which fewer events were found"
    case .unfinishedBatch:
      "the rest of their batch is missing, without a sign that it was ever written; a batch counts as a whole or not at all"
    case .otherJournal:
      "they belong to another journal; --journal \(name(aside.journal ?? .none)) takes them"
    case .otherDomain: "their file names another domain than JOURNAL, so they mean something else"
    case .tooFar: "too many events are missing between them and the others"
    }
  }

  private static func name(_ id: JournalID) -> String { id == .none ? "unknown" : "\(id)" }

  // MARK: - JSON

  /// What `-j` writes.
  static let records = JSONOutput<(inputs: [String], target: String), SalvageReport>(
    "salvage", start: [.init("inputs", \.inputs), .init("journal", \.target)], [file, lost, leftOut, otherJournal],
    end: [
      .init("source") { name($0.source) }, .init("id") { "\($0.identity.id)" },
      .init("events") { Optional($0.events) }, .init("salvaged", \.salvagedCount), .init("lost", \.lostCount),
      .init("leftOut", \.leftOutCount), .init("chain", \.lastChain), .init("checkpoints", \.checkpoints),
      .init("startKnown") { hasStart($0) }, .init("endKnown", \.knowsEnd),
    ])

  private static let file = JSONRecord<SalvagedFile>(
    "file",
    [
      .init("path", \.path), .init("length", \.length), .init("holds") { "\($0.kind)" },
      .init("events", \.eventCount), .init("unexplained", \.unexplained), .init("note", \.note),
    ])

  private static let lost = JSONRecord<SalvageLoss>(
    "lost",
    [
      .init("events", \.events), .init("file", \.file), .init("bytes", \.byteRange), .init("cause", \.cause),
      .init("certainty", \.certainty.rawValue), .init("needsNewerTool", \.needsNewerProgram),
    ])

  private static let leftOut = JSONRecord<ExcludedEvents>(
    "leftOut",
    [
      .init("events") { Optional($0.events) }, .init("file", \.file), .init("bytes", \.byteRange),
      .init("reason", \.reason.rawValue), .init("journal") { $0.journal.map(name) },
    ])

  private static let otherJournal = JSONRecord<SalvageableJournal>(
    "otherJournal", [.init("id") { name($0.id) }, .init("events", \.eventCount)])
}
