import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// The results of `pj fleet`.
struct FleetReport {
  /// The number of files and folders of which everything was known.
  var reused: UInt64 = 0
  /// The number of links to folders that were passed over.
  var links = 0
  /// Whether a file of another program's run was passed over.
  var isOutdated = false
  /// Whether a file was passed over whose first line is damaged.
  var isDamaged = false

  private let context: CommandContext
  private var summary = FleetSummary()
  /// The first journals that could not be read as they should.
  private var broken: [FleetRow] = []

  /// The most causes, broken journals and groups of a kind that are shown as text.
  private static let maximumShown = 10

  init(_ context: CommandContext) {
    self.context = context
    context.begin(Self.records, ())
    if isCSV { context.output.line(FleetCSV.head) }
  }

  private var isCSV: Bool { context.arguments.flag("csv") }

  /// Prints a row, or counts it for the text.
  mutating func add(_ row: FleetRow) {
    let shown = row.shown(context.redaction)
    let row = context.arguments.value(of: "only") == nil ? shown : shown.limitedToNow
    summary.add(row)
    if row.outcome >= .differs, broken.count < Self.maximumShown { broken.append(row) }
    context.show(Self.journal, row) {
      if isCSV { for line in FleetCSV.lines(row) { context.output.line(line) } }
    }
  }

  /// Prints what the rows have in common.
  func finish(_ folders: [String]) throws(Failure) -> ExitCode {
    let code = Self.exitCode(summary.worst)
    guard summary.journals > 0 else { throw Self.nothing(in: folders, context) }
    context.report { lines in
      for kind in FleetSummary.Kind.allCases { lines.add(Self.group, each: summary.groups(by: kind)) }
      lines.add(Self.cause, each: summary.causes)
      lines.end(Self.records, (summary, nil), code)
    } text: {
      if !isCSV { printText() }
    }
    if isOutdated {
      context.note("what another version of \(Tool.name) found is not used: everything is examined again")
    }
    if isDamaged { context.note("the first line of what was kept is damaged: everything is examined again") }
    if context.arguments.isGiven("resume") {
      context.note("\(reused.grouped) unchanged since the last run")
    }
    Self.note(links: links, context)
    return code
  }

  /// Why a fleet without a journal fails.
  static func nothing(in folders: [String], _ context: CommandContext) -> Failure {
    let names = folders.map { context.redaction.shown(path: $0) }.joined(separator: ", ")
    return Failure(
      .unreadable, "\(names): no journal, export or archive is there",
      next: "\(Tool.name) help \(context.arguments.command.name)"
    )
  }

  /// Says how many links to folders a walk passed over.
  static func note(links: Int, _ context: CommandContext) {
    guard links > 0 else { return }
    context.note("\(links.counted("link")) to folders \(links == 1 ? "is" : "are") not followed")
  }

  private static func exitCode(_ worst: FleetRow.Outcome) -> ExitCode {
    switch worst {
    case .clean: .done
    case .notes, .problems, .differs: .different
    case .damaged: .partial
    case .otherDomain, .newer: .needsNewerTool
    case .unreadable: .unreadable
    }
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<Void, End>(
    "fleet", [unit, journal, group, cause],
    end: [
      .ifAny("journals", \.summary?.journals), .ifAny("findings", \.summary?.findings),
      .ifAny("leftOut", \.summary?.leftOut), .ifAny("units", \.units),
    ])

  /// What the last record counts: what was found, or what would be examined.
  typealias End = (summary: FleetSummary?, units: UInt64?)

  /// What would be examined.
  static let unit = JSONRecord<FleetWalk.Unit>(
    "unit",
    [
      .init("folder") { RedactedText.path($0.folder) }, .init("path") { RedactedText.path($0.place.path) },
    ])

  private static let journal = JSONRecord<FleetRow>(
    "journal",
    [
      .init("folder", \.folder), .init("path", \.path), .init("outcome", \.outcome), .init("error", \.error),
      .init("bytes", \.bytes), .init("states", \.states), .init("id", \.id), .init("events", \.events),
      .init("firstEvent", \.first?.event), .init("firstTime", \.first?.time), .init("lastEvent", \.last?.event),
      .init("lastTime", \.last?.time), .init("judgedUpTo", \.judgedUpTo), .init("damagedPlaces", \.damagedPlaces),
      .init("lostEvents", \.lostEvents), .init("app", \.app), .init("engine", \.engine), .init("system", \.system),
      .init("model", \.model), .init("policies", each: [.init("id", \.id), .init("revision", \.revision)], \.policies),
      .init("findings", each: finding, \.findings), .init("leftOut", \.leftOut),
    ])

  private static let finding: [JSONMember<FleetRow.Finding>] = [
    .init("family", \.family), .init("severity", \.severity.name), .init("subject", \.subject),
    .init("sentence", \.sentence), .init("confidence", \.confidence.name), .init("event", \.event),
    .init("type", \.type), .init("time") { $0.nanoseconds.map { CivilTime(nanoseconds: $0) } },
    .init("until", \.until), .init("explainedBy", \.explainedBy),
    .init("state", oneOf: ["now", "over"]) { $0.isOver ? "over" : "now" },
  ]

  private static let group = JSONRecord<FleetSummary.Group>(
    "group",
    [
      .init("by", \.kind), .init("name", \.name), .init("revision", \.revision), .init("journals", \.journals),
      .init("affected", \.affected), .init("findings", \.findings),
    ])

  private static let cause = JSONRecord<FleetSummary.Cause>(
    "cause",
    [
      .init("family", \.family), .init("type", \.type), .init("severity", \.severity.name),
      .init("journals", \.journals), .init("findings", \.findings), .init("folder", \.folder), .init("path", \.path),
      .init("event", \.example.event),
      .init("time") { $0.example.nanoseconds.map { CivilTime(nanoseconds: $0) } },
      .init("sentence", \.example.sentence),
    ])

  // MARK: Text

  private func printText() {
    let outcomes = FleetRow.Outcome.allCases.compactMap { outcome -> String? in
      let count = summary.journals(outcome)
      return count == 0 ? nil : "\(count.grouped) \(Self.words(outcome))"
    }
    let count = summary.journals
    context.output.line(
      "\(count.counted("journal")): \(outcomes.joined(separator: ", "))")
    printCauses()
    printGroups("Families", [.family])
    printGroups("Versions of the app", [.app])
    printGroups("Versions of the engine", [.engine])
    printGroups("Versions of the operating system", [.system])
    printGroups("Policies", [.policy])
    printGroups("Revisions of policies", [.revision])
    printBroken()
    if let cause = summary.causes.first {
      let path = Self.path(cause.folder, cause.path)
      let isWithheld = path.contains(context.redaction.placeholder(for: .account))
      context.output.line()
      context.output.line(
        isWithheld
          ? "Next: the same command with --reveal, which shows the path"
          : "Next: \(Tool.name) diagnose \(path.shellWord)")
    }
  }

  private static func words(_ outcome: FleetRow.Outcome) -> String {
    switch outcome {
    case .clean: "clean"
    case .notes: "with notes"
    case .problems: "with problems"
    case .differs: "with other states than recorded"
    case .damaged: "damaged or incomplete"
    case .otherDomain: "of another domain"
    case .newer: "for a newer \(Tool.name)"
    case .unreadable: "unreadable"
    }
  }

  private func printCauses() {
    let causes = summary.causes
    guard !causes.isEmpty else { return }
    title("Most frequent causes")
    var table = TextTable([
      TextColumn("journals", .right), TextColumn("severity"), TextColumn("family"), TextColumn("decided by"),
      TextColumn("example"),
    ])
    for cause in causes.prefix(Self.maximumShown) {
      let place = Self.path(cause.folder, cause.path) + (cause.example.event.map { ", event \($0)" } ?? "")
      table.append(
        [
          cause.journals.grouped, cause.severity.name, cause.family, cause.type ?? "–",
          place + (cause.example.nanoseconds.map { ", \(CivilTime(nanoseconds: $0).dateText)" } ?? ""),
        ].map { TextCell(TerminalText.visible($0)) })
    }
    context.print(table)
    rest(causes.count)
  }

  private func printGroups(_ heading: String, _ kinds: [FleetSummary.Kind]) {
    let groups = kinds.flatMap { summary.groups(by: $0) }
    guard !groups.isEmpty else { return }
    title(heading)
    var table = TextTable([
      TextColumn("journals", .right), TextColumn("affected", .right), TextColumn("findings", .right), TextColumn(""),
    ])
    for group in groups.prefix(Self.maximumShown) {
      let name = (group.name.isEmpty ? "(without identifier)" : group.name) + (group.revision.map { "  \($0)" } ?? "")
      table.append(
        [
          group.journals.grouped, group.affected.grouped,
          group.findings.grouped, name,
        ].map { TextCell(TerminalText.visible($0)) })
    }
    context.print(table)
    rest(groups.count)
  }

  private func printBroken() {
    guard !broken.isEmpty else { return }
    title("Not whole")
    for row in broken {
      context.output.line(
        TerminalText.visible(
          "\(row.outcome.rawValue)  \(Self.path(row.folder, row.path))\(row.error.map { ": \($0)" } ?? "")"),
        hanging: 2)
    }
    let count = FleetRow.Outcome.allCases.filter { $0 >= .differs }.reduce(0) { $0 + summary.journals($1) }
    rest(Int(clamping: count))
  }

  private func title(_ text: String) {
    context.output.line()
    context.output.line(context.style.bold(text))
  }

  private func rest(_ count: Int) {
    guard count > Self.maximumShown else { return }
    context.output.line("\((count - Self.maximumShown).grouped) more; -j lists all")
  }

  private static func path(_ folder: String, _ path: String) -> String {
    path == "." ? folder : folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}

extension FleetRow.Outcome: JSONWord {}
extension FleetRow.Bytes: JSONWord {}
extension FleetRow.States: JSONWord {}
extension FleetSummary.Kind: JSONWord {}

extension FleetRow.Mark {
  fileprivate var time: CivilTime { CivilTime(nanoseconds: nanoseconds) }
}

extension FleetRow {
  /// The row as it is shown.
  fileprivate func shown(_ redaction: Redaction) -> FleetRow {
    var row = self
    (row.folder, row.path) = (redaction.shown(path: folder), redaction.shown(path: path))
    row.error = error.map { redaction.shown(error: $0, of: "\(folder)/\(path)") }
    return row
  }
}

/// The rows of `pj fleet` as comma-separated values (RFC 4180, with line feeds).
enum FleetCSV {
  private typealias Column<Row> = (name: String, value: @Sendable (Row) -> String)

  private static let journal: [Column<FleetRow>] = [
    ("folder", { $0.folder }), ("path", { $0.path }), ("outcome", { $0.outcome.rawValue }),
    ("error", { $0.error ?? "" }), ("bytes", { $0.bytes.rawValue }), ("states", { $0.states.rawValue }),
    ("events", { "\($0.events)" }), ("firstTime", { $0.first?.time.text ?? "" }),
    ("lastTime", { $0.last?.time.text ?? "" }), ("app", { $0.app.joined(separator: " ") }),
    ("engine", { $0.engine.joined(separator: " ") }), ("system", { $0.system.joined(separator: " ") }),
    ("model", { $0.model.joined(separator: " ") }),
    (
      "policies",
      {
        $0.policies.map { [$0.id, $0.revision].filter { !$0.isEmpty }.joined(separator: " ") }.joined(separator: "; ")
      }
    ),
  ]

  private static let finding: [Column<FleetRow.Finding>] = [
    ("family", { $0.family }), ("severity", { $0.severity.name }), ("subject", { $0.subject ?? "" }),
    ("confidence", { $0.confidence.name }), ("event", { $0.event.map { "\($0)" } ?? "" }), ("type", { $0.type ?? "" }),
    ("time", { $0.nanoseconds.map { CivilTime(nanoseconds: $0).text } ?? "" }),
    ("isCause", { $0.explainedBy == nil ? "true" : "false" }), ("sentence", { $0.sentence }),
  ]

  /// The names of the columns.
  static let head = (journal.map(\.name) + finding.map(\.name)).joined(separator: ",")

  /// A line for each finding, or one without.
  static func lines(_ row: FleetRow) -> [String] {
    let fields = journal.map { $0.value(row) }
    let findings = row.findings.map { found in finding.map { $0.value(found) } }
    return (findings.isEmpty ? [finding.map { _ in "" }] : findings).map { CSVText.line(fields + $0) }
  }
}
