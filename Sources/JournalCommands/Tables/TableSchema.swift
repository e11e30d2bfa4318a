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

  /// The text of that file, without its last line end.
  package var text: String {
    switch self {
    case .json: Self.definitions.text(style: .pretty)
    case .duckdb: Self.views
    case .spark:
      JSONValue.object(JournalTable.allCases.map { .init($0.rawValue, ColumnType.spark($0.columns)) })
        .text(style: .pretty)
    }
  }

  private static var definitions: JSONValue {
    .object([
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"), .init("$id", .string(Self.json.file)),
      .init("title", "The lines of the tables that pj tables writes"),
      .init("description", "Later versions add columns behind the others; readers pass over what they do not know."),
      .init("version", .number(JournalTable.version)),
      .init("$defs", .object(JournalTable.allCases.map { .init($0.rawValue, $0.schema) })),
    ])
  }

  private static var views: String {
    let texts = JournalTable.allCases.map { table in
      let columns = table.columns.map { column in
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
      ("-- The tables that pj tables writes, as views of DuckDB. Run it in their folder.\n\n"
      + texts.joined(separator: "\n\n"))
  }
}

extension JournalTable {
  /// The JSON Schema of a line.
  var schema: JSONValue {
    .object([
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
