import JSON

/// Members of an export's records that this program does not know. An import keeps them for the next export.
struct ExportAdditions: Sendable {
  /// A record: its kind, and its first event's number; 0 for the last record.
  private struct Place: Hashable, Sendable {
    var kind: String
    var sequence: UInt64
  }

  private var members: [Place: [JSONObject.Member]] = [:]
  private var byteCount = 0

  /// The most bytes that are kept: more of them are none.
  private static let mostBytes = 32 << 20

  /// The names that this program writes and reads, by the kind of the record.
  private static let known: [String: Set<String>] = [
    "start": [
      "kind", "schema", "version", "tool", "redacted", "journal", "created", "createdNanoseconds", "domain",
      "historyDigest", "salvaged", "lastKnown", "parent", "first", "chain", "retired", "partial",
      "lostBeforeFirst",
    ],
    "damage": [
      "kind", "verdict", "isDamage", "file", "from", "to", "lostEvents", "strandedEvents", "cause", "evidence",
      "remedy", "knownUpTo",
    ],
    "checkpoint": ["kind", "seq", "bytes"], "catalog": ["kind", "from", "sha256", "bytes"],
    "event": [
      "kind", "seq", "chain", "time", "uptime", "type", "typeNumber", "version", "known", "mustUnderstand", "cause",
      "correlation", "process", "stateDigest", "fields", "changes", "payload", "last",
    ], "gap": ["kind", "from", "to"],
    "end": ["kind", "events", "lost", "last", "chain", "sha256", "endKnown", "checksum"],
  ]

  /// Whether this program knows a member of a record.
  static func knows(_ name: String, in kind: String) -> Bool { known[kind]?.contains(name) ?? false }

  /// Keeps what a record has besides the members that this program knows.
  mutating func keep(_ record: JSONObject, of kind: String, at sequence: UInt64) {
    guard byteCount <= Self.mostBytes else { return }
    let unknown = record.members.filter { !Self.knows($0.name, in: kind) }
    guard !unknown.isEmpty else { return }
    byteCount += JSONValue(.object(JSONObject(unknown))).text(style: .compact).utf8.count
    members[Place(kind: kind, sequence: sequence)] = unknown
    if byteCount > Self.mostBytes { members = [:] }
  }

  /// The members to add to a record.
  func members(of kind: String, at sequence: UInt64) -> [JSONObject.Member] {
    members.isEmpty ? [] : members[Place(kind: kind, sequence: sequence)] ?? []
  }

  // MARK: In a file

  /// One line for each record.
  var lines: [JSONValue] {
    let places = members.sorted { ($0.key.sequence, $0.key.kind) < ($1.key.sequence, $1.key.kind) }
    return places.map { place, members in
      .object([
        .init("to", .string(place.kind)), .init("seq", .number(place.sequence)),
        .init("members", JSONValue(.object(JSONObject(members)))),
      ])
    }
  }

  /// Reads a line; returns `false` for one of something else.
  mutating func read(_ line: JSONNode) throws(JSONError) -> Bool {
    guard let kind = try line.present("to") else { return false }
    keep(
      try line.required("members").object(), of: try kind.string(), at: try line.required("seq").integer())
    return true
  }
}
