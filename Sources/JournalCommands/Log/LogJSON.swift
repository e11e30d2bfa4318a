import AppProtection
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// The log as JSON Lines.
struct LogJSON: LogFormat {
  private let values: ValueJSON

  init(_ redaction: Redaction) {
    values = ValueJSON(redaction)
  }

  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    var bytes = beginning(of: event)
    bytes.append(literal: ",\"match\":")
    append(isMatch, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return LogRow(bytes, isMatch: isMatch)
  }

  /// The record of an event, which ends with some more members.
  func line(of event: LoggedEvent, _ others: [JSONObject.Member]) -> [UInt8] {
    var bytes = beginning(of: event)
    for member in others {
      bytes.append(UInt8(ascii: ","))
      JSONEscaping.append(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(member.value.text(style: .compact))
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
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

  private func beginning(of event: LoggedEvent) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1536)
    bytes.append(literal: "{\"kind\":\"event\"")
    append(event, to: &bytes)
    return bytes
  }

  /// Appends everything about one event, as members with a comma before each.
  private func append(_ event: LoggedEvent, to bytes: inout [UInt8]) {
    let record = event.record
    let envelope = record.envelope
    bytes.append(literal: ",\"seq\":")
    bytes.append(record.sequence)
    bytes.append(literal: ",\"time\":")
    values.append(.time(envelope.moment.wallNanoseconds), to: &bytes)
    bytes.append(literal: ",\"uptime\":")
    bytes.append(envelope.moment.uptimeNanoseconds)
    bytes.append(literal: ",\"type\":")
    bytes.append(contentsOf: event.printer.kind(of: event.printed).jsonName)
    bytes.append(literal: ",\"typeNumber\":")
    bytes.append(envelope.type)
    bytes.append(literal: ",\"version\":")
    bytes.append(envelope.version)
    bytes.append(literal: ",\"known\":")
    append(record.isUnderstood, to: &bytes)
    bytes.append(literal: ",\"mustUnderstand\":")
    append(envelope.unknownReaders == .mustUnderstand, to: &bytes)
    if !envelope.features.isEmpty {
      bytes.append(literal: ",\"features\":")
      appendList(envelope.features.bits, to: &bytes) { $1.append($0) }
    }
    bytes.append(literal: ",\"accounts\":")
    appendList(event.pseudonyms, to: &bytes) { JSONEscaping.append($0, to: &$1) }
    bytes.append(literal: ",\"cause\":")
    bytes.append(envelope.cause)
    bytes.append(literal: ",\"correlation\":")
    bytes.append(envelope.correlation)
    bytes.append(literal: ",\"process\":")
    bytes.append(envelope.process)
    if let attributes = envelope.attributes { append(attributes, to: &bytes) }
    bytes.append(literal: ",\"chain\":\"")
    bytes.append(hexadecimal: (0..<4).map { UInt8(truncatingIfNeeded: record.chain >> (24 - 8 * $0)) })
    bytes.append(literal: "\",\"stateDigest\":")
    if envelope.recordedDigest.isEmpty {
      bytes.append(literal: "null")
    } else {
      bytes.append(UInt8(ascii: "\""))
      bytes.append(hexadecimal: envelope.recordedDigest)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(literal: ",\"data\":")
    event.printer.appendJSON(of: event.printed, to: &bytes)
    switch record.content {
    case .known, .otherDomain, .migration, .unknownType, .unknownVersion, .unknownFeatures, .lost: break
    case .undecodable(let error), .foreign(let error):
      bytes.append(literal: ",\"undecodable\":")
      JSONEscaping.append("\(error)", to: &bytes)
    }
    appendEffects(of: event, to: &bytes)
  }

  /// What the app attached to the command.
  private func append(_ attributes: CommandAttributes, to bytes: inout [UInt8]) {
    if let origin = attributes.origin {
      bytes.append(literal: ",\"origin\":{\"process\":")
      bytes.append(origin.process)
      bytes.append(literal: ",\"time\":")
      values.append(.time(origin.moment.wallNanoseconds), to: &bytes)
      bytes.append(literal: ",\"uptime\":")
      bytes.append(origin.moment.uptimeNanoseconds)
      bytes.append(UInt8(ascii: "}"))
    }
    if !attributes.stream.isEmpty {
      bytes.append(literal: ",\"stream\":")
      values.append(.personal(attributes.stream, .account), to: &bytes)
    }
    guard !attributes.metadata.isEmpty else { return }
    bytes.append(literal: ",\"metadata\":")
    appendList(attributes.metadata, to: &bytes) { entry, bytes in
      bytes.append(literal: "{\"key\":")
      JSONEscaping.append(entry.key, to: &bytes)
      bytes.append(literal: ",\"value\":")
      values.append(.personal(entry.value, .account), to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// What an event changed, and what it says about the app.
  private func appendEffects(of event: LoggedEvent, to bytes: inout [UInt8]) {
    bytes.append(literal: ",\"changes\":")
    if let changes = event.changes {
      appendList(changes.changes, to: &bytes) { values.append($0, to: &$1) }
    } else {
      bytes.append(literal: "null")
    }
    bytes.append(literal: ",\"findings\":")
    if let findings = event.findings {
      appendList(findings, to: &bytes) { $1.append(json($0).text(style: .compact)) }
    } else {
      bytes.append(literal: "null")
    }
    if !event.unmetConditions.isEmpty {
      bytes.append(literal: ",\"conditions\":")
      appendList(event.unmetConditions, to: &bytes, append)
    }
    if let evaluation = event.orderedBy {
      bytes.append(literal: ",\"orderedBy\":")
      bytes.append(evaluation)
    }
  }

  private func append(_ flag: Bool, to bytes: inout [UInt8]) {
    bytes.append(literal: flag ? "true" : "false")
  }

  private func appendList<Element>(
    _ elements: [Element], to bytes: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// A launch condition that is not met.
  private func append(_ condition: LaunchCondition, to bytes: inout [UInt8]) {
    func appendReads(_ reads: [Explanation.Read]) {
      appendList(reads, to: &bytes) { read, bytes in
        bytes.append(literal: "{\"path\":")
        JSONEscaping.append(values.redaction.shown(statePath: read.path), to: &bytes)
        bytes.append(literal: ",\"value\":")
        values.append(read.value, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
      }
    }
    bytes.append(literal: "{\"rule\":")
    JSONEscaping.append(condition.finding.rule.id, to: &bytes)
    bytes.append(literal: ",\"outcome\":")
    JSONEscaping.append(condition.finding.outcome.name, to: &bytes)
    bytes.append(literal: ",\"settings\":")
    appendReads(condition.settings)
    bytes.append(literal: ",\"facts\":")
    appendReads(condition.facts)
    bytes.append(UInt8(ascii: "}"))
  }

  /// A likely mistake in the app.
  private func json(_ finding: TraceFinding) -> JSONValue {
    .object([
      .init("rule", .string(finding.rule)), .init("label", .string(values.redaction.shown(sentence: finding.label))),
      .init("message", .string(values.redaction.shown(sentence: finding.description))),
    ])
  }
}
