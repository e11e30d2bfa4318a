import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport
import SystemCalls
import WireFormat

/// `pj import`: a journal from a file.
package enum ImportCommand: Command {
  package static let description = CommandDescription(
    "import", "Writes a journal from a file that pj export wrote, or from diagnostic files of the SDK.",
    discussion: [
      """
      Looking at an export needs no import: every command opens it. An imported journal is one like any other; without \
      redaction it has the same events as the original, to the last byte. Exporting it again gives the same file, and an \
      imported redacted file keeps its pseudonyms.
      """,
      """
      A redacted file cannot prove two things: that its events are those of the device, because their bytes are not, and \
      that these rules compute the device's states, because the recorded digests did not leave. pj verify checks what was \
      exported.
      """,
      """
      --format intune-log reads what the SDK logs, as people have it: diagnostic files, the console of Xcode, the unified \
      log, parts of these in quoted and wrapped mail, and archives of them, several together. The journal holds what they \
      prove. Each event has metadata: source is the line, and keys that begin with inferred say what the files do not, as \
      lines of pj log do. Lines that cannot be used are counted and named; --unused names each. Each scrubbed object id \
      becomes one account. The journal's id comes from what is not personal, so files that differ only in names give the \
      same id. No complete file was available to test this with. pj diagnose knows that the journal shows a part of what \
      happened only.
      """,
    ],
    examples: [
      .init("pj import field.pjx -o field.pj", "Writes the journal of an export."),
      .init("pj import --format intune-log IntuneMAM*.txt -o field.pj", "What a device's diagnostic files prove."),
      .init(
        "pj import --format intune-log logs.zip -o field.pj --unused",
        "The same of an archive, with all that was left out."),
    ],
    positionals: [
      PositionalDescription(
        "FILE", .many, completion: .file, "The file to read, or the log's files; - is standard input.")
    ],
    options: [
      OptionDescription(
        "output", short: "o", value: "JOURNAL", completion: .directory,
        "The journal to write; must not exist, or must be an empty folder."),
      OptionDescription(
        "format", value: "FORMAT", accepting: .oneOf(["export", "intune-log"]), default: "export",
        "What the files are: an export, or diagnostic files of the SDK."),
      OptionDescription(
        "year", value: "YEAR", accepting: .integer(1970...2261),
        "With --format intune-log, the year in which logs begin that say none, as syslog."),
      OptionDescription("unused", "With --format intune-log, name every line and value that no event was made of."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "the journal is written"), ExitCodeDescription(2, "wrong use, or the target exists"),
      ExitCodeDescription(3, "the journal is written, but events are missing in the file"),
      ExitCodeDescription(4, "the file cannot be read, or the journal cannot be written"),
      ExitCodeDescription(5, "the file needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [records.schema.merging(FieldLogReport.records.schema)] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let paths = arguments.positionals
    guard let path = paths.first else {
      throw Failure(.wrongUse, "the file to import is missing", next: "pj help import")
    }
    guard let target = arguments.value(of: "output"), !target.isEmpty, target != "-" else {
      throw Failure(.wrongUse, "--output is missing: it names the journal to write", next: "pj help import")
    }
    try NewPlace.refuseTaken(target, by: .folder(mayExist: true), context)
    if arguments.value(of: "format") == "intune-log" { return try importLog(paths, target, context) }
    for option in ["unused", "year"] where arguments.isGiven(option) {
      throw Failure(.wrongUse, "--\(option) is about logs: it needs --format intune-log", next: "pj help import")
    }
    guard paths.count == 1 else {
      throw Failure(.wrongUse, "one export is needed, and \(paths.count) files are named", next: "pj help import")
    }
    let bytes: [UInt8]
    if path == "-" {
      bytes = try PackedInput.bytes(context.environment.readStandardInput(PackedInput.limits.fileBytes), path)
    } else {
      bytes = try PackedInput.bytes(Platform.contents(of: path, limit: PackedInput.limits.fileBytes), path)
    }
    guard !bytes.isEmpty else {
      throw path == "-"
        ? Failure(.unreadable, "-: standard input is empty", next: "pj help import")
        : Failure(.unreadable, "\(path): the file is empty; ask for it again", next: "ls -l \(path.shellWord)")
    }
    let history = try history(bytes, path, context)
    do throws(JournalError) {
      try history.write(to: target, context.environment.fileSystem)
    } catch {
      throw failure(error, target)
    }
    let loss = PackedInput.loss(history)
    let code: ExitCode = history.isWhole && history.lostCount == 0 && loss == nil ? .done : .partial
    print(history, target, code, context)
    if let loss { context.note("\(path): \(loss). Next: ask for the file again, or pj log \(target.shellWord)") }
    return code
  }

  private static func history(
    _ bytes: [UInt8], _ path: String, _ context: CommandContext
  ) throws(Failure) -> ExportedHistory {
    do throws(Failure) {
      return try PackedInput.history(bytes, path)
    } catch {
      guard PackedInput.isArchive(bytes, path, context.environment.tool.archives) else { throw error }
      throw Failure(
        .wrongUse,
        "\(path): this is an archive, and what pj export wrote is imported; every command opens the journal in it as it is",
        next: "pj log \(path.shellWord)")
    }
  }

  private static func failure(_ error: JournalError, _ target: String) -> Failure {
    switch error.code {
    case .alreadyExists: Failure(.wrongUse, "\(error)", next: "pj help import")
    // What was not written is not damaged: nothing in it is to be salvaged.
    default: Failure(.unreadable, "\(target): \(error.message)", next: Failure.next(error.errorNumber, at: target))
    }
  }

  private static func print(
    _ history: ExportedHistory, _ target: String, _ code: ExitCode, _ context: CommandContext
  ) {
    let unknown = history.unknownKinds.sorted { $0.key < $1.key }.map { (name: $0.key, records: $0.value) }
    context.report { lines in
      lines.begin(records, ())
      lines.add(unknownKind, each: unknown)
      lines.end(records, (history, target), code)
    } text: {
      printText(history, target, unknown, context)
    }
  }

  /// What `-j` writes of an export.
  static let records = JSONOutput<Void, (history: ExportedHistory, target: String)>(
    "import", [unknownKind],
    end: [
      .init("journal", \.target), .init("id") { "\($0.history.writtenIdentity.id)" },
      .init("events", \.history.eventCount), .init("lost", \.history.lostCount),
      .init("redacted", \.history.isRedacted), .init("whole", \.history.isWhole),
    ])

  private static let unknownKind = JSONRecord<(name: String, records: UInt64)>(
    "unknownKind", [.init("name", \.name), .init("records", \.records)])

  private static func printText(
    _ history: ExportedHistory, _ target: String, _ unknown: [(name: String, records: UInt64)],
    _ context: CommandContext
  ) {
    let output = context.output
    let count = history.eventCount
    output.line(
      TerminalText.visible("\(target): \(count.counted("event"))")
        + (history.lostCount > 0 ? ", \(history.lostCount.grouped) lost" : ""))
    if history.isRedacted {
      output.line("redacted: it cannot show that its events and states are those of the device (pj help import)")
    }
    for (kind, count) in unknown {
      output.line(
        TerminalText.visible("kept, but unknown here: \(count.counted("record")) of the kind \(kind)"))
    }
    output.line("Next: pj verify \(target.shellWord)")
  }
  // MARK: - Field logs

  /// Writes a journal of what diagnostic files prove.
  private static func importLog(
    _ paths: [String], _ target: String, _ context: CommandContext
  ) throws(Failure) -> ExitCode {
    let redaction = context.redaction
    var files: [FieldLog.File] = []
    for path in paths {
      files += try self.files(of: path, context)
      guard files.reduce(0, { $0 + $1.bytes.count }) <= longestArchive else {
        throw Failure(
          .unreadable, "\(redaction.shown(path: path)): with it, the logs are longer than \(longestArchive >> 20) MiB",
          next: "pj help import")
      }
    }
    var log = FieldLog(
      mostNamed: context.arguments.flag("unused") ? FieldLogReport.mostNamed : FieldLog.fewNamed,
      year: context.arguments.value(of: "year").flatMap { Int($0) })
    log.read(files)
    let journal = FieldLogJournal(log)
    guard !journal.envelopes.isEmpty else {
      let reasons = log.skipped.prefix(3).map { "\(redaction.shown($0.place)): \($0.reason)" }.joined(separator: "; ")
      throw Failure(
        .unreadable,
        "\(paths.map { redaction.shown(path: $0) }.joined(separator: ", ")): nothing in it could be used"
          + (reasons.isEmpty ? "" : " (\(reasons))"),
        next: "pj help import")
    }
    do throws(JournalError) {
      try write(journal.envelopes, to: target, context.environment.fileSystem)
    } catch {
      throw failure(error, target)
    }
    FieldLogReport(log: log, journal: journal, target: target, redaction: redaction).print(to: context)
    return .done
  }

  /// A log, or every log of an archive.
  private static func files(of path: String, _ context: CommandContext) throws(Failure) -> [FieldLog.File] {
    let bytes = try FileInput.bytes(of: path, context, limit: longestArchive)
    guard ArchiveInput.mayBeArchive(bytes) else {
      return [FieldLog.File(FileName.lastComponent(of: path), try FileInput.expectDocument(bytes, path))]
    }
    let archive = try ArchiveInput(bytes, path, for: .logs)
    for note in archive.notes + (archive.loss.map { [$0] } ?? []) { context.note("\(path): \(note)") }
    for file in archive.refused { context.note("\(path): \(PackedInput.shown(file.path)): \(file.reason)") }
    guard !archive.documents.isEmpty else {
      throw Failure(.unreadable, "\(path): the archive holds no log", next: "pj help import")
    }
    return archive.documents.map { FieldLog.File(FileName.lastComponent(of: $0.path), $0.bytes) }
  }

  /// The longest archive of logs, and all logs together, in bytes.
  private static let longestArchive = 256 << 20

  /// Writes events into a new journal, whose id is computed from them: the same files give the same journal.
  ///
  /// A redacted export has the id too, so it is computed from what such an export shows: no name can be tried against it.
  private static func write(
    _ envelopes: [Envelope], to target: String, _ fileSystem: any FileSystem
  ) throws(JournalError) {
    var payloads: [[UInt8]] = []
    var shown: [UInt8] = []
    let printer = EventPrinter(AppProtectionEvent.catalog, .on)
    for envelope in envelopes {
      var writer = WireWriter()
      envelope.encode(into: &writer)
      payloads.append(writer.bytes)
      let event = writer.bytes.withUnsafeBytes { RecordedEvent<AppProtectionEvent>(sequence: 1, chain: 0, payload: $0) }
      shown.append("\(envelope.type) \(envelope.moment.wallNanoseconds) ")
      printer.appendJSON(of: PrintedEvent(event), to: &shown)
    }
    let id = JournalID(bytes: Array(Digest.sha256(shown).bytes.prefix(16))) ?? .none
    var options = try JournalOptions(of: AppProtectionEvent.self)
    options.syncPolicy = .none
    try JournalWriter.create(
      at: target, id: id, createdNanoseconds: envelopes.first?.moment.wallNanoseconds ?? 0, options: options,
      fileSystem: fileSystem
    ) { (journal) throws(JournalError) in
      var batch = JournalBatch()
      for (payload, envelope) in zip(payloads, envelopes) {
        try batch.append(payload: payload, label: envelope.moment.wallNanoseconds)
        _ = try journal.append(&batch)
      }
    }
  }
}
