import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// The log as JSON Lines.
struct LogJSON: LogFormat {
  private let redaction: Redaction
  private let event: JSONRecord<(event: LoggedEvent, isMatch: Bool)>

  /// `members` are those of an event that its domain adds.
  init(_ redaction: Redaction, adding members: [JSONMember<LoggedEvent>] = []) {
    (self.redaction, event) = (redaction, Self.event(members))
  }

  /// What `log -j` writes.
  static func records(
    adding members: [JSONMember<LoggedEvent>]
  ) -> JSONOutput<Void, (shown: UInt64, totals: LogTotals)> {
    JSONOutput(
      "log", [event(members), clockJump, finding, stateUnknown, retiredBeginning],
      end: [.init("events", \.shown), .init("matched", \.totals.matched), .init("seen", \.totals.seen)])
  }

  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    LogRow(self.event.line((event, isMatch), redaction), isMatch: isMatch)
  }

  func row(_ jump: ClockJump) -> LogRow { row(Self.clockJump, jump) }

  func row(_ finding: Finding) -> LogRow { row(Self.finding, finding) }

  func row(_ obstacle: HistoryError) -> LogRow { row(Self.stateUnknown, obstacle) }

  func row(_ beginning: RetiredBeginning) -> LogRow { row(Self.retiredBeginning, beginning) }

  private func row<Row>(_ record: JSONRecord<Row>, _ row: Row) -> LogRow {
    LogRow(record.line(row, redaction), isMatch: false)
  }

  private static func event(
    _ others: [JSONMember<LoggedEvent>]
  ) -> JSONRecord<(event: LoggedEvent, isMatch: Bool)> {
    JSONRecord("event", (members + others).of { $0.event } + [.init("match") { $0.isMatch }])
  }

  private static let clockJump = JSONRecord<ClockJump>(
    "clockJump",
    [
      .init("before", \.sequence), .init("moved") { SpanText.iso8601(nanoseconds: $0.nanoseconds) },
      .init("sameBoot", \.isSameBoot),
    ])

  private static let finding = JSONRecord<Finding>.finding()

  private static let stateUnknown = JSONRecord<HistoryError>(
    "stateUnknown", [.init("after", \.lastDerivable), .init("reason", \.message)])

  private static let retiredBeginning = JSONRecord<RetiredBeginning>(
    "retiredBeginning",
    [.init("first", \.firstSequence), .init("stateKnownBehind", \.checkpointSequence), .init("reason", \.text)])

  /// Everything about one event. A log has many of them, so closures read what key paths would look up.
  static let members: [JSONMember<LoggedEvent>] = envelope + attributes + content + effects

  private static let envelope: [JSONMember<LoggedEvent>] = [
    .init("seq") { $0.record.sequence },
    .init("time") { CivilTime(nanoseconds: $0.record.envelope.moment.wallNanoseconds) },
    .init("uptime") { $0.record.envelope.moment.uptimeNanoseconds },
    .init("type", as: .text) { event, bytes, _ in
      bytes.append(contentsOf: event.printer.kind(of: event.printed).jsonName)
    }, .init("typeNumber") { $0.record.envelope.type }, .init("version") { $0.record.envelope.version },
    .init("known") { $0.record.isUnderstood },
    .init("mustUnderstand") { $0.record.envelope.unknownReaders == .mustUnderstand },
    .ifAny("features") { $0.record.envelope.features.isEmpty ? nil : $0.record.envelope.features.bits },
    .init("accounts") { $0.pseudonyms }, .init("cause") { $0.record.envelope.cause },
    .init("correlation") { $0.record.envelope.correlation }, .init("process") { $0.record.envelope.process },
  ]

  /// What the app attached to the command.
  private static let attributes: [JSONMember<LoggedEvent>] = [
    .ifAny("origin", origin) { $0.record.envelope.attributes?.origin },
    .ifAny("stream") { event in
      event.record.envelope.attributes.flatMap { $0.stream.isEmpty ? nil : StateValue.personal($0.stream, .account) }
    }, .ifAny("metadata", each: metadata) { $0.record.envelope.attributes?.metadata ?? [] },
  ]

  private static let origin: [JSONMember<CommandOrigin>] = [
    .init("process", \.process), .init("time") { CivilTime(nanoseconds: $0.moment.wallNanoseconds) },
    .init("uptime", \.moment.uptimeNanoseconds),
  ]

  private static let metadata: [JSONMember<MetadataEntry>] = [
    .init("key", \.key), .init("value") { StateValue.personal($0.value, .account) },
  ]

  private static let content: [JSONMember<LoggedEvent>] = [
    .init("chain", as: .digits) { event, bytes, _ in
      bytes.append(UInt8(ascii: "\""))
      bytes.append(hexadecimal: (0..<4).map { UInt8(truncatingIfNeeded: event.record.chain >> (24 - 8 * $0)) })
      bytes.append(UInt8(ascii: "\""))
    },
    .init("stateDigest", as: .orNull(.digits)) { event, bytes, _ in
      guard let digest = event.record.envelope.digest?.bytes else { return bytes.append(literal: "null") }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(hexadecimal: digest)
      bytes.append(UInt8(ascii: "\""))
    }, .init("data", as: .value) { event, bytes, _ in event.printer.appendJSON(of: event.printed, to: &bytes) },
    .ifAny("undecodable") { (event) -> String? in
      switch event.record.content {
      case .known, .otherDomain, .migration, .unknownType, .unknownVersion, .unknownFeatures, .lost: nil
      case .undecodable(let error), .foreign(let error): "\(error)"
      }
    },
  ]

  /// What an event changed, and what it says about the app.
  private static let effects: [JSONMember<LoggedEvent>] = [
    .init("changes", eachOrNull: StateChange.members) { $0.changes?.changes },
    .init("findings", eachOrNull: mistake) { event in event.findings?.map { (event.label(of: $0), $0) } },
  ]

  /// A likely mistake in the app.
  private static let mistake: [JSONMember<(label: String, finding: any HistoryFinding)>] = [
    .init("rule") { $0.finding.rule }, .init("label") { RedactedText.sentence($0.label) },
    .init("message") { RedactedText.sentence($0.finding.description) },
  ]
}
