import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

/// The event types of a domain, as text and as records.
package struct EventTypesReport {
  private let domain: AnyDomain

  package init(_ domain: AnyDomain) { self.domain = domain }

  /// Refuses a command line that asks for more than one whole schema, or for a schema and types.
  package static func refuseSeveral(_ options: [String], _ context: CommandContext) throws(Failure) {
    let forms = options.filter(context.arguments.isGiven)
    guard forms.count + (context.arguments.positionals.isEmpty ? 0 : 1) < 2 else {
      throw Failure(
        .wrongUse, "--\(forms[0]) prints a whole schema, so nothing else can be asked for with it",
        next: "\(Tool.name) help schema")
    }
  }

  /// Prints every type in a line, or those that the command line names with their fields.
  package func print(_ context: CommandContext) throws(Failure) -> ExitCode {
    let names = domain.entries.map(\.name)
    let globs = context.arguments.positionals.map(Glob.init)
    guard !globs.contains(where: { $0.pattern.isEmpty }) else {
      throw Failure(.wrongUse, "an event type is missing: the word is empty", next: "\(Tool.name) schema")
    }
    for glob in globs where !names.contains(where: { glob.matches($0) }) {
      let near = EditDistance.nearest(to: glob.pattern, in: names)
      throw Failure(
        .wrongUse,
        "no event type matches \(glob.pattern); "
          + (near.isEmpty ? Self.group(near: glob.pattern, names) : "nearest: \(near.joined(separator: ", "))"),
        next: "\(Tool.name) schema")
    }
    let entries = domain.entries.filter { entry in globs.isEmpty || globs.contains { $0.matches(entry.name) } }
    context.report { lines in
      lines.begin(Self.records, domain.catalog)
      lines.add(Self.eventType, each: entries)
      lines.end(Self.records, entries.count, .done)
    } text: {
      Self.printText(entries, isOverview: globs.isEmpty, context)
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
  private static func group(near pattern: String, _ names: [String]) -> String {
    let groups = Set(names.map { String($0.prefix { $0 != "." }) }).sorted()
    let near = EditDistance.nearest(to: String(pattern.prefix { $0 != "." }), in: groups, limit: 1).first
    return near.map { "nearest: \($0).*" } ?? "types begin with \(groups.joined(separator: ", "))"
  }

  private static func print(_ entry: EventDescriptor, _ context: CommandContext) {
    let rule =
      entry.unknownReaders == .ignorable ? "may be ignored by programs that do not know it" : "must be understood"
    context.output.line("\(context.style.bold(entry.name))  type \(entry.number), version \(entry.version), \(rule)")
    if !entry.meaning.isEmpty { context.output.line("  \(entry.meaning)") }
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
  package static let records = JSONOutput<EventCatalog, Int>(
    "schema", start: [.init("fingerprint") { HexDigits($0.fingerprint()) }], [eventType],
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
