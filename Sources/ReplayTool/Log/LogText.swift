import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import PlainText

/// The log as text: one line an event, and lines of their own for damage, gaps, clock jumps, unknown events, and what an
/// event says about mistakes in the app.
struct LogText: Sendable {
  let style: Style
  let redaction: Redaction
  /// The pattern whose matches are marked; `nil` without marks.
  let highlight: TextPattern?
  /// The times: UTC, or local ones with their offsets.
  let clock: LogClock
  /// Whether events name accounts.
  private let hasAccounts: Bool
  private let columns: [TextColumn]
  private let widths: [Int]
  /// The terminal's columns; `nil` if lines are not fitted.
  private let columnCount: Int?
  /// Whether the day has lines of its own, to leave more room for the changes.
  let isNarrow: Bool

  /// The column at which text that does not fit continues: after the number of the event.
  static let hanging = 6
  /// The width in columns from which every line shows the day.
  private static let wideColumns = 110

  /// The width of an offset from UTC and the space before it.
  private static let zoneWidth = 7

  init(
    style: Style, redaction: Redaction, highlight: TextPattern? = nil, columns: Int? = nil, clock: LogClock = .utc,
    hasAccounts: Bool = true
  ) {
    self.style = style
    (self.clock, self.hasAccounts) = (clock, hasAccounts)
    self.redaction = redaction
    self.highlight = highlight
    columnCount = columns
    isNarrow = columns.map { $0 < Self.wideColumns } ?? false
    let account = hasAccounts ? [redaction.revealsAccounts ? 24 : isNarrow ? 5 : 7] : []
    let zone = clock.isLocal ? Self.zoneWidth : 0
    widths = (isNarrow ? [4, 8 + zone, 22] : [4, 15 + zone, 25]) + account + [0]
    self.columns =
      [TextColumn("seq", .right), TextColumn("time"), TextColumn("event")]
      + (hasAccounts ? [TextColumn("account")] : []) + [TextColumn("change")]
  }

  /// The part of the time shown in headings: the year, or the day if lines have only the time.
  func period(_ time: CivilTime) -> String {
    isNarrow ? time.dateText : String(time.year)
  }

  /// The titles of the columns. The year stands here, and again in a line of its own where it changes.
  func header(_ period: String) -> String {
    let zone = clock.isLocal ? "local" : "UTC"
    let time = isNarrow ? zone : "time (\(zone)) \(period)"
    let account = hasAccounts ? [isNarrow ? "acct" : "account"] : []
    return line((["seq", time, "event"] + account + ["change"]).map { TextCell($0, [.bold]) })
  }

  /// The line before the first event of another year or day.
  func periodLine(_ period: String) -> String {
    line([TextCell("–"), TextCell(period, [.bold])])
  }

  /// An event.
  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    let record = event.record
    guard record.isUnderstood else {
      return LogRow(text: note("?", unknownText(event), [.yellow]), isMatch: isMatch)
    }
    let (time, zone) = clock.time(of: event)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(160)
    if !appendPlainLine(event, time, zone, to: &bytes) {
      bytes.append(line(of: event, time, zone, isMatch: isMatch))
    }
    // One row, so that they stay together in whatever order the log is.
    for finding in event.findings ?? [] { appendNote(to: &bytes) { $0.append(event.text(finding)) } }
    for condition in event.closedConditions { appendNote(to: &bytes) { event.append(condition, to: &$0) } }
    return LogRow(bytes, isMatch: isMatch, time: time)
  }

  /// Appends the line of an event that is neither styled nor fitted, and all of whose characters are visible. Returns
  /// `false`, and appends nothing, for any other.
  private func appendPlainLine(
    _ event: LoggedEvent, _ time: CivilTime, _ zone: String, to bytes: inout [UInt8]
  ) -> Bool {
    guard !style.isEnabled, columnCount == nil, highlight == nil else { return false }
    let start = bytes.count
    func fill(_ column: Int, _ width: Int) {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, widths[column] - width) + 2))
    }
    bytes.append(event.record.sequence)
    let missing = widths[0] - (bytes.count - start)
    if missing > 0 { bytes.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: missing), at: start) }
    fill(0, widths[0])
    let timeStart = bytes.count
    time.appendListText(to: &bytes)
    if clock.isLocal {
      bytes.append(UInt8(ascii: " "))
      bytes.append(zone)
    }
    fill(1, bytes.count - timeStart)
    let nameStart = bytes.count
    bytes.append(event.typeName)
    let nameWidth = Self.plainWidth(of: bytes[nameStart...])
    var end = bytes.count
    fill(2, nameWidth ?? 0)
    var accountWidth: Int? = 0
    if hasAccounts {
      let accountStart = bytes.count
      event.appendAccounts(to: &bytes)
      accountWidth = Self.plainWidth(of: bytes[accountStart...])
      if bytes.count > accountStart { end = bytes.count }
      fill(3, accountWidth ?? 0)
    }
    let changeStart = bytes.count
    event.appendSummary(to: &bytes)
    // A line does not end in the gap before what is missing.
    if bytes.count == changeStart { bytes.removeSubrange(end...) }
    guard nameWidth != nil, accountWidth != nil,
      bytes.count <= changeStart || TerminalText.isVisible(bytes[changeStart...])
    else {
      bytes.removeSubrange(start...)
      return false
    }
    return true
  }

  /// The number of columns of printable ASCII and arrows; `nil` for any other text.
  private static func plainWidth(of text: ArraySlice<UInt8>) -> Int? {
    if text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.count }
    let parts = String(decoding: text, as: UTF8.self).split(separator: "→", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }) else { return nil }
    return parts.reduce(parts.count - 1) { $0 + $1.utf8.count }
  }

  /// The line of an event, styled and fitted.
  private func line(of event: LoggedEvent, _ time: CivilTime, _ zone: String, isMatch: Bool) -> String {
    let isHighlighted = isMatch && (highlight?.isFound(in: event.searchText) ?? false)
    let attributes: [Style.Attribute] = isHighlighted ? [.bold, .magenta] : isMatch ? [] : [.dim]
    let account = hasAccounts ? [TextCell(fitted(text(event.appendAccounts), to: 3), attributes)] : []
    let cells = [
      TextCell((isHighlighted ? "*" : "") + String(event.record.sequence), attributes),
      TextCell((isNarrow ? time.timeText : time.listText) + (clock.isLocal ? " " + zone : ""), attributes),
      TextCell(fitted(event.typeName, to: 2), isMatch && !isHighlighted ? [.bold] : attributes),
    ]
    return line(cells + account + [TextCell(change(of: event), attributes)])
  }

  private func text(_ body: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    body(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text that fits its column on a terminal.
  private func fitted(_ text: String, to column: Int) -> String {
    let text = TerminalText.visible(text)
    return columnCount == nil ? text : TerminalText.truncated(text, to: widths[column])
  }

  /// What changed, in what is left of the line. Of a path its end says most.
  private func change(of event: LoggedEvent) -> String {
    let whole = TerminalText.visible(text(event.appendSummary))
    guard let columnCount else { return whole }
    let room = max(columnCount - widths.dropLast().reduce(0) { $0 + $1 + 2 }, 8)
    guard TerminalText.width(of: whole) > room else { return whole }
    var count = 0
    let change = text { count = event.appendChange(to: &$0) }
    let others = (count > 0 ? "  +\(count)" : "") + event.inferred
    return Self.shortened(TerminalText.visible(change), to: room - others.utf8.count) + others
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
    var text = shown == totals.seen ? count(shown) : "\(shown.grouped) of \(count(totals.seen))"
    if let first = totals.first, let last = totals.last, shown == totals.matched {
      text += first == last ? " (\(first))" : " (\(first)–\(last))"
    }
    if totals.unknown > 0 { text += ", \(totals.unknown) unknown" }
    if hasAccounts, !redaction.revealsAccounts { text += ". Accounts are pseudonyms: \(Tool.name) help redaction" }
    return text
  }

  private func count(_ number: UInt64) -> String {
    number.counted("event")
  }

  private func unknownText(_ event: LoggedEvent) -> String {
    let record = event.record
    let reason = Self.reasonForUnknown(event)
    switch record.content {
    case .foreign, .lost: return "\(record.sequence)  \(reason)"
    case .known, .otherDomain, .migration, .unknownType, .unknownVersion, .unknownFeatures, .undecodable:
      let writer = event.writer
      let shown = redaction.shown(writer) ?? redaction.placeholder(for: .account)
      let origin = writer.isEmpty ? "" : " (written by \(shown))"
      let name = "\(record.sequence)  \(event.typeName) v\(record.envelope.version)\(origin)"
      return reason.isEmpty ? name : "\(name): \(reason)"
    }
  }

  /// Why this program cannot say what an event means.
  static func reasonForUnknown(_ event: LoggedEvent) -> String {
    let rule = event.particulars.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
    switch event.record.content {
    case .known, .otherDomain, .migration: return ""
    case .unknownType, .unknownVersion:
      return "unknown here, \(rule)" + (event.particulars.catalogError.map { "; \($0)" } ?? "")
    case .unknownFeatures(let features): return "needs \(features.phrase), which this program does not know"
    case .undecodable(let error): return "its body cannot be read (\(error)), \(rule)"
    case .foreign(let error): return "not an event of an event store: \(error)"
    case .lost: return "lost: only its number is left"
    }
  }

  private func note(_ marker: String, _ text: String, _ attributes: [Style.Attribute]) -> String {
    line([TextCell(marker, attributes), TextCell(TerminalText.visible(text), attributes)])
  }

  /// Appends a note under the line of an event. One that is neither styled nor has hidden characters is put together in
  /// place.
  private func appendNote(to bytes: inout [UInt8], _ appendText: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\n"))
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: widths[0] - 1))
    bytes.append(literal: "!  ")
    let textStart = bytes.count
    appendText(&bytes)
    let text = bytes[textStart...]
    if !style.isEnabled, !text.isEmpty, TerminalText.isVisible(text) { return }
    let line = note("!", String(decoding: text, as: UTF8.self), [.yellow])
    bytes.removeSubrange(start...)
    bytes.append(line)
  }

  private func line(_ cells: [TextCell]) -> String {
    TextTable.line(cells, columns: columns, widths: widths, style: style)
  }
}
