import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal

/// `pj fleet`: what thousands of journals have in common.
package enum FleetCommand: Command {
  package static let description = CommandDescription(
    "fleet", "Verifies, checks and diagnoses many journals, and counts what they have in common.",
    discussion: [
      """
      Every journal, export and archive below the named folders is examined as pj verify, check and diagnose do, on all \
      processors. A file that cannot be read becomes a row like the others. The end counts outcomes, families, versions, \
      policies and their revisions, and shows the ten most frequent causes, each with an example: problems of one family that \
      one type of event decided.
      """,
      """
      -j writes one record for each journal, in the order of the names, then one for each group and cause. --csv writes one \
      line for each finding. The output does not depend on the number of threads. Links to folders and names that begin with a \
      dot are passed over.
      """,
      """
      With --resume, what was found is kept in a file; the next run examines only what has changed since, and one that was \
      killed is taken up where it ended. A journal counts as unchanged while names, sizes, numbers and times of its files are \
      the same and the program is; one that was changed within two seconds before it was read is examined again.
      """,
    ],
    examples: [
      .init("pj fleet exports", "What the journals below a folder show."),
      .init("pj fleet exports -j > rows.jsonl", "The same for programs, one record for each journal."),
      .init("pj fleet exports --resume fleet.state", "Only what has changed since the last run."),
    ],
    positionals: [
      PositionalDescription("PATH", .atLeastOne, completion: .file, "Folders, journals, exports and archives.")
    ],
    options: [
      OptionDescription(
        "resume", value: "FILE", completion: .file,
        "Keep what is found in this file, and examine only what it does not have."),
      OptionDescription(
        "csv", "Write comma-separated values: a line for each finding, and for each journal without one."),
      OptionDescription(
        "only", value: "STATE", accepting: .oneOf(["now"]),
        "Only problems that hold at the end of their journal, as for CI."),
      OptionDescription("list", "Name the folders and files that would be examined, and examine none."),
      OptionDescription(
        "threads", value: "N", accepting: .integer(1...1_024),
        "Journals examined at the same time. Default: the number of processors."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "every journal was read, and nothing was found"),
      ExitCodeDescription(1, "something was found, or recorded states are not those of the rules"),
      ExitCodeDescription(2, "wrong use"), ExitCodeDescription(3, "a journal is incomplete or damaged"),
      ExitCodeDescription(4, "a file cannot be read, or nothing to examine is there"),
      ExitCodeDescription(5, "a journal needs a newer tool, or is of another domain"),
    ])

  package static func description(in domain: AnyDomain) -> CommandDescription {
    var command = description
    guard domain.additions == nil else { return command }
    command.discussion[0] = """
      Every journal and export below the named folders is examined as pj verify, check and diagnose do, on all processors. \
      A file that cannot be read becomes a row like the others. The end counts outcomes, families and versions, and shows \
      the ten most frequent causes, each with an example: problems of one family that one type of event decided.
      """
    command.positionals = [
      PositionalDescription("PATH", .atLeastOne, completion: .file, "Folders, journals and exports.")
    ]
    return command
  }

  package static var schemas: [OutputSchema] { [FleetReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let folders = context.arguments.positionals
    if context.arguments.flag("csv") { try context.refuseJSON("--csv", saying: "-j and --csv exclude each other") }
    if let empty = folders.first(where: { $0.isEmpty || $0 == "-" }) {
      throw Failure(
        .wrongUse, empty.isEmpty ? "a folder's name is empty" : "-: fleet reads files and folders, not standard input",
        next: "\(Tool.name) help fleet")
    }
    if context.arguments.flag("list") {
      for other in ["csv", "resume", "threads", "only"] where context.arguments.isGiven(other) {
        throw Failure(.wrongUse, "--list and --\(other) exclude each other", next: "\(Tool.name) help fleet")
      }
      return try list(folders, context)
    }
    let ledger = try context.arguments.value(of: "resume").map { (path) throws(Failure) -> FleetLedger in
      try Self.ledger(path, folders, context)
    }
    guard let diagnostics = context.environment.tool.domain.diagnostics else { return .bug }
    let report = try examine(folders, diagnostics, ledger, context)
    if let ledger, !context.output.isClosed { try Self.keep { () throws(FleetLedgerError) in try ledger.finish() } }
    return try report.finish(folders)
  }

  /// Names what would be examined, in the order of the walk.
  private static func list(_ folders: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    context.begin(FleetReport.records, ())
    var walk = FleetWalk(folders, context)
    var count: UInt64 = 0
    while !context.output.isClosed, let unit = walk.nextUnit() {
      count += 1
      context.show(FleetReport.unit, unit) {
        context.output.line(TerminalText.visible(context.redaction.shown(path: unit.path)))
      }
    }
    guard count > 0 else { throw FleetReport.nothing(in: folders, context) }
    FleetReport.note(links: walk.links, context)
    context.end(FleetReport.records, (nil, count), .done)
    return .done
  }

  private static func examine(
    _ folders: [String], _ diagnostics: DomainDiagnostics, _ ledger: FleetLedger?, _ context: CommandContext
  ) throws(Failure) -> FleetReport {
    let environment = context.environment
    let input = FleetInput(diagnostics, environment, context.redaction)
    let progress = environment.progress
    var total: UInt64 = 0
    if let progress {
      progress.begin("looking for journals", total: nil, in: .items("found"))
      var walk = FleetWalk(folders, context)
      while walk.nextUnit() != nil {
        total += 1
        progress.note(1)
      }
      progress.begin("examining", total: total, in: .items("files"), estimates: true)
    }
    var report = FleetReport(context)
    var walk = FleetWalk(folders, context)
    let threads = context.arguments.value(of: "threads").flatMap { Int($0) } ?? environment.threadCount
    try FleetRun.run(on: PosixFileSystem(), threads: threads) { () throws(Failure) -> Job? in
      guard var unit = walk.nextUnit() else { return nil }
      guard let ledger else { return Job(unit: unit) }
      let stamp = FleetStamp(of: unit.path)
      unit.stamp = stamp
      let known = try keep { () throws(FleetLedgerError) in try ledger.rows(at: unit.place, stamp: stamp.text) }
      return Job(unit: unit, known: known)
    } examine: { (job: Job) -> FleetInput.Found in
      defer { progress?.note(1) }
      if let known = job.known { return FleetInput.Found(rows: known, stamp: job.unit.stamp?.text) }
      let found = input.examine(job.unit)
      progress?.noteFailures(found.rows.count { $0.outcome >= .damaged })
      return found
    } take: { (job: Job, found: FleetInput.Found) throws(Failure) -> Bool in
      for row in found.rows { report.add(row) }
      if job.known != nil { report.reused += 1 }
      if let ledger {
        try keep { () throws(FleetLedgerError) in
          try ledger.add(found.rows, at: job.unit.place, stamp: found.stamp)
        }
      }
      return !context.output.isClosed
    }
    report.links = walk.links
    report.isOutdated = ledger?.isOutdated ?? false
    report.isDamaged = ledger?.isDamaged ?? false
    return report
  }

  /// What one thread does: a file or folder, and what is known of it.
  private struct Job: Sendable {
    var unit: FleetWalk.Unit
    var known: [FleetRow]?
  }

  // MARK: What is kept

  /// The file of a run that can be resumed. It names the program that judged, with the file that it runs from: two builds of
  /// one version may differ in their rules.
  private static func ledger(
    _ path: String, _ folders: [String], _ context: CommandContext
  ) throws(Failure) -> FleetLedger {
    guard !path.isEmpty, path != "-" else {
      throw Failure(.wrongUse, "--resume needs the name of a file", next: "\(Tool.name) help fleet")
    }
    guard !Platform.isLink(path) else {
      throw Failure(
        .wrongUse, "--resume \(path): this is a link, which is not followed; name the file itself",
        next: "readlink -f \(path.shellWord)")
    }
    let own = Platform.fileStatus(of: Platform.ownFile).map { "\($0.size) \($0.modified)" } ?? ""
    let domain = context.environment.tool.domain
    let program =
      "\(Tool.current.title), revision \(domain.revision), \(domain.catalog.fingerprint()) \(own)"
      + (context.redaction.revealsAccounts ? ", revealing" : "")
    return try keep { () throws(FleetLedgerError) in
      try FleetLedger(path, .init(program: program, folders: folders))
    }
  }

  private static func keep<Value>(_ body: () throws(FleetLedgerError) -> Value) throws(Failure) -> Value {
    do throws(FleetLedgerError) {
      return try body()
    } catch {
      let reason = "--resume \(error.path): \(error.reason)"
      switch error.code {
      case .foreign, .otherFleet:
        throw Failure(.wrongUse, "\(reason); name another file", next: "\(Tool.name) help fleet")
      case .tooLarge:
        throw Failure(.wrongUse, "\(reason); name a folder that holds them", next: "\(Tool.name) help fleet")
      case .inUse: throw Failure(.unreadable, reason, next: "ls -l \(error.path.shellWord)*")
      case .fileSystem:
        throw Failure(.unreadable, reason, next: "ls -ld \(JournalPath.existing(error.path).shellWord)")
      }
    }
  }
}
