import CommandLineInterface
import CommandSupport

/// `import` of a tool that reads nothing but exports.
enum DomainImport: Command {
  static let description = CommandDescription(
    "import", "Writes a journal from a file that pj export wrote.",
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
    ],
    examples: [
      .init("pj import field.pjx -o field.pj", "Writes the journal of an export."),
      .init("pj import - -o field.pj < field.pjx", "The same from standard input."),
      .init("pj import field.pjx -o field.pj -j", "The same for programs."),
    ],
    positionals: [PositionalDescription("FILE", completion: .file, "The file to read; - is standard input.")],
    options: [
      OptionDescription(
        "output", short: "o", value: "JOURNAL", completion: .directory,
        "The journal to write; must not exist, or must be an empty folder.")
    ])

  static var schemas: [OutputSchema] { [ExportImport.records.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    guard let path = context.arguments.positional("FILE") else {
      throw Failure(.wrongUse, "the file to import is missing", next: "\(Tool.name) help import")
    }
    guard let target = context.arguments.value(of: "output"), !target.isEmpty, target != "-" else {
      throw Failure(.wrongUse, "--output is missing: it names the journal to write", next: "\(Tool.name) help import")
    }
    try NewPlace.refuseTaken(target, by: .folder(mayExist: true), context)
    return try ExportImport.run(path, to: target, context)
  }
}
