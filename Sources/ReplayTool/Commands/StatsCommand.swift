import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// `pj stats`: counts over a history.
package enum StatsCommand: Command {
  package static let description = CommandDescription(
    "stats", "Counts events by type, account and time and mistakes in the app by rule, and names gaps and pauses.",
    examples: [
      .init("pj stats field.pj", "The whole history."),
      .init("pj stats field.pj 2020-06..2020-08", "Three months."),
      .init("pj stats field.pj -j", "The same for programs."),
    ],
    positionals: [
      .journal,
      PositionalDescription(
        "RANGE", .optional, completion: .asks("positions"), "The range to count: pj help positions."),
    ],
    options: [
      JournalSeeking.option,
      OptionDescription(
        "ascii", "Draw the bars with # only, as on a terminal whose locale is not UTF-8."),
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let (path, rest) = JournalPath.split(context.arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help stats")
    }
    let range = try rest.first.map { (word) throws(Failure) in try PositionInput.range(word) }
    let journal = try JournalInput(seekingIn: path, context, isWhole: range == nil || range == .all)
    let bounds = try journal.positions.bounds(of: range ?? .all)
    let statistics: HistoryStatistics
    journal.begin("counting the events of")
    statistics = try Failure.translating(
      journal: path, try journal.history.statistics(from: bounds.lower, upTo: bounds.upper))
    if let reason = bounds.reasonForNothing { context.note("\(path): \(reason)") }
    let damage = try journal.trust.findings()
    let lost: [Finding]
    do throws(JournalError) {
      lost = try journal.history.reader.lostEvents(
        isAnyWithoutPayload: journal.trust.knownReport?.hasEventWithoutPayload
      ).filter { finding in
        guard let events = finding.lostEvents else {
          return bounds.upper == nil && journal.trust.unknownEnd == [finding]
        }
        return events.upperBound >= bounds.lower && events.lowerBound <= bounds.upper ?? .max
      }
    } catch {
      throw Failure(error, journal: path)
    }
    let findings = damage + lost
    let code = FindingNotes.exitCode(findings, statistics.obstacle)
    context.report { lines in
      lines.begin(records, ())
      lines.add(totals, statistics)
      lines.add(type, each: rows(statistics.types))
      lines.add(account, each: rows(statistics.accounts))
      lines.add(rule, each: rows(statistics.findings))
      lines.add(time, each: statistics.buckets(limit: 10_000))
      lines.add(finding, each: findings)
      lines.end(records, (), code, of: [journal])
    } text: {
      printText(statistics, findings, journal.history.reader, context)
    }
    JournalSeeking.note(journal, in: context)
    if FindingNotes.exitCode(findings, nil) == .done, let obstacle = statistics.obstacle {
      let failure = Failure(obstacle, journal: path)
      context.note("\(failure.message); mistakes in the app after it are not counted. Next: \(failure.next)")
    } else if code != .done {
      let rest = damage == findings ? "what is sound" : "the other events"
      let next = FindingNotes.nextStep(findings, path)
      context.note("\(path): \(FindingNotes.count(findings)); the counts cover \(rest). Next: \(next)")
    }
    return code
  }

  private static func printText(
    _ statistics: HistoryStatistics, _ findings: [Finding], _ reader: JournalReader, _ context: CommandContext
  ) {
    let output = context.output
    func count(_ number: UInt64, _ noun: String) -> String {
      "\(number.grouped) \(noun)\(number == 1 ? "" : noun.hasSuffix("s") ? "es" : "s")"
    }
    var head = count(statistics.events, "event")
    if let sequences = statistics.sequences { head += " (\(sequences.lowerBound)–\(sequences.upperBound))" }
    if let times = statistics.times {
      head +=
        " from \(CivilTime(nanoseconds: times.lowerBound).text) to \(CivilTime(nanoseconds: times.upperBound).text)"
    }
    output.line(head)
    let largest =
      statistics.bodyBytes.largest > 0
      ? ", the largest \(statistics.bodyBytes.largest.grouped) in event \(statistics.bodyBytes.largestEvent)"
      : ""
    let processes =
      reader.domain.flatMap { statistics.isOfOtherDomain ? "domain \($0)" : nil }
      ?? count(statistics.processes, "process")
    output.line("\(processes), bodies of \(count(statistics.bodyBytes.total, "byte"))\(largest)")
    let length = reader.segments.reduce(0) { $0 + $1.length }
    output.line("\(count(UInt64(reader.segments.count), "segment")) of \(count(length, "byte"))")
    if let parent = reader.identity.parent {
      let sentence = VerifyText.sentence(about: parent, isSalvaged: reader.identity.isSalvaged)
      output.line("parent \(parent.id), which \(sentence)")
    }
    if statistics.longestPause.nanoseconds > 0 {
      output.line(
        "longest pause \(SpanText.clock(nanoseconds: statistics.longestPause.nanoseconds)), before event \(statistics.longestPause.before)"
      )
    }
    if let obstacle = statistics.obstacle {
      let place = obstacle.lastDerivable.map { " after event \($0)" } ?? ""
      output.line("the state\(place) is unknown: mistakes in the app that events there reveal are not counted")
    }
    if let beginning = statistics.retiredBeginning { output.line(beginning.text) }
    if statistics.unknown > 0 { output.line("\(count(statistics.unknown, "event")) unknown here") }
    for jump in statistics.clockJumps { output.line("event \(jump.sequence): \(jump.text)") }
    if statistics.clockJumpCount > UInt64(statistics.clockJumps.count) {
      output.line(
        "and \(count(statistics.clockJumpCount - UInt64(statistics.clockJumps.count), "further jump")) of the clock")
    }
    chart("events by type", rows(statistics.types), context)
    chart("events by account", rows(statistics.accounts), context)
    chart("mistakes in the app by rule", rows(statistics.findings), context)
    chart("events by time", statistics.buckets().map { ($0.name, $0.events) }, context)
    for finding in findings {
      output.line(TerminalText.visible("\(FindingNotes.word(finding)): \(finding)"))
    }
  }

  /// The most frequent types first, those of one count by name.
  static func rows(_ types: [String: UInt64]) -> [(name: String, events: UInt64)] {
    types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// The accounts in their order.
  static func rows(_ accounts: [UInt64: UInt64]) -> [(name: String, events: UInt64)] {
    accounts.sorted { $0.key < $1.key }.map { (EventAccounts.pseudonym($0.key), $0.value) }
  }

  private static func chart(_ title: String, _ rows: [(String, UInt64)], _ context: CommandContext) {
    guard !rows.isEmpty else { return }
    context.output.line()
    context.output.line(context.style.bold(title))
    let largest = rows.map(\.1).max() ?? 0
    let numbers = rows.map { $0.1.grouped }
    // What the names, the numbers and the gaps beside them leave of a terminal.
    let used = (rows.map { TerminalText.width(of: $0.0) }.max() ?? 0) + (numbers.map(\.utf8.count).max() ?? 0) + 6
    let bars = BarText(
      width: context.output.columns.map { max($0 - used, 8) } ?? BarText.standardWidth,
      isASCII: context.arguments.flag("ascii") || context.environment.isASCII)
    var table = TextTable([TextColumn(""), TextColumn("", .right), TextColumn("")])
    for (name, number) in rows {
      table.append([
        TextCell("  " + TerminalText.visible(name)), TextCell(number.grouped),
        TextCell(bars.bar(number, of: largest), [.cyan]),
      ])
    }
    context.print(table)
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, Void>("stats", [totals, type, account, rule, time, finding])

  private static let totals = JSONRecord<HistoryStatistics>(
    "totals",
    [
      .init("events", \.events), .init("first", \.sequences?.lowerBound), .init("last", \.sequences?.upperBound),
      .init("from") { $0.times.map { CivilTime(nanoseconds: $0.lowerBound) } },
      .init("to") { $0.times.map { CivilTime(nanoseconds: $0.upperBound) } },
      .init("processes") { $0.isOfOtherDomain ? nil : $0.processes }, .init("unknown", \.unknown),
      .init("bodyBytes", \.bodyBytes.total), .init("largestBody", \.bodyBytes.largest),
      .init("clockJumps", \.clockJumpCount),
      // After an obstacle nothing is found: a number would be taken for all.
      .init("findings") { $0.isStateKnown ? $0.findings.values.reduce(0, +) : nil },
      .init("stateKnown", \.isStateKnown), .init("stateKnownBehind", \.retiredBeginning?.checkpointSequence),
    ])

  private typealias Count = (name: String, events: UInt64)

  private static let type = JSONRecord<Count>("type", [.init("type", \.name), .init("events", \.events)])
  private static let account = JSONRecord<Count>("account", [.init("account", \.name), .init("events", \.events)])
  private static let rule = JSONRecord<Count>("rule", [.init("rule", \.name), .init("findings", \.events)])
  private static let time = JSONRecord<HistoryStatistics.Bucket>(
    "time", [.init("time", \.name), .init("events", \.events)])
  private static let finding = JSONRecord<Finding>.finding()
}
