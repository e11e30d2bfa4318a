import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// What a domain shows of an event besides its fields and changes.
package protocol EventDetails {
  /// The fields of the event that remain to be shown, as text.
  func fields(of event: MessageFields, _ values: ValueText) -> [(name: String, text: String)]

  /// The lines below the fields.
  func lines(_ context: CommandContext) -> [String]

  /// Whether these lines show a change of the state.
  func shows(_ change: StateChange, _ redaction: Redaction) -> Bool
}

/// What `show` does in every tool: everything about single events.
package struct EventShow: Sendable {
  private let records: JSONOutput<Void, Int>
  private let event: JSONRecord<LoggedEvent>
  private let details: @Sendable (LoggedEvent) -> (any EventDetails)?

  /// - Parameters:
  ///   - members: The members of an event that its domain adds to what `log -j` writes.
  ///   - others: Those that it adds after what only `show` has.
  ///   - details: What the domain shows of an event besides; `nil` for nothing.
  package init(
    adding members: [JSONMember<LoggedEvent>] = [], _ others: [JSONMember<LoggedEvent>] = [],
    details: @escaping @Sendable (LoggedEvent) -> (any EventDetails)? = { _ in nil }
  ) {
    event = JSONRecord("event", LogJSON.members + members + Self.meaning + others)
    records = JSONOutput("show", [event], end: [.init("events") { $0 }])
    self.details = details
  }

  /// What `-j` writes.
  package var schema: OutputSchema { records.schema }

  private static let meaning: [JSONMember<LoggedEvent>] = [
    .ifAny("meaning") { event in event.particulars.descriptor.map { event.advice?.meaning ?? $0.meaning } },
    .ifAny("remedy") { event in event.particulars.descriptor.map { event.advice?.remedy ?? $0.remedy } },
  ]

  /// The description of the command: what else it shows of an event of the domain, and examples in its words.
  package static func description(_ discussion: [HelpBlock] = [], examples: [CommandDescription.Example])
    -> CommandDescription
  {
    CommandDescription(
      "show", "Shows everything about an event: its meaning, its fields, what it changed and what caused it.",
      discussion: discussion, examples: examples,
      positionals: [
        PositionalDescription(
          "WHAT", .atLeastOne, completion: .file,
          "The journal (default: the current directory), then positions: pj help positions.")
      ],
      options: [OptionDescription("full", "List every value of parts that vanished."), JournalSeeking.option])
  }

  /// The most fields that are shown as text. A body of a few megabytes can have a million, of which no one reads the table.
  private static let maximumFields = 1_000

  package func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let (path, words) = JournalPath.split(context.arguments.positionals, reads: JournalPath.readsLikePosition)
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a position is missing: it names the event to show", next: "\(Tool.name) help positions")
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

  private func show(
    _ sequence: UInt64, _ journal: JournalInput, _ totals: inout LogTotals, _ context: CommandContext
  ) throws(Failure) {
    var reason = "its bytes are damaged"
    do throws(HistoryError) {
      let tools = LogTools(journal.domain, context.redaction)
      let reader = try journal.history.log(from: sequence, upTo: sequence)
      while let item = try reader.next(tools) {
        switch item {
        case .event(let event):
          try context.report { (lines) throws(HistoryError) in
            lines.add(self.event, event)
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

  /// An earlier event; `nil` when it is missing.
  private func record(
    _ cause: UInt64, before event: LoggedEvent, _ journal: JournalInput
  ) throws(HistoryError) -> FoundEvent? {
    guard cause > 0, cause < event.record.sequence, cause >= journal.history.firstSequence else { return nil }
    let found = try journal.history.firstEvent(after: cause - 1)
    return found.flatMap { $0.sequence == cause ? $0 : nil }
  }

  private func lines(
    about event: LoggedEvent, _ cause: FoundEvent?, _ order: FoundEvent?, _ context: CommandContext
  ) -> [String] {
    let record = event.record
    let envelope = record.envelope
    let values = ValueText(context.redaction)
    var lines = [
      "event \(record.sequence)  \(context.style.bold(TerminalText.visible(event.typeName)))  "
        + CivilTime(nanoseconds: envelope.moment.wallNanoseconds).text
    ]
    let (advice, particulars) = (event.advice, event.particulars)
    let meaning =
      advice?.meaning ?? particulars.descriptor?.meaning ?? "This program does not know the event's type."
    if !meaning.isEmpty { lines.append("  " + TerminalText.visible(meaning)) }
    if let remedy = advice?.remedy ?? particulars.descriptor?.remedy, !remedy.isEmpty {
      lines.append("  What to do: \(TerminalText.visible(remedy))")
    }
    switch record.content {
    case .known, .migration: break
    case .otherDomain: lines.append("  Its journal describes it: it is of the domain \(particulars.otherDomain ?? "").")
    case .unknownType, .unknownVersion:
      let rule = envelope.unknownReaders == .ignorable ? "may be ignored" : "must be understood"
      lines.append("  Version \(envelope.version) is unknown here; its writer states that it \(rule).")
      if let error = particulars.catalogError { lines.append("  Its journal does not describe it: \(error).") }
    case .unknownFeatures(let features):
      lines.append("  It needs \(features.phrase), which this program does not know: use a newer one.")
    case .undecodable(let error), .foreign(let error): lines.append("  Its body cannot be read: \(error)")
    case .lost: lines.append("  It is lost: only its number is left.")
    }
    let details = details(event)
    let fields = details?.fields(of: particulars.fields, values) ?? values.fields(particulars.fields)
    lines += section("fields", fields.prefix(Self.maximumFields).map { ($0.name, $0.text) }, context)
    if fields.count > Self.maximumFields {
      lines.append("  and \((fields.count - Self.maximumFields).grouped) more: -j lists all")
    }
    if let details { lines += details.lines(context) }
    lines += section(
      "changes", changes(of: event, besides: details, values, listsParts: context.arguments.flag("full")), context)
    lines += section(
      "findings", (event.findings ?? []).map { ($0.rule, context.redaction.shown(sentence: $0.description)) }, context)
    lines += section("conditions", event.unmetConditions.map { ($0.rule, event.text(behind: $0)) }, context)
    lines += section("attributes", attributes(of: envelope, values), context)
    lines += section("journal", facts(about: record, cause, order), context)
    return lines
  }

  /// What vanished as a whole, such as a record of a table, is one line unless it is to be listed. What the details of the
  /// domain show is left out.
  private func changes(
    of event: LoggedEvent, besides details: (any EventDetails)?, _ values: ValueText, listsParts: Bool
  ) -> [(String, String)] {
    if let domain = event.particulars.otherDomain {
      return [("unknown", "only the program of the domain \(domain) knows the state")]
    }
    guard let changes = event.changes else { return [("unknown", "the state before this event is unknown")] }
    guard !changes.isEmpty else { return [("none", "")] }
    return StateDiffItem.items(of: changes).flatMap { item -> [(String, String)] in
      if case .disappeared(let path, let gone) = item, gone.count > 1, !listsParts {
        return [(values.redaction.shown(statePath: path), "\(gone.count) values vanished\(item.gist)")]
      }
      return item.changes.filter { details?.shows($0, values.redaction) != true }.map {
        (values.redaction.shown(statePath: $0.path), "\(values.text($0.before)) → \(values.text($0.after))")
      }
    }
  }

  private func facts(
    about record: EventRecord, _ cause: FoundEvent?, _ order: FoundEvent?
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
  private func attributes(of envelope: Envelope, _ values: ValueText) -> [(String, String)] {
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

  private func section(_ title: String, _ rows: [(String, String)], _ context: CommandContext) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = TextTable([TextColumn(""), TextColumn("")])
    for (name, text) in rows {
      table.append([TextCell("  " + TerminalText.visible(name)), TextCell(TerminalText.visible(text))])
    }
    return [context.style.bold(title)] + table.lines(style: context.style, width: context.output.columns)
  }
}
