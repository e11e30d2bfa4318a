import CommandSupport
import JSON

/// What a column of a table holds: how JSON Schema, DuckDB and Spark say so.
///
/// Each may be null where its ``TableColumn`` says so.
package indirect enum ColumnType: Sendable {
  case text, flag
  /// From -2^63 to 2^63 - 1, because Spark has no larger integers.
  case integer
  /// RFC 3339 in UTC, to the nanosecond. DuckDB and Spark keep microseconds.
  case time
  /// Anything: what an event or a state holds. Spark has no such type and takes the text.
  case json
  case list(ColumnType)
  case record([TableColumn])

  /// The shape of the values in the lines of a table.
  var shape: JSONShape {
    switch self {
    case .text: .text
    case .flag: .flag
    case .integer: .integer
    case .time: .time
    case .json: .value
    case .list(let type): .list(type.shape)
    case .record(let columns):
      .object(JSONMembers(columns.map { (name: $0.name, shape: $0.shape) }))
    }
  }

  /// The type in DuckDB's SQL.
  var duckDB: String {
    switch self {
    case .text: "VARCHAR"
    case .flag: "BOOLEAN"
    case .integer: "BIGINT"
    case .time: "TIMESTAMP"
    case .json: "JSON"
    case .list(let type): type.duckDB + "[]"
    case .record(let columns):
      "STRUCT(" + columns.map { "\"\($0.name)\" \($0.type.duckDB)" }.joined(separator: ", ") + ")"
    }
  }

  /// The type in the JSON form of Spark's schemas, which `StructType.fromJson` reads.
  var spark: JSONValue {
    switch self {
    case .text, .json: "string"
    case .flag: "boolean"
    case .integer: "long"
    case .time: "timestamp"
    case .list(let type):
      .object([
        .init("type", "array"), .init("elementType", type.spark), .init("containsNull", false),
      ])
    case .record(let columns): Self.spark(columns)
    }
  }

  /// A row with these columns in that form.
  static func spark(_ columns: [TableColumn]) -> JSONValue {
    .object([
      .init("type", "struct"),
      .init(
        "fields",
        .array(
          columns.map { column in
            .object([
              .init("name", .string(column.name)), .init("type", column.type.spark),
              .init("nullable", .bool(column.isOptional)),
              .init("metadata", .object([.init("comment", .string(column.meaning))])),
            ])
          })),
    ])
  }
}

/// A column of a table.
package struct TableColumn: Sendable {
  package let name: String
  let type: ColumnType
  /// Whether a row may hold null in it.
  let isOptional: Bool
  /// What it holds, in a few words.
  package let meaning: String

  init(_ name: String, _ type: ColumnType, _ meaning: String, isOptional: Bool = false) {
    (self.name, self.type, self.meaning, self.isOptional) = (name, type, meaning, isOptional)
  }

  /// A column in which rows may hold null.
  static func optional(_ name: String, _ type: ColumnType, _ meaning: String) -> TableColumn {
    TableColumn(name, type, meaning, isOptional: true)
  }

  /// The shape of its values.
  var shape: JSONShape { isOptional ? .orNull(type.shape) : type.shape }
}
