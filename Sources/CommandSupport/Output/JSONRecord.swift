import JSON

extension String {
  /// One record of JSON Lines: an object in one line whose first member says what kind of record it is.
  package static func record(_ kind: String, _ members: [JSONObject.Member]) -> String {
    JSONValue.object([JSONObject.Member("kind", .string(kind))] + members).text(style: .compact)
  }

  /// The first record: the name and the version of the schema that the others follow. A later version only adds.
  package static func startRecord(_ schema: String, _ members: [JSONObject.Member] = []) -> String {
    record(
      "start",
      [
        .init("schema", .string("pj.\(schema)")), .init("version", 1),
        .init("tool", .string("pj " + ToolVersion.text)),
      ] + members)
  }

  /// The last record of a command that failed.
  private static func endRecord(_ exitCode: ExitCode, _ error: String) -> String {
    endRecord(exitCode, [.init("error", .string(error))])
  }

  /// Ends the records of a failed command, and begins them first if none were written.
  ///
  /// - Parameter command: The command; `nil` if unknown.
  package static func writeFailure(_ exitCode: ExitCode, _ error: String, of command: String?, to output: TextOutput) {
    if !output.hasContent { output.line(.startRecord(command ?? "error")) }
    output.line(.endRecord(exitCode, error))
  }

  /// The last record: without it, or if `complete` is false, the output is incomplete.
  package static func endRecord(_ exitCode: ExitCode, _ members: [JSONObject.Member] = []) -> String {
    let complete = exitCode == .done || exitCode == .different
    return record("end", [.init("complete", .bool(complete)), .init("exit", .number(exitCode.rawValue))] + members)
  }
}
