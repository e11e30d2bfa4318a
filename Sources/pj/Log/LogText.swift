import CommandLineInterface
import EventSourcing
import Forensics
import Journal

/// The log as text: one line an event, and lines of their own for damage, gaps, clock jumps, unknown events, and what an
/// event says about mistakes in the app.
struct LogText {
  let style: Style
  let redaction: Redaction
  /// The style that marks lines; `nil` without marks.
  let highlight: TextPattern?
  private let columns: [TextColumn] = [
    TextColumn("seq", .right), TextColumn("time (UTC)"), TextColumn("event"), TextColumn("account"),
    TextColumn("change"),
  ]
  private let widths: [Int]
  /// The terminal's columns; `nil` if lines are not fitted.
  private let columnCount: Int?
  /// Whether the day has lines of its own, to leave more room for the changes.
  let isNarrow: Bool

  /// The column at which text that does not fit continues: behind the number of the event.
  static let hanging = 6
  /// The width in columns from which every line shows the day.
  private static let wideColumns = 110

  init(style: Style, redaction: Redaction, highlight: TextPattern? = nil, columns: Int? = nil) {
    self.style = style
    self.redaction = redaction
    self.highlight = highlight
    columnCount = columns
    isNarrow = columns.map { $0 < Self.wideColumns } ?? false
    let account = redaction.revealsAccounts ? 24 : isNarrow ? 5 : 7
    widths = isNarrow ? [4, 8, 22, account, 0] : [4, 15, 25, account, 0]
  }

  /// The part of the time shown in headings: the year, or the day if lines have only the time.
  func period(_ time: CivilTime) -> String {
    isNarrow ? time.dateText : String(time.year)
  }

  /// The titles of the columns. The year stands here, and again in a line of its own where it changes.
  func header(_ period: String) -> String {
    let time = isNarrow ? "UTC" : "time (UTC) \(period)"
    return line(["seq", time, "event", isNarrow ? "acct" : "account", "change"].map { TextCell($0, [.bold]) })
  }

  /// The line before the first event of another year or day.
  func periodLine(_ period: String) -> String {
    line([TextCell("–"), TextCell(period, [.bold])])
  }

  /// An event.
  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    let record = event.record
    let time = CivilTime(nanoseconds: record.envelope.moment.wallNanoseconds)
    guard record.isDescribed else {
      return LogRow(text: note("?", unknownText(event), [.yellow]), isMatch: isMatch)
    }
    let isHighlighted = isMatch && (highlight?.isFound(in: event.searchText) ?? false)
    let attributes: [Style.Attribute] = isHighlighted ? [.bold, .magenta] : isMatch ? [] : [.dim]
    let cells = [
      TextCell((isHighlighted ? "*" : "") + String(record.sequence), attributes),
      TextCell(isNarrow ? time.timeText : time.listText, attributes),
      TextCell(fitted(record.typeName, to: 2), isMatch && !isHighlighted ? [.bold] : attributes),
      TextCell(fitted(event.accountText, to: 3), attributes),
      TextCell(change(of: event), attributes),
    ]
    // One row, so that they stay together in whatever order the log is.
    let conditions = event.unmetConditions.filter { !$0.finding.outcome.isAnswered }
    let said = (event.findings ?? []).map { LoggedEvent.text($0) } + conditions.map { event.line($0) }
    let lines = [line(cells)] + said.map { note("!", $0, [.yellow]) }
    return LogRow(text: lines.joined(separator: "\n"), isMatch: isMatch, time: time)
  }

  /// Text that fits its column on a terminal.
  private func fitted(_ text: String, to column: Int) -> String {
    let text = TerminalText.visible(text)
    return columnCount == nil ? text : TerminalText.truncated(text, to: widths[column])
  }

  /// What changed, in what is left of the line. Of a path its end says most.
  private func change(of event: LoggedEvent) -> String {
    let summary = event.summary
    let whole = TerminalText.visible(summary.line)
    guard let columnCount else { return whole }
    let room = max(columnCount - widths.dropLast().reduce(0) { $0 + $1 + 2 }, 8)
    guard TerminalText.width(of: whole) > room else { return whole }
    let others = summary.others > 0 ? "  +\(summary.others)" : ""
    return Self.shortened(TerminalText.visible(summary.text), to: room - others.utf8.count) + others
  }

  /// A change with as much of the beginning of its path left out as needed, and then of its end.
  private static func shortened(_ text: String, to width: Int) -> String {
    guard text.hasPrefix("/"), let end = text.firstIndex(where: { $0 == ":" || $0 == " " }) else {
      return TerminalText.truncated(text, to: width)
    }
    var path = String(text[..<end])
    let rest = String(text[end...])
    while TerminalText.width(of: path + rest) > width,
      let slash = path.dropFirst(path.hasPrefix("…") ? 2 : 1).firstIndex(of: "/")
    {
      path = "…" + path[slash...]
    }
    return TerminalText.truncated(path + rest, to: width)
  }

  /// A jump of the clock.
  func row(_ jump: ClockJump) -> LogRow {
    LogRow(text: note("!", jump.text, [.yellow]))
  }

  /// A finding about the bytes.
  func row(_ finding: Finding) -> LogRow {
    LogRow(text: note("!", "\(FindingNotes.word(finding)): \(finding)", finding.isDamage ? [.red] : [.yellow]))
  }

  /// The place from which no state is known.
  func row(_ obstacle: HistoryError) -> LogRow {
    LogRow(
      text: note("!", "from here on, the state and each event's changes are unknown: \(obstacle.message)", [.red])
    )
  }

  /// Events that were retired, and the place from which the state is known.
  func row(_ beginning: RetiredBeginning) -> LogRow {
    LogRow(text: note("!", beginning.text, [.yellow]))
  }

  /// The last line: the number of events, and what else is worth knowing.
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
    case .known, .otherDomain: return name
    case .unknownType, .unknownVersion: return "\(name): unknown here, \(rule)"
    case .undecodable(let error): return "\(name): its body cannot be read (\(error)), \(rule)"
    case .foreign(let error): return "\(record.sequence)  not an event of an event store: \(error)"
    case .lost: return "\(record.sequence)  lost before this journal was salvaged"
    }
  }

  private func note(_ marker: String, _ text: String, _ attributes: [Style.Attribute]) -> String {
    line([TextCell(marker, attributes), TextCell(TerminalText.visible(text), attributes)])
  }

  private func line(_ cells: [TextCell]) -> String {
    TextTable.line(cells, columns: columns, widths: widths, style: style)
  }
}
