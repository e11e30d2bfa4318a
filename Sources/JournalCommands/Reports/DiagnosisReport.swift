import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport

/// The results of `pj diagnose`.
struct DiagnosisReport {
  typealias Report = HistoryDiagnosis<AppProtectionMachine>
  typealias Contrast = HistoryContrast<AppProtectionMachine>

  /// The most differences from a healthy journal that are shown as text.
  private static let maximumDifferences = 20

  private let journal: JournalInput
  private let context: CommandContext
  /// The days that problems must touch, in nanoseconds since 1970-01-01T00:00:00Z; `nil` for any.
  private let days: Range<Int64>?

  init(_ journal: JournalInput, about days: Range<Int64>?, _ context: CommandContext) {
    (self.journal, self.days, self.context) = (journal, days, context)
  }

  /// Judges a stretch of the history, and prints what was found.
  func print(from lower: UInt64, upTo upper: UInt64?) throws(Failure) -> ExitCode {
    let damage = try journal.trust.findings() + journal.trust.lossesAround(from: lower, upTo: upper)
    let report = try journal.diagnosis(from: lower, upTo: upper, damage: damage)
    let differences = try contrast(report, upTo: upper)
    let only = context.arguments.value(of: "only")
    let complaint = context.arguments.value(of: "complaint").flatMap { Complaint(rawValue: $0) }
    let families =
      complaint?.families
      ?? ProblemFamily.allCases.filter { context.arguments.values(of: "family").contains($0.id) }
    // What leads to what the user complains about is of any family.
    let causes =
      complaint == nil
      ? []
      : report.findings.filter { families.contains($0.diagnosis.family) }
        .compactMap { $0.explainedBy.map { report.findings[$0].diagnosis } }
    var found = Report.limited(report.findings) { problem in
      (families.isEmpty || families.contains(problem.family) || causes.contains(problem))
        && (only == nil || problem.isOver == (only == "over"))
    }
    let events = NamedEvents(of: found.map(\.diagnosis), in: journal.protectionHistory)
    if let days {
      found = Report.limited(found) { ProblemSpan($0, in: events, upTo: report).touches(days, $0) }
    }
    let asked = try complaint.map { (complaint) throws(Failure) in
      try ComplaintAnswers(complaint, journal, from: lower, upTo: report.last)
    }
    let standing = report.findings.map(\.diagnosis).filter { !$0.isOver }
    let hidden = standing.filter { problem in !found.contains { $0.diagnosis == problem } }
    let isWrongNow = !hidden.isEmpty || asked?.isFoundedNow ?? false
    let trouble = FindingNotes.exitCode(damage, report.obstacle)
    let isNothing = found.isEmpty && !(asked?.isFounded ?? false)
    let code: ExitCode = trouble != .done ? trouble : isNothing ? .done : .different
    let shown = found.map { ranked in
      Shown(
        ranked, command(ranked.diagnosis), ProblemSpan(ranked.diagnosis, in: events, upTo: report), events)
    }
    context.report { lines in
      lines.begin(Self.records, journal)
      lines.add(Self.finding, each: shown)
      if let asked {
        lines.add(Self.complaint, asked.complaint)
        lines.add(ComplaintAnswers.Row.record, each: asked.rows)
      }
      lines.add(Self.difference, each: differences)
      lines.end(Self.records, (report, found.count, standing.count, journal.path), code)
    } text: {
      context.output.foldForReading()
      print(shown, isWrongNow: isWrongNow)
      if found.isEmpty { printNothing(families, only, report.last) }
      printHidden(hidden)
      if report.leftOut > 0 {
        context.output.line("\(report.leftOut.grouped) milder problems are left out")
      }
      if let asked { print(asked) }
      print(differences)
    }
    note(report, damage)
    return code
  }

  /// What differs from a healthy journal, if one is named.
  private func contrast(_ report: Report, upTo upper: UInt64?) throws(Failure) -> [Contrast.Difference] {
    guard let path = context.arguments.value(of: "against") else { return [] }
    let good = try JournalInput(path, context.environment)
    try good.requireOwnDomain()
    journal.begin("comparing")
    return try Failure.translating(
      journal: path,
      try Contrast(of: journal.protectionHistory, upTo: upper, with: good.protectionHistory, problems: report.findings)
        .differences)
  }

  private func note(_ report: Report, _ damage: [Finding]) {
    guard let obstacle = report.obstacle else {
      // No finding is about what a newer program wrote.
      let newer = damage.filter { $0.verdict == .unsupportedFormat }
      guard !newer.isEmpty else { return }
      context.note("\(journal.path): \(FindingNotes.count(newer)). Next: \(FindingNotes.nextStep(newer, journal.path))")
      return
    }
    let failure = Failure(obstacle, journal: journal.path)
    context.note(
      "\(failure.message); nothing after event \(report.last) is judged. "
        + "Next: \(FindingNotes.nextStep(damage, journal.path, obstacle: obstacle))")
  }

  /// The command of a finding, with the journal's name. For damage, it is the one that every command names.
  private func command(_ diagnosis: Problem) -> String? {
    if diagnosis.family == .damagedJournal, let damage = try? journal.trust.findings() {
      let step = FindingNotes.nextStep(damage, journal.path)
      return step == FindingNotes.askAgain ? nil : step
    }
    return diagnosis.command.map { "pj " + $0.replacing("JOURNAL", with: journal.path.shellWord) }
  }

  /// A problem with what is known of its events.
  struct Shown {
    let ranked: Report.Ranked
    let command: String?
    let span: ProblemSpan
    let events: NamedEvents

    init(_ ranked: Report.Ranked, _ command: String?, _ span: ProblemSpan, _ events: NamedEvents) {
      (self.ranked, self.command, self.span, self.events) = (ranked, command, span, events)
    }
  }

  // MARK: Text

  /// A sentence with a capital at its beginning. An account's pseudonym, such as `a1`, stays as it is.
  static func capitalized(_ sentence: String) -> String {
    let word = sentence.prefix { $0.isLetter || $0.isNumber }
    let isPseudonym = word.first == "a" && word.count > 1 && word.dropFirst().allSatisfy(\.isNumber)
    return isPseudonym ? sentence : sentence.prefix(1).uppercased() + sentence.dropFirst()
  }

  private func printNothing(_ families: [ProblemFamily], _ only: String?, _ last: UInt64) {
    var what = only.map { $0 == "now" ? "nothing is wrong now, " : "nothing is over, " } ?? "nothing was found "
    if let days { what += "about \(CivilTime(nanoseconds: days.lowerBound).dateText) (UTC), " }
    let names = families.map(\.id)
    if !names.isEmpty {
      what += "of the \(names.count == 1 ? "family" : "families") \(names.joined(separator: ", ")), "
    }
    context.output.line(what + "up to event \(last)")
  }

  /// Names what holds at the end and was not asked for, so that a part of the answer is not taken for the whole.
  private func printHidden(_ hidden: [Problem]) {
    guard !hidden.isEmpty else { return }
    let names = ProblemFamily.allCases.filter { family in hidden.contains { $0.family == family } }.map(\.id)
    context.output.line()
    context.output.line("Not asked for, and wrong now: \(names.joined(separator: ", "))")
    context.output.commandLine("pj diagnose \(journal.path.shellWord) --only now", indented: 4)
  }

  /// Prints what the rules answered to the questions of a complaint.
  private func print(_ asked: ComplaintAnswers) {
    context.output.line()
    context.output.line(
      context.style.bold("Asked about \"\(asked.complaint.rawValue)\"") + ": \(asked.complaint.meaning)")
    if asked.rows.isEmpty { context.output.line("  no account is known, so that there is nothing to ask") }
    for row in asked.rows {
      let mark = row.change == nil ? "=" : "≠"
      context.output.line(
        "  \(mark)  " + TerminalText.visible(context.redaction.shown(sentence: row.words)), hanging: 7)
    }
    if !asked.rows.isEmpty, !asked.isFounded {
      context.output.line("No answer became a reason for this complaint.")
    }
  }

  /// Prints what holds at the end, and then what is over. A cause that is over stands with what it led to.
  ///
  /// - Parameter isWrongNow: Whether something is wrong now that is not among them.
  private func print(_ found: [Shown], isWrongNow: Bool) {
    let ranked = found.map(\.ranked)
    let standing = Set(ranked.indices.filter { !ranked[$0].diagnosis.isOver }.map { ranked[$0].explainedBy ?? $0 })
    let isNow = ranked.indices.map { standing.contains(ranked[$0].explainedBy ?? $0) }
    let now = found.indices.filter { isNow[$0] }
    let past = found.indices.filter { !isNow[$0] }
    for (place, index) in now.enumerated() {
      if place > 0 { context.output.line() }
      print(found[index], after: ranked)
    }
    guard !past.isEmpty else { return }
    if !now.isEmpty { context.output.line() }
    context.output.line((now.isEmpty && !isWrongNow ? "Nothing is wrong now. " : "") + "What is over:")
    for index in past {
      context.output.line()
      print(found[index], after: ranked)
    }
  }

  /// How a problem ended, if not simply so that it is right again.
  private static func words(_ kind: DiagnosisEnding.Kind) -> String {
    switch kind {
    case .recovered: ""
    case .replaced: " (another problem took its place)"
    case .wiped: " (the data was wiped)"
    case .abandoned: " (the app or its user gave up)"
    case .outOfSight: " (not seen again)"
    }
  }

  private func print(_ shown: Shown, after found: [Report.Ranked]) {
    let (ranked, diagnosis) = (shown.ranked, shown.ranked.diagnosis)
    let (output, style) = (context.output, context.style)
    let margin = ranked.explainedBy == nil ? "" : "    "
    let title =
      "\(diagnosis.severity.name.uppercased())  \(diagnosis.family.id)\(diagnosis.title.map { ": " + $0 } ?? "")  "
      + "(\(diagnosis.confidence.name))"
    let over = diagnosis.isOver ? diagnosis.until.map { "  over since event \($0)" } : nil
    let how = over.flatMap { _ in diagnosis.ending.map { Self.words($0.kind) } } ?? ""
    let led = ranked.explainedBy.flatMap { found.indices.contains($0) ? found[$0].diagnosis.family.id : nil }
    output.line(
      margin + style.bold(title) + (over ?? "") + how + (led.map { "  follows from \($0)" } ?? ""),
      hanging: margin.count + 4)
    let sentence = Self.capitalized(context.redaction.shown(sentence: diagnosis.sentence))
    output.line(margin + TerminalText.visible(sentence) + ".", hanging: margin.count)
    let versions = shown.events.versions(at: diagnosis)?.words.map { "; " + context.redaction.shown(sentence: $0) }
    if let span = shown.span.words {
      output.line(margin + "  " + TerminalText.visible(span + (versions ?? "")), hanging: margin.count + 4)
    }
    for episode in ProblemSpan.words(of: diagnosis, about: days) {
      output.line(margin + "  " + episode, hanging: margin.count + 4)
    }
    for (place, evidence) in diagnosis.evidence.enumerated() {
      let mark = place == 0 ? "  ← decides" : ""
      output.line(
        margin + "  " + TerminalText.visible(text(of: evidence, shown.events)) + mark, hanging: margin.count + 4)
    }
    output.line(
      margin + "  next: \(TerminalText.visible(context.redaction.shown(sentence: diagnosis.next)))",
      hanging: margin.count + 4)
    if let command = shown.command { output.commandLine(command, indented: margin.count + 8) }
    output.line(margin + style.dim("  page: \(diagnosis.family.page)"))
  }

  /// `28  2026-10-06T08:31:00Z  a2 is refused (enrollment.failed)`.
  private func text(of evidence: DiagnosisEvidence, _ events: NamedEvents) -> String {
    let facts = events[evidence.sequence]
    let moment = evidence.moment ?? facts?.moment
    let known = [facts?.type, facts?.told?.words].compactMap { $0 }.joined(separator: ": ")
    return [
      evidence.sequence.map { "\($0)" } ?? "–", moment.map { ProblemSpan.time($0).text },
      context.redaction.shown(sentence: evidence.text)
        + (known.isEmpty ? "" : " (\(context.redaction.shown(sentence: known)))"),
    ].compactMap { $0 }.joined(separator: "  ")
  }

  private func print(_ differences: [Contrast.Difference]) {
    guard let path = context.arguments.value(of: "against") else { return }
    context.output.line()
    guard !differences.isEmpty else {
      context.output.line("nothing differs from \(TerminalText.visible(path)) in kind")
      return
    }
    context.output.line(context.style.bold("What differs from \(TerminalText.visible(path))"))
    var table = TextTable([
      TextColumn(""), TextColumn("event", .right), TextColumn("here", .right), TextColumn("there", .right),
      TextColumn("what"),
    ])
    for difference in differences.prefix(Self.maximumDifferences) {
      table.append([
        TextCell(difference.kind.rawValue), TextCell(difference.first.map { "\($0)" } ?? "–"),
        TextCell(TerminalText.visible(difference.here)), TextCell(TerminalText.visible(difference.there)),
        TextCell(TerminalText.visible(difference.text) + (difference.family.map { "  ← \($0)" } ?? "")),
      ])
    }
    context.print(table)
    let rest = differences.count - Self.maximumDifferences
    if rest > 0 { context.output.line("\(rest) more; -j lists all") }
  }

  /// Lists the families.
  static func printFamilies(_ context: CommandContext) {
    context.report { lines in
      lines.begin(records, nil)
      lines.add(family, each: ProblemFamily.allCases)
      lines.end(records, nil, .done)
    } text: {
      printFamilyTable(context)
    }
  }

  private static func printFamilyTable(_ context: CommandContext) {
    var table = TextTable([TextColumn("family"), TextColumn("severity"), TextColumn("what is wrong")])
    for family in ProblemFamily.allCases {
      table.append([TextCell(family.id), TextCell(family.severity.name), TextCell(family.title)])
    }
    context.print(table)
  }
}

extension JournalInput {
  /// The problems of a stretch of the history; a policy's own contradictions are those that lint finds.
  ///
  /// - Parameters:
  ///   - lower: Problems that ended before this event are left out.
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - damage: What was found about the journal's bytes.
  func diagnosis(
    from lower: UInt64, upTo upper: UInt64?, damage: [Finding]
  ) throws(Failure) -> HistoryDiagnosis<AppProtectionMachine> {
    begin("diagnosing")
    return try Failure.translating(
      journal: path,
      try HistoryDiagnosis(
        of: protectionHistory, from: lower, upTo: upper, damage: damage,
        by: AppProtectionExamination(contradictions: PolicyLint.contradictions)))
  }
}
