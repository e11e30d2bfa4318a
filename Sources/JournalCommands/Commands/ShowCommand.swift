import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import ProtectionSupport

/// `pj show`: everything about single events.
package enum ShowCommand: Command {
  package static let description = CommandDescription(
    "show", "Shows everything about an event: its meaning, its fields, what it changed and what caused it.",
    discussion: [
      """
      The settings of a policy that arrives are a table in the words of the administration portal. Where the account had a \
      policy before, each setting that differs also has the value that it was.
      """
    ],
    examples: [
      .init("pj show field.pj 44", "One event by its number."),
      .init("pj show field.pj wipe.requested#2", "The second event of a type."),
      .init("pj show field.pj 2026-10-05T10:15Z end -j", "The last event up to a time, and the last event, as JSON."),
    ],
    positionals: [
      PositionalDescription(
        "WHAT", .atLeastOne, completion: .file,
        "The journal (default: the current directory), then positions: pj help positions.")
    ],
    options: [OptionDescription("full", "List every value of parts that vanished."), JournalSeeking.option])

  /// The most fields that are shown as text. A body of a few megabytes can have a million, of which no one reads the table.
  private static let maximumFields = 1_000

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let (path, words) = JournalPath.split(context.arguments.positionals, reads: JournalPath.readsLikePosition)
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a position is missing: it names the event to show", next: "pj help positions")
    }
    var positions: [NamedPosition] = []
    for word in words { positions.append(try PositionInput.position(word)) }
    let journal = try JournalInput(seekingIn: path, context)
    let resolver = try journal.positions.resolver(for: positions)
    var sequences: [UInt64] = []
    for position in positions {
      do throws(PositionError) {
        sequences.append(try resolver.event(position))
      } catch {
        throw journal.positions.failure(error)
      }
    }
    var totals = LogTotals()
    context.begin(records, ())
    for (index, sequence) in sequences.enumerated() {
      if index > 0 { context.text { context.output.line() } }
      try show(sequence, journal, &totals, context)
    }
    totals.findings = try journal.trust.findings()
    context.end(records, sequences.count, totals.exitCode, of: [journal])
    JournalSeeking.note(journal, in: context)
    if let obstacle = totals.obstacle {
      context.note(
        "\(path): the state around the event is unknown: \(obstacle.message). "
          + "Next: \(FindingNotes.nextStep(totals.findings, path, obstacle: obstacle))")
    } else if totals.exitCode != .done {
      context.note(
        "\(path): \(FindingNotes.count(totals.findings)); what is shown is sound. "
          + "Next: \(FindingNotes.nextStep(totals.findings, path))")
    }
    return totals.exitCode
  }

  private static func show(
    _ sequence: UInt64, _ journal: JournalInput, _ totals: inout LogTotals, _ context: CommandContext
  ) throws(Failure) {
    var reason = "its bytes are damaged"
    do throws(HistoryError) {
      var reader = try LogReader(journal.protectionHistory, from: sequence, upTo: sequence)
      while let item = try reader.next() {
        switch item {
        case .event(let step):
          let event = LoggedEvent(step, LogTools(context.redaction))
          try context.report { (lines) throws(HistoryError) in
            lines.add(eventRecord, event)
          } text: { () throws(HistoryError) in
            let cause = try record(event.record.envelope.cause, before: event, journal)
            let order = try record(event.orderedBy ?? 0, before: event, journal)
            for line in lines(about: event, cause, order, context) { context.output.line(line) }
          }
          return
        case .stateUnknown(let obstacle): totals.obstacle = obstacle
        case .retiredBeginning(let beginning): context.note("\(journal.path): \(beginning.text)")
        case .finding(let finding) where finding.verdict == .lost:
          reason =
            finding.isFromSalvage ? "it was lost before this journal was salvaged" : "only its number is left"
        case .finding, .clockJump: break
        }
      }
    } catch {
      throw Failure(error, journal: journal.path)
    }
    throw Failure(
      .partial, "\(journal.path): event \(sequence) is lost: \(reason)",
      next: FindingNotes.nextStep(try journal.trust.findings(), journal.path))
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, Int>("show", [eventRecord], end: [.init("events") { $0 }])

  private static let eventRecord = JSONRecord<LoggedEvent>(
    "event",
    LogJSON.members + [
      .ifAny("meaning") { event in
        event.record.descriptor.map { event.record.event?.advice?.meaning ?? $0.meaning }
      },
      .ifAny("remedy") { event in
        event.record.descriptor.map { event.record.event?.advice?.remedy ?? $0.remedy }
      }, .ifAny("settings", each: ReceivedPolicy.members) { ReceivedPolicy($0)?.rows ?? [] },
    ])

  /// An earlier event; `nil` when it is missing.
  private static func record(
    _ cause: UInt64, before event: LoggedEvent, _ journal: JournalInput
  ) throws(HistoryError) -> RecordedEvent<AppProtectionEvent>? {
    guard cause > 0, cause < event.record.sequence, cause >= journal.history.firstSequence else { return nil }
    var cursor = try journal.protectionHistory.events(after: cause - 1)
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      return step.record.sequence == cause ? step.record : nil
    }
    return nil
  }

  private static func lines(
    about event: LoggedEvent, _ cause: RecordedEvent<AppProtectionEvent>?,
    _ order: RecordedEvent<AppProtectionEvent>?, _ context: CommandContext
  ) -> [String] {
    let record = event.record
    let envelope = record.envelope
    let values = ValueText(context.redaction)
    var lines = [
      "event \(record.sequence)  \(context.style.bold(TerminalText.visible(record.typeName)))  "
        + CivilTime(nanoseconds: envelope.moment.wallNanoseconds).text
    ]
    let advice = record.event?.advice
    let meaning = advice?.meaning ?? record.descriptor?.meaning ?? "This program does not know the event's type."
    lines.append("  " + TerminalText.visible(meaning))
    if let remedy = advice?.remedy ?? record.descriptor?.remedy {
      lines.append("  What to do: \(TerminalText.visible(remedy))")
    }
    switch record.content {
    case .known, .migration: break
    case .otherDomain: lines.append("  Its journal describes it: it is of the domain \(record.otherDomain ?? "").")
    case .unknownType, .unknownVersion:
      let rule = envelope.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
      lines.append("  Version \(envelope.version) is unknown here; its writer states that it \(rule).")
      if let error = record.catalogError { lines.append("  Its journal does not describe it: \(error).") }
    case .unknownFeatures(let features):
      lines.append("  It needs \(features.phrase), which this program does not know: use a newer one.")
    case .undecodable(let error), .foreign(let error): lines.append("  Its body cannot be read: \(error)")
    case .lost: lines.append("  It is lost: only its number is left.")
    }
    let policy = ReceivedPolicy(event)
    let fields = policy?.fields(of: event.fields, values) ?? values.fields(event.fields)
    lines += section("fields", fields.prefix(maximumFields).map { ($0.name, $0.text) }, context)
    if fields.count > maximumFields {
      lines.append("  and \((fields.count - maximumFields).grouped) more: -j lists all")
    }
    if let policy { lines += policy.lines(context) }
    lines += section(
      "changes", changes(of: event, besides: policy, values, listsParts: context.arguments.flag("full")), context)
    lines += section(
      "findings", (event.findings ?? []).map { ($0.rule, context.redaction.shown(sentence: $0.description)) }, context)
    lines += section("conditions", event.unmetConditions.map { ($0.finding.rule.id, event.text(behind: $0)) }, context)
    lines += section("attributes", attributes(of: envelope, values), context)
    lines += section("journal", facts(about: record, cause, order), context)
    return lines
  }

  /// What vanished as a whole, such as the policy of an account that was wiped, is one line unless it is to be listed. What
  /// the table of a policy shows is left out.
  private static func changes(
    of event: LoggedEvent, besides policy: ReceivedPolicy?, _ values: ValueText, listsParts: Bool
  ) -> [(String, String)] {
    if let domain = event.record.otherDomain {
      return [("unknown", "only the program of the domain \(domain) knows the state")]
    }
    guard let changes = event.changes else { return [("unknown", "the state before this event is unknown")] }
    guard !changes.isEmpty else { return [("none", "")] }
    return StateDiffItem.items(of: changes).flatMap { item -> [(String, String)] in
      if case .disappeared(let path, let gone) = item, gone.count > 1, !listsParts {
        return [(values.redaction.shown(statePath: path), "\(gone.count) values vanished\(item.gist)")]
      }
      return item.changes.filter { policy?.shows($0, values.redaction) != true }.map {
        (values.redaction.shown(statePath: $0.path), "\(values.text($0.before)) → \(values.text($0.after))")
      }
    }
  }

  private static func facts(
    about record: RecordedEvent<AppProtectionEvent>, _ cause: RecordedEvent<AppProtectionEvent>?,
    _ order: RecordedEvent<AppProtectionEvent>?
  ) -> [(String, String)] {
    let envelope = record.envelope
    var facts: [(String, String)] = []
    if envelope.cause > 0 {
      facts.append(("caused by", "\(envelope.cause)" + (cause.map { "  \($0.typeName)" } ?? "")))
    } else {
      facts.append(("caused by", "a command from outside"))
    }
    if let order { facts.append(("ordered by", "\(order.sequence)  \(order.typeName)")) }
    if envelope.correlation > 0 { facts.append(("story began with", "\(envelope.correlation)")) }
    if envelope.process > 0 { facts.append(("process began with", "\(envelope.process)")) }
    if envelope.moment.uptimeNanoseconds > 0 {
      facts.append(("uptime", SpanText.clock(nanoseconds: envelope.moment.uptimeNanoseconds)))
    }
    facts.append(("type and version", "\(envelope.type), \(envelope.version)"))
    if !envelope.features.isEmpty {
      facts.append(("features", envelope.features.bits.map { "bit \($0)" }.joined(separator: ", ")))
    }
    if let digest = envelope.digest {
      facts.append(("state digest", ValueText.hexadecimal(digest.bytes) + "…"))
    }
    let chain = String(record.chain, radix: 16)
    facts.append(("chain", String(repeating: "0", count: 8 - chain.count) + chain))
    return facts
  }

  /// What the app attached to the command.
  private static func attributes(of envelope: Envelope, _ values: ValueText) -> [(String, String)] {
    guard let attributes = envelope.attributes else { return [] }
    var rows: [(String, String)] = []
    if let origin = attributes.origin {
      rows.append(("handed over by", "process \(origin.process)"))
      rows.append(("requested", CivilTime(nanoseconds: origin.moment.wallNanoseconds).text))
      if origin.moment.uptimeNanoseconds > 0 {
        rows.append(("at its uptime", SpanText.clock(nanoseconds: origin.moment.uptimeNanoseconds)))
      }
    }
    if !attributes.stream.isEmpty { rows.append(("stream", values.text(.personal(attributes.stream, .account)))) }
    for entry in attributes.metadata {
      rows.append(("metadata \(entry.key)", values.text(.personal(entry.value, .account))))
    }
    return rows
  }

  private static func section(_ title: String, _ rows: [(String, String)], _ context: CommandContext) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = TextTable([TextColumn(""), TextColumn("")])
    for (name, text) in rows {
      table.append([TextCell("  " + TerminalText.visible(name)), TextCell(TerminalText.visible(text))])
    }
    return [context.style.bold(title)] + table.lines(style: context.style, width: context.output.columns)
  }
}
