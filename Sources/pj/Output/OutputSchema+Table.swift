extension OutputSchema {
  /// The outputs of all commands, by name.
  static let all: [OutputSchema] =
    failures + histories + questions + trust + documents + [eventTypes, version]

  /// Of a command line that names no command, and of the commands that write only text.
  private static let failures = ["error", "help", "completions"].map { OutputSchema($0) }

  private static let eventTypes = OutputSchema(
    "schema", start: ["fingerprint": .digits],
    [
      "eventType": [
        "number": .integer, "name": .text, "version": .integer, "mustUnderstand": .flag, "meaning": .text,
        "remedy": .orNull(.text), "message": .text, "fields": .list(.value),
      ]
    ], end: ["types": .integer])

  private static let version = OutputSchema(
    "version",
    [
      "version": [
        "pj": .text, "journalFormat": .text, "reducerRevision": .integer, "catalogFingerprint": .digits,
      ]
    ])
}
