import CommandLineInterface
import CommandSupport
import Forensics

/// `schema` of a tool that knows the event types of one domain, and the lines of its own commands.
enum DomainSchema: Command {
  static let description = CommandDescription(
    "schema", "Lists the event types and their fields, for people and for programs.",
    discussion: ["The last type, state.migrated, is not of the domain itself: every domain has it."],
    examples: [
      .init("pj schema", "Every event type, with its meaning."),
      .init("pj schema state.migrated", "One type with its fields and what to do about it."),
      .init("pj schema --json-output state", "What each line of pj state -j looks like."),
    ],
    positionals: [
      PositionalDescription(
        "TYPE", .many, completion: .asks("types"), "Types to show with their fields; globs match several.")
    ],
    options: [
      OptionDescription("proto", "Print the schema as a .proto file."),
      OptionDescription(
        "json-output", value: "NAME", "Print the JSON Schema of the lines that this command writes with -j."),
      TableSchema.option,
    ])

  static var schemas: [OutputSchema] { [EventTypesReport.records.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try EventTypesReport.refuseSeveral(["proto", "json-output", "tables"], context)
    let domain = context.environment.tool.domain
    if context.arguments.flag("proto") {
      try context.refuseJSON("--proto")
      context.output.write(SchemaText(domain.catalog, package: domain.packageName).text)
      return .done
    }
    if let name = context.arguments.value(of: "json-output") {
      try context.refuseJSON("--json-output")
      let schemas = ToolShell.current?.schemas ?? []
      guard let schema = schemas.first(where: { $0.name == name }) else {
        throw Failure(
          .wrongUse,
          "--json-output: no output is named \(name); there are \(schemas.map(\.name).joined(separator: ", "))",
          next: "\(Tool.name) help schema")
      }
      context.output.line(schema.json.text(style: .pretty))
      return .done
    }
    if try TableSchema.print(context) { return .done }
    return try EventTypesReport(domain).print(context)
  }
}

extension AnyDomain {
  /// The domain's name as a package of Protocol Buffers, which has no hyphens.
  fileprivate var packageName: String { String(name.map { $0 == "-" ? "_" : $0 }) }
}
