import Forensics
import JSON

/// A kind of record, of which a command writes one for each of its results.
@usableFromInline
package struct JSONRecord<Row>: Sendable {
  /// What the record's first member says that it is.
  @usableFromInline
  package let kind: String
  /// The other members.
  @usableFromInline
  package let members: [JSONMember<Row>]

  package init(_ kind: String, _ members: [JSONMember<Row>]) {
    (self.kind, self.members) = (kind, members)
  }

  /// The line of a record, without its end.
  @inlinable
  package func line(_ row: Row, _ redaction: Redaction) -> [UInt8] {
    JSONLines.line(kind) { bytes in for member in members { member.append(row, &bytes, redaction) } }
  }
}

/// A kind of record, whatever its rows are.
package protocol JSONRecordKind: Sendable {
  var kind: String { get }
  /// What its members look like.
  var shape: JSONMembers { get }
}

extension JSONRecord: JSONRecordKind {
  package var shape: JSONMembers { JSONMembers(members) }
}

/// The JSON Lines of a command: its first record, those of its results, and its last one. The published schema follows.
package struct JSONOutput<Start, End>: Sendable {
  /// The schema's name: that of the command, such as `policy.lint`.
  package let name: String
  /// What the first record says besides.
  package let start: [JSONMember<Start>]
  /// The kinds of records between the first and the last.
  package let records: [any JSONRecordKind]
  /// What the last record says besides.
  package let end: [JSONMember<End>]

  package init(
    _ name: String, start: [JSONMember<Start>] = [], _ records: [any JSONRecordKind] = [],
    end: [JSONMember<End>] = []
  ) {
    (self.name, self.start, self.records, self.end) = (name, start, records, end)
  }

  /// The schema of its lines.
  package var schema: OutputSchema {
    OutputSchema(name, start: JSONMembers(start), records: records.map { ($0.kind, $0.shape) }, end: JSONMembers(end))
  }
}

/// Writes JSON Lines: records, each an object in one line whose first member says what kind of record it is.
@usableFromInline
package struct JSONLines {
  private let output: TextOutput
  private let redaction: Redaction

  package init(_ output: TextOutput, _ redaction: Redaction) { (self.output, self.redaction) = (output, redaction) }

  /// Writes the first record: the name and the version of the schema that the others follow. A later version only adds.
  ///
  /// - Parameter row: What it is about; `nil` leaves the command's own members out.
  package func begin<Start, End>(_ output: JSONOutput<Start, End>, _ row: Start?) {
    begin(output.name, row, output.start)
  }

  private func begin<Start>(_ name: String, _ row: Start?, _ members: [JSONMember<Start>]) {
    write("start") { bytes in
      for member in Self.heading(of: name) { member.append((), &bytes, redaction) }
      if let row { for member in members { member.append(row, &bytes, redaction) } }
    }
  }

  /// Writes a result.
  package func add<Row>(_ record: JSONRecord<Row>, _ row: Row) {
    output.line(utf8: record.line(row, redaction))
  }

  /// Writes results of one kind.
  package func add<Row>(_ record: JSONRecord<Row>, each rows: some Sequence<Row>) {
    for row in rows { add(record, row) }
  }

  /// Writes the last record: without it, or if its member `complete` is false, the output is incomplete.
  ///
  /// - Parameters:
  ///   - row: What it is about; `nil` leaves the command's own members out.
  ///   - code: How the command ends.
  ///   - journals: Those that were read; it names the events that were not verified.
  package func end<Start, End>(
    _ output: JSONOutput<Start, End>, _ row: End?, _ code: ExitCode, of journals: [JournalInput] = []
  ) {
    let ending = Ending(code: code, unread: journals.unread.flatMap { path, ranges in ranges.map { (path, $0) } })
    write(ending) { bytes in
      if let row { for member in output.end { member.append(row, &bytes, redaction) } }
    }
  }

  /// Writes the last record of a command that failed, and the first one if there is none.
  ///
  /// - Parameter name: The command; `nil` if unknown.
  package func fail(_ code: ExitCode, _ error: String, of name: String?) {
    if !output.hasContent { begin(name ?? "error", nil as Void?, []) }
    write(Ending(code: code, error: error))
  }

  // MARK: What every output has

  /// What every first record says.
  package static func heading(of name: String) -> [JSONMember<Void>] {
    [
      .init("schema", oneOf: ["pj.\(name)"]) { _ in "pj.\(name)" }, .init("version") { _ in 1 },
      .init("tool") { _ in Tool.current.title },
    ]
  }

  /// How a command ends.
  package struct Ending {
    let code: ExitCode
    /// Why it failed; `nil` where it did not.
    var error: String?
    /// Events that were not read, and so not verified, each with its journal.
    var unread: [(path: String, events: ClosedRange<UInt64>)] = []
  }

  /// What every last record says: the first two members before those of the command, the others after them.
  package static let ending: [JSONMember<Ending>] = [
    .init("complete") { $0.code == .done || $0.code == .different }, .init("exit", \.code.rawValue),
    .ifAny("error", \.error),
    .ifAny(
      "notVerified",
      each: [
        .init("journal") { $0.path }, .init("first") { $0.events.lowerBound }, .init("last") { $0.events.upperBound },
      ], \.unread),
  ]

  private func write(_ ending: Ending, _ members: (inout [UInt8]) -> Void = { _ in }) {
    write("end") { bytes in
      for member in Self.ending.prefix(2) { member.append(ending, &bytes, redaction) }
      members(&bytes)
      for member in Self.ending.dropFirst(2) { member.append(ending, &bytes, redaction) }
    }
  }

  private func write(_ kind: String, _ members: (inout [UInt8]) -> Void) {
    output.line(utf8: Self.line(kind, members))
  }

  @usableFromInline
  static func line(_ kind: String, _ members: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    // The record of an event seldom has more.
    bytes.reserveCapacity(1536)
    bytes.append(literal: "{\"kind\":")
    JSONEscaping.append(kind, to: &bytes)
    members(&bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

extension [JournalInput] {
  /// The journals of which events were not read, each once, with those events.
  package var unread: [(path: String, events: [ClosedRange<UInt64>])] {
    enumerated().filter { place, journal in
      !journal.trust.notVerified.isEmpty && !self[..<place].contains { $0 === journal }
    }.map { ($0.element.path, $0.element.trust.notVerified) }
  }
}

/// The two forms of results. A command says what each has, and asks nowhere which of them is wanted.
extension CommandContext {
  private var lines: JSONLines? { isJSON ? JSONLines(output, redaction) : nil }

  /// Writes results as records or as text.
  @discardableResult
  package func report<Result, Problem: Error>(
    _ records: (JSONLines) throws(Problem) -> Result, text: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    guard let lines else { return try text() }
    return try records(lines)
  }

  /// Writes the first record; text has none.
  package func begin<Start, End>(_ output: JSONOutput<Start, End>, _ row: Start?) { lines?.begin(output, row) }

  /// Writes what only records have.
  package func records(_ body: (JSONLines) -> Void) {
    if let lines { body(lines) }
  }

  /// Writes what only text has, such as a line between results.
  package func text(_ body: () -> Void) {
    if lines == nil { body() }
  }

  /// Writes a result as a record or as text.
  package func show<Row>(_ record: JSONRecord<Row>, _ row: Row, text: () -> Void = {}) {
    guard let lines else { return text() }
    lines.add(record, row)
  }

  /// Writes results as a record each, or together as text.
  package func show<Row>(_ record: JSONRecord<Row>, each rows: [Row], text: () -> Void = {}) {
    guard let lines else { return text() }
    lines.add(record, each: rows)
  }

  /// Writes the last record, or what text has at its end.
  package func end<Start, End>(
    _ output: JSONOutput<Start, End>, _ row: End?, _ code: ExitCode, of journals: [JournalInput] = [],
    text: () -> Void = {}
  ) {
    guard let lines else { return text() }
    lines.end(output, row, code, of: journals)
  }
}
