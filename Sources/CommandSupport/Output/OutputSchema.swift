import JSON

/// The records of one command's JSON Lines, as a JSON Schema (draft 2020-12) of each line.
///
/// It follows from the ``JSONOutput`` with which the command writes them. A later version only adds records and members, so
/// readers must pass over what they do not know.
package struct OutputSchema: Sendable {
  /// The schema's name, as the first record has it without `pj.`: that of the command, such as `policy.lint`.
  package let name: String
  /// What the first record says besides; missing where the command line is wrong.
  package let start: JSONMembers
  /// The kinds of records between the first and the last.
  package let records: [(kind: String, members: JSONMembers)]
  /// What the last record says besides; missing where the command failed.
  package let end: JSONMembers

  package init(
    _ name: String, start: JSONMembers = JSONMembers([]), records: [(kind: String, members: JSONMembers)] = [],
    end: JSONMembers = JSONMembers([])
  ) {
    (self.name, self.start, self.records, self.end) = (name, start, records, end)
  }

  /// The schema of a command that has two outputs.
  package func merging(_ other: OutputSchema) -> OutputSchema {
    OutputSchema(
      name, start: start.merging(other.start), records: records + other.records, end: end.merging(other.end))
  }

  /// The name of the published file.
  package var file: String { "pj.\(name).schema.json" }

  /// The schema.
  package var json: JSONValue {
    let first = JSONMembers(JSONLines.heading(of: name)) + start.optional
    let last = JSONMembers(JSONLines.ending) + end.optional
    let kinds = [("start", first)] + records.map { ($0.kind, $0.members) } + [("end", last)]
    return .object([
      .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")), .init("$id", .string(file)),
      .init("title", .string("One line of the JSON output pj.\(name)")),
      .init(
        "description", .string("Later versions add records and members; readers pass over what they do not know.")),
      .init(
        "oneOf",
        .array(kinds.map { kind, members in .object(members.schema(besides: [(name: "kind", value: kind)])) })),
    ])
  }
}
