import CommandLineInterface
import CommandSupport
import JSON

/// `pj tables`: journals as tables for engines that count.
package enum TablesCommand: Command {
  package static let description = CommandDescription(
    "tables", "Writes journals as tables that DuckDB and Spark read without code.",
    discussion: [
      """
      The folder holds four tables as gzip-compressed JSON Lines: journals, events, changes (what each event changed in the \
      state) and findings (problems, likely mistakes, damage). Each row names its journal, so that a query covers all of them. \
      pj schema --tables prints the columns with their types: as views of DuckDB, as Spark's StructType, or as JSON Schema.
      """,
      """
      What is personal leaves as in pj export: as pseudonyms, which are equal for equal values of all journals named \
      together. --key sets their key, so that several folders fit together; with it, the same journals give the same bytes. \
      --reveal writes what is personal as it is, and secrets not even then.
      """,
      """
      Folders that are no journals are searched for journals, exports and archives, as pj fleet does. A journal that is damaged \
      or cannot be read ends nothing: its row in the table journals says what is wrong. Where none can be read, nothing is \
      written. The tables take their name when all of them are whole; until then they are in a folder with .part after its name.
      """,
    ],
    examples: [
      .init("pj tables journals/*/journal -o tables", "The golden journals in one set of tables."),
      .init("pj tables field.pj -o tables --reveal", "One journal, with its names."),
      .init("pj tables mail/*.pjx -o tables --key team.key", "Exports, under the pseudonyms of other tables."),
    ],
    positionals: [
      PositionalDescription(
        "JOURNAL", .atLeastOne, completion: .file, "Journals, exports and archives, and folders with any of them.")
    ],
    options: [
      OptionDescription(
        "output", short: "o", value: "FOLDER", completion: .directory, "The folder to write; must not exist."),
      PseudonymInput.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "the tables are written"), ExitCodeDescription(2, "wrong use, or the folder exists"),
      ExitCodeDescription(3, "the tables are written; at least one journal is incomplete or damaged"),
      ExitCodeDescription(4, "at least one journal cannot be read, or the tables cannot be written"),
      ExitCodeDescription(5, "at least one journal needs a newer tool"),
    ])

  package static func description(in domain: AnyDomain) -> CommandDescription {
    var command = description
    guard domain.additions == nil else { return command }
    let problems = domain.diagnostics == nil ? "" : "problems, "
    command.discussion[0] = """
      The folder holds four tables as gzip-compressed JSON Lines: journals, events, changes (what each event changed in the \
      state) and findings (\(problems)likely mistakes, damage). Each row names its journal, so that a query covers all of \
      them. pj schema --tables prints the columns with their types: as views of DuckDB, as Spark's StructType, or as JSON \
      Schema.
      """
    command.discussion[2] = """
      Folders that are no journals are searched for journals and exports. A journal that is damaged or cannot be read ends \
      nothing: its row in the table journals says what is wrong. Where none can be read, nothing is written. The tables take \
      their name when all of them are whole; until then they are in a folder with .part after its name.
      """
    command.examples[0] = .init("pj tables *.pj -o tables", "Several journals in one set of tables.")
    command.positionals = [
      PositionalDescription(
        "JOURNAL", .atLeastOne, completion: .file, "Journals and exports, and folders with any of them.")
    ]
    return command
  }

  package static var schemas: [OutputSchema] { [TablesReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let paths = context.arguments.positionals
    guard let target = context.arguments.value(of: "output"), !target.isEmpty, target != "-" else {
      throw Failure(.wrongUse, "--output is missing: it names the folder to write", next: "\(Tool.name) help tables")
    }
    if let path = try repetition(in: paths, context) {
      throw Failure(
        .wrongUse, "\(path): this journal is named twice, and its rows would count twice",
        next: "\(Tool.name) help tables")
    }
    for path in paths {
      // A journal that an archive holds has the archive's path before its own.
      guard let archive = paths.first(where: { path.hasPrefix($0 + "/") && Platform.kind(of: $0) == .file }) else {
        continue
      }
      throw Failure(
        .wrongUse, "\(path): this journal is one of \(archive), and its rows would count twice",
        next: "\(Tool.name) help tables")
    }
    let pseudonyms = try PseudonymInput.pseudonyms(context)
    try NewPlace.refuseTaken(target, by: .folder(mayExist: false), context)
    let folder = try TableFolder(target, context.environment.fileSystem)
    var pass = TablePass(folder, pseudonyms, context)
    var report = TablesReport(target: target, isRedacted: pseudonyms != nil)
    context.begin(TablesReport.records, target)
    var walk = FleetWalk(paths, context)
    while !folder.hasFailed, let unit = walk.nextUnit() {
      for outcome in pass.add(unit) { report.add(outcome, context) }
    }
    FleetReport.note(links: walk.links, context)
    guard report.hasRead || folder.hasFailed else {
      folder.discard()
      throw Failure(.unreadable, "no journal could be read, so nothing is written", next: "\(Tool.name) help tables")
    }
    try folder.finish()
    report.printEnd(folder, to: context)
    return report.code
  }

  /// The first journal that is named, or lies in folders that are named, for the second time.
  private static func repetition(in paths: [String], _ context: CommandContext) throws(Failure) -> String? {
    if let path = Platform.repetition(in: paths)?.path { return path }
    var walk = FleetWalk(paths, context)
    var seen: Set<Platform.FileIdentity> = []
    var isEmpty = true
    while let unit = walk.nextUnit() {
      isEmpty = false
      if let file = Platform.identity(of: unit.path), !seen.insert(file).inserted { return unit.path }
    }
    if isEmpty { throw FleetReport.nothing(in: paths, context) }
    return nil
  }
}
