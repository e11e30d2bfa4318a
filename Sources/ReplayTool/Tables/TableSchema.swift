import CommandLineInterface
import CommandSupport
import JSON

/// The form in which a program learns what the columns of the tables hold.
package enum TableSchema: String, CaseIterable {
  /// A JSON Schema (draft 2020-12) of the lines of each table.
  case json
  /// Views for DuckDB, to be made in the folder of the tables.
  case duckdb
  /// The JSON form of Spark's `StructType`, one for each table.
  case spark

  /// The published file.
  package var file: String {
    switch self {
    case .json: "tables.schema.json"
    case .duckdb: "tables.sql"
    case .spark: "tables.spark.json"
    }
  }

  /// The option that asks for it.
  package static let option = OptionDescription(
    "tables", value: "FORM", accepting: .oneOf(allCases.map(\.rawValue)),
    "Print the columns of pj tables: as JSON Schema, as views of DuckDB, or as Spark's StructType.")

  /// Prints the form that the option names; `false` where it names none.
  package static func print(_ context: CommandContext) throws(Failure) -> Bool {
    guard let form = context.arguments.value(of: option.name).flatMap(TableSchema.init) else { return false }
    try context.refuseJSON("--\(option.name)")
    context.output.line(form.text(of: context.environment.tool.domain))
    return true
  }

  /// The text of that file for the tables of a domain, without its last line end.
  package func text(of domain: AnyDomain) -> String {
    switch self {
    case .json: Self.definitions(domain).text(style: .pretty)
    case .duckdb: Self.views(domain)
    case .spark:
      JSONValue.object(
        JournalTable.allCases.map { .init($0.rawValue, ColumnType.spark($0.columns(in: domain))) }
      ).text(style: .pretty)
    }
  }

  private static func definitions(_ domain: AnyDomain) -> JSONValue {
    .object([
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"), .init("$id", .string(Self.json.file)),
      .init("title", .string("The lines of the tables that \(Tool.name) tables writes")),
      .init("description", "Later versions add columns behind the others; readers pass over what they do not know."),
      .init("version", .number(JournalTable.version)),
      .init("$defs", .object(JournalTable.allCases.map { .init($0.rawValue, $0.schema(in: domain)) })),
    ])
  }

  private static func views(_ domain: AnyDomain) -> String {
    let texts = JournalTable.allCases.map { table in
      let columns = table.columns(in: domain).map { column in
        "  '\(column.name)': '\(column.type.duckDB)',  -- \(column.meaning)"
      }
      return """
        -- \(table.meaning)
        CREATE VIEW \(table.rawValue) AS FROM read_json('\(table.rawValue)/*.jsonl.gz', format = 'newline_delimited', columns = {
        \(columns.joined(separator: "\n"))
        });
        """
    }
    return
      ("-- The tables that \(Tool.name) tables writes, as views of DuckDB. Run it in their folder.\n\n"
      + texts.joined(separator: "\n\n"))
  }
}

extension JournalTable {
  /// The JSON Schema of a line.
  func schema(in domain: AnyDomain) -> JSONValue {
    let columns = self.columns(in: domain)
    return .object([
      .init("description", .string(meaning)), .init("type", "object"),
      .init(
        "properties",
        .object(
          columns.map { column in
            var members = column.shape.schema.object?.members ?? []
            members.append(.init("description", .string(column.meaning)))
            return .init(column.name, .object(members))
          })), .init("required", .array(columns.map { .string($0.name) })),
    ])
  }
}
