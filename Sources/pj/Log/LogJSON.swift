import AppProtection
import EventSourcing
import Forensics
import JSON
import Journal

/// The log as JSON Lines.
struct LogJSON: LogFormat {
  private let values: ValueJSON

  init(_ redaction: Redaction) {
    values = ValueJSON(redaction)
  }

  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    LogRow(text: .record("event", members(of: event) + [.init("match", .bool(isMatch))]), isMatch: isMatch)
  }

  func row(_ jump: ClockJump) -> LogRow {
    LogRow(
      text: .record(
        "clockJump",
        [
          .init("before", .number(jump.sequence)),
          .init("moved", .string(SpanText.iso8601(nanoseconds: jump.nanoseconds))),
          .init("sameBoot", jump.isSameBoot.map(JSONValue.bool) ?? .null),
        ]))
  }

  func row(_ finding: Finding) -> LogRow {
    LogRow(text: .record("finding", FindingJSON.members(of: finding)))
  }

  func row(_ obstacle: HistoryError) -> LogRow {
    LogRow(
      text: .record(
        "stateUnknown",
        [
          .init("after", obstacle.lastDerivable.map(JSONValue.number) ?? .null),
          .init("reason", .string(obstacle.message)),
        ]))
  }

  func row(_ beginning: RetiredBeginning) -> LogRow {
    LogRow(
      text: .record(
        "retiredBeginning",
        [
          .init("first", .number(beginning.firstSequence)),
          .init("stateKnownBehind", .number(beginning.checkpointSequence)),
          .init("reason", .string(beginning.text)),
        ]))
  }

  /// Everything about one event.
  func members(of event: LoggedEvent) -> [JSONObject.Member] {
    let record = event.record
    let envelope = record.envelope
    var members: [JSONObject.Member] = [
      .init("seq", .number(record.sequence)),
      .init("time", .string(CivilTime(nanoseconds: envelope.moment.wallNanoseconds).text)),
      .init("uptime", .number(envelope.moment.uptimeNanoseconds)),
      .init("type", .string(record.typeName)),
      .init("typeNumber", .number(envelope.type)),
      .init("version", .number(envelope.version)),
      .init("known", .bool(record.event != nil)),
      .init("mustUnderstand", .bool(envelope.unknownReaders == .mustUnderstand)),
      .init("accounts", .array(event.pseudonyms.map { .string($0) })),
      .init("cause", .number(envelope.cause)),
      .init("correlation", .number(envelope.correlation)),
      .init("process", .number(envelope.process)),
      .init("chain", .string(ValueText.hexadecimal(bytes(of: record.chain)))),
      .init(
        "stateDigest",
        envelope.recordedDigest.isEmpty ? .null : .string(ValueText.hexadecimal(envelope.recordedDigest))),
      .init("data", values.json(record.fields)),
    ]
    switch record.content {
    case .known, .unknownType, .unknownVersion, .lost: break
    case .undecodable(let error), .foreign(let error): members.append(.init("undecodable", .string("\(error)")))
    }
    members.append(
      .init("changes", event.changes.map { .array($0.changes.map { .object(self.members(of: $0)) }) } ?? .null))
    members.append(.init("findings", event.findings.map { .array($0.map(Self.json)) } ?? .null))
    if !event.unmetConditions.isEmpty {
      members.append(.init("conditions", .array(event.unmetConditions.map { .object(self.members(of: $0)) })))
    }
    if let evaluation = event.orderedBy { members.append(.init("orderedBy", .number(evaluation))) }
    return members
  }

  /// A launch condition that is not met.
  private func members(of condition: LaunchCondition) -> [JSONObject.Member] {
    func reads(_ reads: [Explanation.Read]) -> JSONValue {
      .array(reads.map { .object([.init("path", .string($0.path)), .init("value", values.json($0.value))]) })
    }
    return [
      .init("rule", .string(condition.finding.rule.id)), .init("outcome", .string(condition.finding.outcome.name)),
      .init("settings", reads(condition.settings)), .init("facts", reads(condition.facts)),
    ]
  }

  /// A likely mistake in the app.
  private static func json(_ finding: TraceFinding) -> JSONValue {
    .object([
      .init("rule", .string(finding.rule)), .init("label", .string(finding.label)),
      .init("message", .string(finding.description)),
    ])
  }

  /// One change of the state.
  func members(of change: StateChange) -> [JSONObject.Member] {
    [
      .init("path", .string(change.path)),
      .init("before", values.json(change.before)),
      .init("after", values.json(change.after)),
    ]
  }

  private func bytes(of number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}
