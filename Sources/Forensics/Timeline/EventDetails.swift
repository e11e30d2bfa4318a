import EventSourcing
import PlainText

/// What is shown of one event beside its line, as `pj show` has it.
struct EventDetails {
  private(set) var sections: [Timeline.Section] = []
  private let values: ValueText

  init(_ values: ValueText) {
    self.values = values
  }

  /// Adds everything about an event.
  ///
  /// - Parameters:
  ///   - record: The event.
  ///   - diff: What it changed; `nil` if a state is unknown.
  ///   - findings: The rules and texts of what it says about mistakes.
  ///   - texts: Receives the texts.
  mutating func add<Event: JournaledEvent>(
    _ record: RecordedEvent<Event>, _ diff: StateDiff?, _ findings: [(String, String)], to texts: inout InternedTexts
  ) {
    add("fields", values.fields(record.answers).map { [$0.name, $0.text] }, width: 2, &texts)
    if let diff {
      add("changes", changes(diff), width: 3, &texts)
    } else {
      let why =
        record.otherDomain.map { "only the program of the domain \($0) knows the state" }
        ?? "the state around this event is unknown"
      add("changes", [["unknown", why]], width: 2, &texts)
    }
    add("findings", findings.map { [$0.0, $0.1] }, width: 2, &texts)
    add("attributes", attributes(record.envelope), width: 2, &texts)
    add("journal", facts(record), width: 2, &texts)
  }

  private mutating func add(_ title: String, _ rows: [[String]], width: Int, _ texts: inout InternedTexts) {
    guard !rows.isEmpty else { return }
    sections.append(
      Timeline.Section(
        title: Int(texts.place(of: title)), width: width, cells: rows.flatMap { $0.map { texts.place(of: $0) } }))
  }

  private func shown(_ path: String) -> String { values.redaction.shown(statePath: path) }

  /// What vanished as a whole, such as the policy of an account that was wiped, is one row.
  private func changes(_ diff: StateDiff) -> [[String]] {
    StateDiffItem.items(of: diff).flatMap { item -> [[String]] in
      if case .disappeared(let path, let gone) = item, gone.count > 1 {
        return [[shown(path), "\(gone.count) values\(item.gist)", "unset"]]
      }
      return item.changes.map { [shown($0.path), values.text($0.before), values.text($0.after)] }
    }
  }

  /// What the app attached to the command.
  private func attributes(_ envelope: Envelope) -> [[String]] {
    guard let attributes = envelope.attributes else { return [] }
    var rows: [[String]] = []
    if let origin = attributes.origin {
      rows.append(["handed over by", "process \(origin.process)"])
      rows.append(["requested", CivilTime(nanoseconds: origin.moment.wallNanoseconds).text])
    }
    if !attributes.stream.isEmpty { rows.append(["stream", values.text(.personal(attributes.stream, .account))]) }
    return rows + attributes.metadata.map { ["metadata \($0.key)", values.text(.personal($0.value, .account))] }
  }

  private func facts<Event: JournaledEvent>(_ record: RecordedEvent<Event>) -> [[String]] {
    let envelope = record.envelope
    var rows: [[String]] = []
    if envelope.cause > 0 { rows.append(["caused by", String(envelope.cause)]) }
    if envelope.correlation > 0 { rows.append(["story began with", String(envelope.correlation)]) }
    if envelope.process > 0 { rows.append(["process began with", String(envelope.process)]) }
    if envelope.moment.uptimeNanoseconds > 0 {
      rows.append(["uptime", SpanText.clock(nanoseconds: envelope.moment.uptimeNanoseconds)])
    }
    switch record.content {
    case .known, .otherDomain, .migration: break
    case .unknownType, .unknownVersion:
      let rule = envelope.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
      rows.append(["not understood", "version \(envelope.version) is unknown here; its writer states that it \(rule)"])
      if let error = record.catalogError { rows.append(["not described", "\(error)"]) }
    case .unknownFeatures(let features): rows.append(["not understood", "it needs \(features.phrase)"])
    case .undecodable(let error), .foreign(let error): rows.append(["not understood", "\(error)"])
    case .lost: rows.append(["lost", "only its number is left"])
    }
    return rows
  }
}
