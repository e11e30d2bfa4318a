import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JournalCommands
import JSON
import PlainText
import ReplayTool

/// `pj schema`: what event types there are.
enum SchemaCommand: Command {
  static let description = CommandDescription(
    "schema", "Lists the event types and their fields, for people and for programs.",
    discussion: [
      """
      The last type, state.migrated, is not of app protection: every domain has it. It is not in the .proto file either, \
      because Protocol Buffers have no enumeration with so large a number.
      """
    ],
    examples: [
      .init("pj schema", "Every event type, with its meaning."),
      .init("pj schema wipe.requested", "One type with its fields and what to do about it."),
      .init("pj schema --proto > policyjournal.proto", "The Protocol Buffers schema of a journal's payloads."),
    ],
    positionals: [
      PositionalDescription(
        "TYPE", .many, completion: .words(PolicyJournalTool.domain.entries.map(\.name)),
        "Types to show with their fields; globs such as wipe.* match several.")
    ],
    options: [
      OptionDescription("proto", "Print the schema as a .proto file."),
      OptionDescription(
        "json-output", value: "NAME", accepting: .oneOf(PolicyJournalTool.schemas.map(\.name)),
        "Print the JSON Schema of the lines that this command writes with -j."),
      TableSchema.option,
    ])

  /// The package of the published schema.
  static let package = "policyjournal"

  static var schemas: [OutputSchema] { [EventTypesReport.records.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try EventTypesReport.refuseSeveral(["proto", "json-output", "tables"], context)
    if context.arguments.flag("proto") {
      try context.refuseJSON("--proto")
      context.output.write(SchemaText(AppProtectionEvent.catalog, package: package).text)
      return .done
    }
    if let name = context.arguments.value(of: "json-output") {
      try context.refuseJSON("--json-output")
      for schema in PolicyJournalTool.schemas where schema.name == name {
        context.output.line(schema.json.text(style: .pretty))
      }
      return .done
    }
    if try TableSchema.print(context) { return .done }
    return try EventTypesReport(PolicyJournalTool.domain).print(context)
  }
}
