import CommandLineInterface
import CommandSupport
import Forensics
import Journal
import JSON
import PlainText

/// `pj verify`: bytes, checksums, chain and order.
package enum VerifyCommand: Command {
  package static let description = CommandDescription(
    "verify", "Reads every byte of a journal and checks checksums, chain and order.",
    discussion: [
      """
      Safe on a journal that is being written. An unfinished write at the end is not damage: it was never acknowledged. A \
      salvaged journal that marks events as lost can be sound, but it is incomplete: the exit code is 3 here and in every \
      command whose answer depends on them. See pj help damage.
      """
    ],
    examples: [
      .init("pj verify field.pj", "Says which ranges are sound and which are not."),
      .init("pj verify field.pj -j", "The same for programs."),
      .init("pj verify field.pj && pj state field.pj", "Shows the state only when the journal is sound."),
    ],
    positionals: [
      .journal
    ],
    options: [
      OptionDescription(
        "checksums",
        "Skip the SHA-256 of the history: faster on large journals, finds accidents but not every forgery.")
    ],
    exitCodes: [
      ExitCodeDescription(0, "sound"), ExitCodeDescription(1, "damage found"), ExitCodeDescription(2, "wrong use"),
      ExitCodeDescription(
        3, "sound, but events were lost or may have been lost before it was salvaged, or no state is known"),
      ExitCodeDescription(4, "it cannot be read, or is not a journal"), ExitCodeDescription(5, "it needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let path = context.arguments.positional("JOURNAL") ?? JournalPath.defaultPath
    let report: VerificationReport
    let reader: JournalReader
    let lost: [Finding]
    try context.environment.door?.open(path)
    let missing = context.environment.door?.mount(at: path)?.finding.map { [$0] } ?? []
    do throws(JournalError) {
      reader = try JournalReader(path: path, fileSystem: context.fileSystem)
      context.environment.progress?.begin("verifying \(path)", total: reader.segments.reduce(0) { $0 + $1.length })
      report = try reader.verify(context.arguments.flag("checksums") ? .checksums : .digest)
      // Where bytes cannot be read or understood, the report says so already.
      // That a file is cut says why the end is unknown.
      lost =
        [.done, .different].contains(exitCode(report))
        ? try reader.lostEvents(isAnyWithoutPayload: report.hasEventWithoutPayload).filter {
          missing.isEmpty || $0 != reader.unknownEnd
        } + missing : []
    } catch {
      // That a journal is damaged beyond reading is an answer here.
      guard error.code == .damaged else { throw Failure(error, journal: path) }
      context.report { lines in
        // Without any sign of its identity: the finding alone.
        lines.begin(records, path)
        lines.add(
          finding,
          Finding(
            .damaged, file: error.file ?? path, byteRange: 0..<0, cause: error.message,
            evidence: "no file of the journal says otherwise", remedy: error.remedy))
        lines.end(records, Outcome(), .different)
      } text: {
        context.output.line(TerminalText.visible("damaged  \(error)"))
        if let next = FindingNotes.nextStep(error, path) { context.output.line(TerminalText.visible("Next: \(next)")) }
      }
      return .different
    }
    // The bytes are sound, and what they hold is not all.
    let isPartial = !lost.isEmpty || !report.hasStart
    let code = exitCode(report) == .done && isPartial ? ExitCode.partial : exitCode(report)
    context.report { lines in
      lines.begin(records, path)
      for row in report.rows {
        switch row {
        case .sound(let files, let events): lines.add(sound, (files, events))
        case .finding(let found): lines.add(finding, found)
        }
      }
      lines.add(lostRecord, each: lost)
      lines.end(records, outcome(report, lost, reader.identity), code)
    } text: {
      printText(report, lost, reader.identity, path, context)
      let known = report.isSound ? nil : lastKnownState(reader, report, path, context)
      context.output.line(conclusion(report, lost, known, path))
    }
    return code
  }

  /// The worst finding counts: a failing device and a format that is too new come before damage.
  static func exitCode(_ report: VerificationReport) -> ExitCode {
    let verdicts = report.findings.map(\.verdict)
    if verdicts.contains(where: { if case .ioError = $0 { true } else { false } }) { return .unreadable }
    if verdicts.contains(.unsupportedFormat) { return .needsNewerTool }
    return report.isSound ? .done : .different
  }

  private static func printText(
    _ report: VerificationReport, _ lost: [Finding], _ identity: JournalIdentity, _ path: String,
    _ context: CommandContext
  ) {
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn("")])
    if let parent = identity.parent {
      let sentence = VerifyText.sentence(about: parent, isSalvaged: identity.isSalvaged)
      table.append([TextCell("parent"), TextCell("\(parent.id)"), TextCell(sentence)])
    }
    if let retirement = report.retirement {
      table.append([
        TextCell("retired"), TextCell(VerifyText.events(1...max(retirement.firstSequence - 1, 1))),
        TextCell("after the checkpoint at event \(retirement.checkpointSequence.grouped)"),
      ])
    }
    var files: [String] = []
    for row in report.rows {
      let cells: [TextCell]
      switch row {
      case .sound(let segments, let events):
        let after = segments.first.map(files.contains) ?? false
        cells = [
          TextCell("sound", [.green]), TextCell(span(segments)),
          TextCell(events.map { VerifyText.events($0) + (after ? " after it" : "") } ?? "no events"),
        ]
        files += segments
      case .finding(let finding):
        // What is wrong with a name stands before no event.
        if ForeignName(finding.file) == nil { files.append(finding.file) }
        cells = [
          TextCell(FindingNotes.word(finding), [finding.isDamage ? .red : .yellow]), TextCell(finding.file),
          TextCell(VerifyText.sentence(about: finding)),
        ]
      }
      table.append(cells.map { TextCell(TerminalText.visible($0.text), $0.attributes) })
    }
    for finding in lost {
      table.append([
        TextCell("lost", [.red]), TextCell(finding.file),
        TextCell("\(VerifyText.sentence(about: finding)); \(finding.remedy)"),
      ])
    }
    context.print(table)
  }

  /// The last event of a damaged journal after which the state is known, as every command that shows it finds it; `nil` if none
  /// is.
  private static func lastKnownState(
    _ reader: JournalReader, _ report: VerificationReport, _ path: String, _ context: CommandContext
  ) -> UInt64? {
    let journal = JournalInput(path, context.environment, verified: reader, report)
    // Only a program of its own knows the states of other events.
    guard journal.otherDomain == nil, (try? journal.history.requireFittingEvents()) != nil else {
      return report.hasStart ? report.lastDerivableSequence : nil
    }
    guard let reading = try? journal.states.reading(after: nil) else { return nil }
    // Without a replayed event, the state would rest on nothing.
    return reading.sequence == 0 && reading.obstacle != nil ? nil : reading.sequence
  }

  /// The number of events, without those of which only the place was kept. Of those before the first one, not even the
  /// place was.
  private static func eventCount(_ report: VerificationReport, _ lost: [Finding]) -> UInt64 {
    let marked = lost.filter { $0.byteRange.lowerBound > 0 }
    return report.eventCount - min(marked.reduce(0) { $0 + UInt64($1.lostEvents?.count ?? 0) }, report.eventCount)
  }

  /// The number of lost events; one that several findings name counts once.
  private static func lostCount(_ report: VerificationReport, _ lost: [Finding]) -> UInt64 {
    let stretches = report.lostEvents + lost.compactMap(\.lostEvents)
    var count: UInt64 = 0
    var next: UInt64 = 0
    for events in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) where events.upperBound >= next {
      let first = max(events.lowerBound, next)
      (count, next) = (count &+ (events.upperBound &- first) &+ 1, events.upperBound &+ 1)
      guard next > 0 else { break }
    }
    return count
  }

  private static func conclusion(
    _ report: VerificationReport, _ lost: [Finding], _ known: UInt64?, _ path: String
  ) -> String {
    let number = eventCount(report, lost)
    let count = number.grouped
    if report.isSound {
      let end = report.wasClosed ? "closed in good order" : "not closed: its process was killed or is still writing"
      guard report.hasStart else {
        return
          "The bytes are sound, but no state is known: no checkpoint stands for the events before the first one; "
          + "\(end)."
      }
      let hasUnknownEnd = lost.contains { $0.verdict == .lost && $0.lostEvents == nil }
      let unknown = hasUnknownEnd ? " Whether later events existed before it was salvaged is unknown." : ""
      guard lost.contains(where: { $0.lostEvents != nil }) else {
        return "Sound: \(count) event\(number == 1 ? "" : "s"); \(end).\(unknown)"
      }
      let isSalvaged = lost.contains(where: \.isFromSalvage)
      let missing = lostCount(report, lost)
      let all = (number + missing).grouped
      return "The bytes are sound, but they are \(count) of \(all) events: \(missing.grouped) "
        + "\(missing == 1 ? "was" : "were") lost\(isSalvaged ? " before this journal was salvaged" : ""); \(end).\(unknown)"
    }
    let next = "Next: " + FindingNotes.nextStep(report.findings, path)
    guard let known else {
      let isNewer = report.findings.contains { $0.verdict == .unsupportedFormat }
      return report.hasStart
        ? "No state is known: no event can be replayed. \(next)"
        : "No state is known: no checkpoint \(isNewer ? "that this program reads " : "")stands for the events before the "
          + "first one. \(next)"
    }
    let state =
      known != report.lastSequence || !report.lostEvents.isEmpty
      ? "The state can be rebuilt up to event \(known.grouped)."
      : report.knowsEnd
        ? "No event is lost."
        : known == 0
          ? "Whether any event existed is unknown."
          : "No event up to \(known.grouped) is lost; whether later ones existed is unknown."
    return "\(state) \(next)"
  }

  private static func span(_ files: [String]) -> String {
    guard let first = files.first, let last = files.last, first != last else { return files.first ?? "" }
    return "\(first) – \(last)"
  }

  /// What the last record says.
  struct Outcome {
    var isSound = false
    var events: UInt64 = 0
    var lost: UInt64?
    var lastVerified: UInt64 = 0
    var last: UInt64?
    var durable: UInt64?
    var wasClosed: Bool?
    var knowsEnd = false
    var chain: UInt32?
    var retiredBefore: UInt64?
    var parent: JournalIdentity.Parent?
  }

  /// What `-j` writes.
  static let records = JSONOutput<String, Outcome>(
    "verify", start: [.init("journal") { $0 }], [sound, finding, lostRecord],
    end: [
      .init("sound", \.isSound), .init("events", \.events), .init("lost", \.lost),
      .init("lastVerified", \.lastVerified), .init("last", \.last), .init("durable", \.durable),
      .init("closed", \.wasClosed), .init("endKnown", \.knowsEnd), .init("chain", \.chain),
      .init("retiredBefore", \.retiredBefore), .init("parent") { $0.parent.map { "\($0.id)" } },
      .init("sharedWithParent", \.parent?.sequence),
    ])

  private static let sound = JSONRecord<(files: [String], events: ClosedRange<UInt64>?)>(
    "sound", [.init("files", \.files), .init("events", \.events)])
  private static let finding = JSONRecord<Finding>.finding()
  private static let lostRecord = JSONRecord<Finding>.finding("lost")

  private static func outcome(
    _ report: VerificationReport, _ lost: [Finding], _ identity: JournalIdentity
  ) -> Outcome {
    Outcome(
      isSound: report.isSound, events: eventCount(report, lost), lost: lostCount(report, lost),
      lastVerified: report.lastVerifiedSequence, last: report.lastSequence, durable: report.durableSequence,
      wasClosed: report.wasClosed, knowsEnd: report.knowsEnd && !lost.contains { $0.lostEvents == nil },
      chain: report.lastChain, retiredBefore: report.retirement?.firstSequence, parent: identity.parent)
  }
}
