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
import ReplayTool
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

  package static var schemas: [OutputSchema] { [ExportImport.records.schema.merging(FieldLogReport.records.schema)] }

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
    return try ExportImport.run(path, to: target, context)
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
      throw ExportImport.failure(error, target)
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
