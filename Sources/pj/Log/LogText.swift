import CommandLineInterface
import EventSourcing
import Forensics
import Journal

/// The log as text: one line an event, and lines of their own for damage, gaps, clock jumps, unknown events, and what an
/// event says about mistakes of the app.
struct LogText {
  let style: Style
  let redaction: Redaction
  /// What marks lines; `nil` when nothing is to be marked.
  let highlight: TextPattern?
  private let columns: [TextColumn] = [
    TextColumn("seq", .right), TextColumn("time (UTC)"), TextColumn("event"), TextColumn("account"),
    TextColumn("change"),
  ]
  private let widths: [Int]

  init(style: Style, redaction: Redaction, highlight: TextPattern? = nil) {
    self.style = style
    self.redaction = redaction
    self.highlight = highlight
    widths = [4, 15, 25, redaction.revealsAccounts ? 24 : 7, 0]
  }

  /// The titles of the columns. The year stands here, and again in a line of its own where it changes.
  func header(year: Int) -> String {
    line(["seq", "time (UTC) \(padded(year))", "event", "account", "change"].map { TextCell($0, [.bold]) })
  }

  /// The line before the first event of another year.
  func yearLine(_ year: Int) -> String {
    line([TextCell("–"), TextCell(padded(year), [.bold])])
  }

  /// An event.
  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    let record = event.record
    let year = CivilTime(nanoseconds: record.envelope.moment.wallNanoseconds).year
    guard record.event != nil else {
      return LogRow(text: note("?", unknownText(event), [.yellow]), isMatch: isMatch, year: nil)
    }
    let isHighlighted = isMatch && (highlight?.isFound(in: event.searchText) ?? false)
    let attributes: [Style.Attribute] = isHighlighted ? [.bold, .magenta] : isMatch ? [] : [.dim]
    let cells = [
      TextCell((isHighlighted ? "*" : "") + String(record.sequence), attributes),
      TextCell(CivilTime(nanoseconds: record.envelope.moment.wallNanoseconds).listText, attributes),
      TextCell(record.typeName, isMatch && !isHighlighted ? [.bold] : attributes),
      TextCell(TerminalText.visible(event.accountText), attributes),
      TextCell(TerminalText.visible(event.changeText), attributes),
    ]
    // One row, so that they stay together in whatever order the log is.
    let lines = [line(cells)] + (event.findings ?? []).map { note("!", LoggedEvent.text($0), [.yellow]) }
    return LogRow(text: lines.joined(separator: "\n"), isMatch: isMatch, year: year)
  }

  /// A jump of the clock.
  func row(_ jump: ClockJump) -> LogRow {
    LogRow(text: note("!", jump.text, [.yellow]))
  }

  /// Something about the bytes.
  func row(_ finding: Finding) -> LogRow {
    LogRow(text: note("!", "\(FindingNotes.word(finding)): \(finding)", finding.isDamage ? [.red] : [.yellow]))
  }

  /// The place from which no state is known.
  func row(_ obstacle: HistoryError) -> LogRow {
    LogRow(
      text: note("!", "from here on the state is unknown, and with it what events changed: \(obstacle.message)", [.red])
    )
  }

  /// Events that were retired, and the place from which the state is known.
  func row(_ beginning: RetiredBeginning) -> LogRow {
    LogRow(text: note("!", beginning.text, [.yellow]))
  }

  /// The last line: how many events, and what else is worth knowing.
  func footer(_ totals: LogTotals, shown: UInt64) -> String {
    var text = shown == totals.seen ? count(shown) : "\(TerminalText.thousands(shown)) of \(count(totals.seen))"
    if let first = totals.first, let last = totals.last, shown == totals.matched {
      text += first == last ? " (\(first))" : " (\(first)–\(last))"
    }
    if totals.unknown > 0 { text += ", \(totals.unknown) unknown" }
    if !redaction.revealsAccounts { text += ". Accounts are pseudonyms: pj help redaction" }
    return text
  }

  private func count(_ number: UInt64) -> String {
    "\(TerminalText.thousands(number)) event\(number == 1 ? "" : "s")"
  }

  private func unknownText(_ event: LoggedEvent) -> String {
    let record = event.record
    let writer = event.step.before?.process.sdkVersion ?? ""
    let origin = writer.isEmpty ? "" : " (written by \(writer))"
    let rule = record.envelope.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
    let name = "\(record.sequence)  \(record.typeName) v\(record.envelope.version)\(origin)"
    switch record.content {
    case .known: return name
    case .unknownType, .unknownVersion: return "\(name): unknown here, \(rule)"
    case .undecodable(let error): return "\(name): its body cannot be read (\(error)), \(rule)"
    case .foreign(let error): return "\(record.sequence)  no event of an event store: \(error)"
    case .lost: return "\(record.sequence)  lost before this journal was salvaged"
    }
  }

  private func note(_ marker: String, _ text: String, _ attributes: [Style.Attribute]) -> String {
    line([TextCell(marker, attributes), TextCell(TerminalText.visible(text), attributes)])
  }

  private func line(_ cells: [TextCell]) -> String {
    TextTable.line(cells, columns: columns, widths: widths, style: style)
  }

  private func padded(_ year: Int) -> String { String(year) }
}
