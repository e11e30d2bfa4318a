import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JournalCommands
import JSON
import PlainText

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
        "TYPE", .many, completion: .words(EventTypeNames.all),
        "Types to show with their fields; globs such as wipe.* match several.")
    ],
    options: [
      OptionDescription("proto", "Print the schema as a .proto file."),
      OptionDescription(
        "json-output", value: "NAME", accepting: .oneOf(PolicyJournalTool.schemas.map(\.name)),
        "Print the JSON Schema of the lines that this command writes with -j."),
      OptionDescription(
        "tables", value: "FORM", accepting: .oneOf(TableSchema.allCases.map(\.rawValue)),
        "Print the columns of pj tables: as JSON Schema, as views of DuckDB, or as Spark's StructType."),
    ])

  /// The package of the published schema.
  static let package = "policyjournal"

  static var schemas: [OutputSchema] { [records.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let forms = ["proto", "json-output", "tables"].filter(context.arguments.isGiven)
    guard forms.count + (context.arguments.positionals.isEmpty ? 0 : 1) < 2 else {
      throw Failure(
        .wrongUse, "--\(forms[0]) prints a whole schema, so nothing else can be asked for with it",
        next: "pj help schema")
    }
    let catalog = AppProtectionEvent.catalog
    if context.arguments.flag("proto") {
      try context.refuseJSON("--proto")
      context.output.write(SchemaText(catalog, package: package).text)
      return .done
    }
    if let name = context.arguments.value(of: "json-output") {
      try context.refuseJSON("--json-output")
      for schema in PolicyJournalTool.schemas where schema.name == name {
        context.output.line(schema.json.text(style: .pretty))
      }
      return .done
    }
    if let form = context.arguments.value(of: "tables").flatMap(TableSchema.init) {
      try context.refuseJSON("--tables")
      context.output.line(form.text)
      return .done
    }
    let globs = context.arguments.positionals.map(Glob.init)
    for glob in globs where !EventTypeNames.all.contains(where: { glob.matches($0) }) {
      let near = EditDistance.nearest(to: glob.pattern, in: EventTypeNames.all)
      throw Failure(
        .wrongUse,
        "no event type matches \(glob.pattern); "
          + (near.isEmpty ? group(near: glob.pattern) : "nearest: \(near.joined(separator: ", "))"),
        next: "pj schema")
    }
    let entries = EventTypeNames.entries.filter { entry in globs.isEmpty || globs.contains { $0.matches(entry.name) } }
    context.report { lines in
      lines.begin(records, ())
      lines.add(eventType, each: entries)
      lines.end(records, entries.count, .done)
    } text: {
      printText(entries, isOverview: globs.isEmpty, context)
    }
    return .done
  }

  private static func printText(_ entries: [EventDescriptor], isOverview: Bool, _ context: CommandContext) {
    if isOverview {
      var table = TextTable([TextColumn("no", .right), TextColumn("event"), TextColumn("meaning")])
      for entry in entries {
        table.append([TextCell("\(entry.number)"), TextCell(entry.name), TextCell(entry.meaning)])
      }
      context.print(table)
    } else {
      for (index, entry) in entries.enumerated() {
        if index > 0 { context.output.line() }
        print(entry, context)
      }
    }
  }

  /// The group of types that is nearest to a pattern, or all groups when none is near.
  private static func group(near pattern: String) -> String {
    let groups = Set(EventTypeNames.all.map { String($0.prefix { $0 != "." }) }).sorted()
    let near = EditDistance.nearest(to: String(pattern.prefix { $0 != "." }), in: groups, limit: 1).first
    return near.map { "nearest: \($0).*" } ?? "types begin with \(groups.joined(separator: ", "))"
  }

  private static func print(_ entry: EventDescriptor, _ context: CommandContext) {
    let rule =
      entry.unknownReaders == .ignorable ? "may be ignored by programs that do not know it" : "must be understood"
    context.output.line("\(context.style.bold(entry.name))  type \(entry.number), version \(entry.version), \(rule)")
    context.output.line("  \(entry.meaning)")
    if let remedy = entry.remedy { context.output.line("  What to do: \(remedy)") }
    var table = TextTable([
      TextColumn("  no", .right), TextColumn("field"), TextColumn("type"), TextColumn("privacy"), TextColumn("meaning"),
    ])
    append(entry.body, indentation: "", to: &table)
    if !entry.body.fields.isEmpty {
      context.print(table)
    }
  }

  private static func append(_ message: MessageDescriptor, indentation: String, to table: inout TextTable) {
    for field in message.fields {
      let often = field.cardinality == .single ? "" : " (\(field.cardinality))"
      table.append([
        TextCell("\(field.number)"), TextCell(indentation + field.name),
        TextCell(field.type.name + often),
        TextCell("\(field.privacy)"), TextCell(field.meaning),
      ])
      if case .message(let inner) = field.type, indentation.count < 8 {
        append(inner, indentation: indentation + "  ", to: &table)
      }
    }
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, Int>(
    "schema", start: [.init("fingerprint") { _ in HexDigits(AppProtectionEvent.catalog.fingerprint()) }], [eventType],
    end: [.init("types") { $0 }])

  private static let eventType = JSONRecord<EventDescriptor>(
    "eventType",
    [
      .init("number", \.number), .init("name", \.name), .init("version", \.version),
      .init("mustUnderstand") { $0.unknownReaders == .mustUnderstand }, .init("meaning", \.meaning),
      .init("remedy", \.remedy), .init("message", \.body.name), .init("fields") { fields(of: $0.body, depth: 0) },
    ])

  private static func fields(of message: MessageDescriptor, depth: Int) -> [JSONValue] {
    message.fields.map { field in
      var members: [JSONObject.Member] = [
        .init("number", .number(field.number)), .init("name", .string(field.name)),
        .init("type", .string(field.type.name)), .init("cardinality", .string("\(field.cardinality)")),
        .init("privacy", .string("\(field.privacy)")), .init("meaning", .string(field.meaning)),
      ]
      if case .message(let inner) = field.type, depth < 8 {
        members.append(.init("fields", .array(fields(of: inner, depth: depth + 1))))
      }
      if case .enumeration(let names) = field.type {
        members.append(
          .init(
            "members",
            .array(
              names.members.map { .object([.init("number", .number($0.number)), .init("name", .string($0.name))]) })))
      }
      return .object(members)
    }
  }
}
