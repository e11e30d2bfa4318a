import EventSourcing
import JSON
import PlainText

extension FleetRow {
  /// The row as the members of a JSON record.
  public var members: [JSONObject.Member] {
    [
      .init("folder", .string(folder)), .init("path", .string(path)), .init("outcome", .string(outcome.rawValue)),
      .init("error", error.map(JSONValue.string) ?? .null), .init("bytes", .string(bytes.rawValue)),
      .init("states", .string(states.rawValue)), .init("id", id.map(JSONValue.string) ?? .null),
      .init("events", .number(events)), .init("firstEvent", first.map { .number($0.event) } ?? .null),
      .init("firstTime", Self.time(first?.nanoseconds)), .init("lastEvent", last.map { .number($0.event) } ?? .null),
      .init("lastTime", Self.time(last?.nanoseconds)), .init("judgedUpTo", .number(judgedUpTo)),
      .init("damagedPlaces", .number(damagedPlaces)), .init("lostEvents", .number(lostEvents)),
      .init("app", Self.list(app)), .init("engine", Self.list(engine)), .init("system", Self.list(system)),
      .init("model", Self.list(model)),
      .init(
        "policies",
        .array(
          policies.map { .object([.init("id", .string($0.id)), .init("revision", .string($0.revision))]) })),
      .init("findings", .array(findings.map { .object($0.members) })), .init("leftOut", .number(leftOut)),
    ]
  }

  /// Reads ``members`` back.
  ///
  /// - Throws: `JSONError` if a member is missing or of another kind.
  public init(_ node: JSONNode) throws(JSONError) {
    self.init(
      folder: try node.required("folder").string(), path: try node.required("path").string(),
      try Self.choice(node.required("outcome")))
    error = try node.present("error")?.string()
    bytes = try Self.choice(node.required("bytes"))
    states = try Self.choice(node.required("states"))
    id = try node.present("id")?.string()
    events = try Self.count(node.required("events"))
    first = try Self.mark(node, "firstEvent", "firstTime")
    last = try Self.mark(node, "lastEvent", "lastTime")
    judgedUpTo = try Self.count(node.required("judgedUpTo"))
    damagedPlaces = try Self.count(node.required("damagedPlaces"))
    lostEvents = try Self.count(node.required("lostEvents"))
    app = try Self.texts(node.required("app"))
    engine = try Self.texts(node.required("engine"))
    system = try Self.texts(node.required("system"))
    model = try Self.texts(node.required("model"))
    policies = try node.required("policies").elements().map { (element) throws(JSONError) in
      .init(id: try element.required("id").string(), revision: try element.required("revision").string())
    }
    findings = try node.required("findings").elements().map { (element) throws(JSONError) in try Finding(element) }
    leftOut = try Self.count(node.required("leftOut"))
  }

  fileprivate static func time(_ nanoseconds: Int64?) -> JSONValue {
    nanoseconds.map { .string(CivilTime(nanoseconds: $0).text) } ?? .null
  }

  private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private static func texts(_ node: JSONNode) throws(JSONError) -> [String] {
    try node.elements().map { (element) throws(JSONError) in try element.string() }
  }

  private static func count(_ node: JSONNode) throws(JSONError) -> UInt64 { try node.integer(in: 0...UInt64.max) }

  fileprivate static func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: JSONNode
  ) throws(JSONError) -> Choice where Choice.RawValue == String {
    let name = try node.name(from: Choice.allCases.map(\.rawValue))
    guard let choice = Choice(rawValue: name) else {
      throw node.error(.invalidValue, "this name is not known", remedy: "write another name")
    }
    return choice
  }

  fileprivate static func nanoseconds(_ node: JSONNode) throws(JSONError) -> Int64 {
    var scanner = TimeScanner(try node.string())
    guard let nanoseconds = scanner.dateAndTime()?.first, scanner.isAtEnd else {
      throw node.error(
        .invalidValue, "this is not a time", remedy: "write a date and time in UTC, such as 2026-10-05T09:00:00Z")
    }
    return nanoseconds
  }

  private static func mark(_ node: JSONNode, _ event: String, _ time: String) throws(JSONError) -> Mark? {
    guard let event = try node.present(event), let time = try node.present(time) else { return nil }
    return Mark(event: try count(event), nanoseconds: try nanoseconds(time))
  }
}

extension FleetRow.Finding {
  /// The problem as the members of a JSON object.
  var members: [JSONObject.Member] {
    [
      .init("family", .string(family)), .init("severity", .string(severity.name)),
      .init("subject", subject.map(JSONValue.string) ?? .null), .init("sentence", .string(sentence)),
      .init("confidence", .string(confidence.name)), .init("event", event.map { .number($0) } ?? .null),
      .init("type", type.map(JSONValue.string) ?? .null), .init("time", FleetRow.time(nanoseconds)),
      .init("until", until.map { .number($0) } ?? .null),
      .init("explainedBy", explainedBy.map { .number($0) } ?? .null), .init("isOver", .bool(isOver)),
    ]
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let severity = try node.required("severity")
    let confidence = try node.required("confidence")
    let (severityName, confidenceName) = (
      try severity.name(from: DiagnosisSeverity.allCases.map(\.name)),
      try confidence.name(from: DiagnosisConfidence.allCases.map(\.name))
    )
    self.init(
      family: try node.required("family").string(),
      severity: DiagnosisSeverity.allCases.first { $0.name == severityName } ?? .note,
      subject: try node.present("subject")?.string(), sentence: try node.required("sentence").string(),
      confidence: DiagnosisConfidence.allCases.first { $0.name == confidenceName } ?? .possible,
      event: try node.present("event")?.integer(in: 0...UInt64.max), type: try node.present("type")?.string(),
      nanoseconds: try node.present("time").map { (time) throws(JSONError) in try FleetRow.nanoseconds(time) },
      until: try node.present("until")?.integer(in: 0...UInt64.max),
      explainedBy: try node.present("explainedBy")?.integer(in: 0...FleetRow.maximumFindings),
      isOver: try node.present("isOver")?.bool() ?? false)
  }
}
