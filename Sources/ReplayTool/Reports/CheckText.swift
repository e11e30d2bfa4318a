import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// The result of a check, as text and as JSON Lines.
struct CheckText {
  let report: CheckReport
  let journal: JournalInput
  let context: CommandContext

  /// Number of values shown; the rest is counted.
  private static let maximumValues = 20

  // MARK: Text

  private func printText() throws(Failure) {
    let output = context.output
    var compared = [
      report.digestsCompared.counted("digest"), report.checkpointsCompared.counted("checkpoint"),
      report.keyframesCompared.counted("keyframe"),
    ].joined(separator: ", ")
    if report.digestsOfOtherRevisions > 0 {
      compared += "; \(report.digestsOfOtherRevisions.counted("digest")) of \(otherRevisions) of the rules left out"
    }
    if report.digestsOfOtherPrograms > 0 {
      compared +=
        "; \(report.digestsOfOtherPrograms.counted("digest")) of programs with other events or slices left out"
    }
    output.line(title("replayed") + "\(report.events.counted("event")), up to \(report.lastSequence.grouped)")
    output.line(title("compared") + compared)
    for note in report.notes { output.line(title("not used") + TerminalText.visible(note.description)) }
    guard let mismatch = report.mismatch else { return }
    let since =
      mismatch.lastAgreement + 1 == mismatch.sequence
      ? "with event \(mismatch.sequence.grouped)"
      : "with one of the events \((mismatch.lastAgreement + 1).grouped)–\(mismatch.sequence.grouped)"
    let type = try typeName(of: mismatch.sequence).map { ", \($0)" } ?? ""
    output.line(
      title("differs") + "\(since)\(type): the rules of this program give a different state from the recorded one")
    var table = TextTable([TextColumn("", maximumWidth: 64), TextColumn("", maximumWidth: 100)])
    let values = ValueText(context.redaction)
    for change in changes(of: mismatch).prefix(Self.maximumValues) {
      let text =
        mismatch.evidence == nil
        ? "\(values.text(change.before)) → \(values.text(change.after)), as computed here"
        : "recorded \(values.text(change.before)), computed here \(values.text(change.after))"
      table.append([
        TextCell("  " + TerminalText.visible(context.redaction.shown(statePath: change.path))),
        TextCell(TerminalText.visible(text)),
      ])
    }
    context.print(table)
    let rest = changes(of: mismatch).count - Self.maximumValues
    if rest > 0 { output.line("  and \(rest) more: -j lists all") }
    if let evidence = mismatch.evidence {
      output.line("  recorded in the state after event \(evidence.sequence.grouped)")
    }
  }

  /// The last line.
  func printEnd(_ code: ExitCode, rebuilt: Int?) {
    // Agreement up to damage is not an answer, nor is a comparison with nothing.
    let agrees: Bool? = report.mismatch != nil ? false : code == .done ? true : nil
    context.end(Self.records, (agrees, rebuilt), code) { printTextEnd(code, rebuilt: rebuilt) }
  }

  private func printTextEnd(_ code: ExitCode, rebuilt: Int?) {
    let path = journal.path
    if let mismatch = report.mismatch {
      context.output.line("Does not agree. Next: \(Tool.name) show \(path.shellWord) \(mismatch.sequence)")
    } else if code == .done, report.lastSequence == 0 {
      context.output.line("Agrees: the journal has no event, and so no state that could differ.")
    } else if code == .done {
      context.output.line("Agrees: the states that \(Tool.name) shows are those of the program that wrote the journal.")
    } else if !report.isConclusive, report.obstacle == nil {
      printUntold(path)
    }
    if let rebuilt { context.output.line("\(rebuilt.counted("keyframe")) written.") }
  }

  /// Says that nothing could be compared, why, and what to do.
  private func printUntold(_ path: String) {
    let untold = "Unknown whether the states that \(Tool.name) shows are those of the program that wrote the journal: "
    guard report.events > 0 else {
      context.output.line(
        "\(untold)it has no events, and the state after event \(report.lastSequence.grouped), with which it begins, is only "
          + "stored. Next: \(Tool.name) verify \(path.shellWord)")
      return
    }
    guard report.digestsOfOtherRevisions > 0 else {
      context.output.line("\(untold)it recorded no digests. Next: \(Tool.name) verify \(path.shellWord)")
      return
    }
    context.output.line(
      "\(untold)it recorded digests of \(otherRevisions) of the rules, but this program has revision "
        + "\(journal.domain.revision). Next: check it with a program of \(otherRevisions); "
        + "\(Tool.name) check \(path.shellWord) --rebuild writes keyframes under the rules of this program")
  }

  /// The revisions whose digests were left out: `revision 1`, `revisions 1, 3`.
  private var otherRevisions: String {
    let numbers = report.otherRevisions.map { "\($0)" }.joined(separator: ", ")
    return "revision\(report.otherRevisions.count == 1 ? "" : "s") \(numbers)"
  }

  private func title(_ text: String) -> String {
    context.style.bold(TerminalText.padded(text, to: 12))
  }

  /// What differs: the evidence at the likely paths, else what the events since the last agreement change.
  private func changes(of mismatch: CheckReport.Mismatch) -> [StateChange] {
    guard let evidence = mismatch.evidence else { return mismatch.suspects }
    let paths = Set(mismatch.paths)
    return evidence.diff.changes.filter { paths.contains($0.path) }
  }

  private func typeName(of sequence: UInt64) throws(Failure) -> String? {
    do throws(HistoryError) {
      return try journal.history.firstEvent(after: sequence - 1)?.typeName
    } catch {
      throw Failure(error, journal: journal.path)
    }
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<String, (agrees: Bool?, rebuilt: Int?)>(
    "check", start: [.init("journal") { $0 }], [check, notUsed, mismatchRecord, value],
    end: [.init("agrees", \.agrees), .ifAny("keyframes", \.rebuilt)])

  private static let check = JSONRecord<CheckReport>(
    "check",
    [
      .init("events", \.events), .init("last", \.lastSequence), .init("digests", \.digestsCompared),
      .init("digestsOfOtherRevisions", \.digestsOfOtherRevisions),
      .init("digestsOfOtherPrograms", \.digestsOfOtherPrograms), .init("otherRevisions", \.otherRevisions),
      .init("checkpoints", \.checkpointsCompared), .init("keyframes", \.keyframesCompared),
      .init("digest") { HexDigits($0.stateDigest.combined) }, .init("obstacle", \.obstacle?.message),
    ])

  private static let notUsed = JSONRecord<CheckpointNote>(
    "notUsed",
    [
      .init("what", oneOf: ["keyframe", "checkpoint"]) { $0.isKeyframe ? "keyframe" : "checkpoint" },
      .init("seq", \.sequence), .init("reason", \.refusal.description),
    ])

  private static let mismatchRecord = JSONRecord<(mismatch: CheckReport.Mismatch, type: String?)>(
    "mismatch",
    [
      .init("seq", \.mismatch.sequence), .init("type", \.type), .init("lastAgreement", \.mismatch.lastAgreement),
      .init("slices", \.mismatch.slices), .init("evidence", \.mismatch.evidence?.sequence),
    ])

  private static let value = JSONRecord<StateChange>("value", StateChange.members)

  /// Prints what was compared, and what differs.
  func print() throws(Failure) {
    try context.report { (lines) throws(Failure) in
      lines.begin(Self.records, journal.path)
      lines.add(Self.check, report)
      lines.add(Self.notUsed, each: report.notes)
      guard let mismatch = report.mismatch else { return }
      lines.add(Self.mismatchRecord, (mismatch, try typeName(of: mismatch.sequence)))
      lines.add(Self.value, each: changes(of: mismatch))
    } text: { () throws(Failure) in
      try printText()
    }
  }
}
