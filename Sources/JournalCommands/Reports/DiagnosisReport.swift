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

/// The results of `pj diagnose`.
struct DiagnosisReport {
  private typealias Report = HistoryDiagnosis<AppProtectionMachine>

  private typealias Contrast = HistoryContrast<AppProtectionMachine>

  /// The most differences from a healthy journal that are shown as text.
  private static let maximumDifferences = 20

  private let journal: JournalInput
  private let context: CommandContext

  init(_ journal: JournalInput, _ context: CommandContext) {
    (self.journal, self.context) = (journal, context)
  }

  /// Judges a stretch of the history, and prints what was found.
  func print(from lower: UInt64, upTo upper: UInt64?) throws(Failure) -> ExitCode {
    let damage = try journal.trust.findings() + journal.trust.lossesAround(from: lower, upTo: upper)
    let report = try journal.diagnosis(from: lower, upTo: upper, damage: damage)
    let differences = try contrast(report, upTo: upper)
    let families = Set(ProblemFamily.allCases.filter { context.arguments.values(of: "family").contains($0.id) })
    let only = context.arguments.value(of: "only")
    let found = Report.limited(report.findings) { problem in
      (families.isEmpty || families.contains(problem.family)) && (only == nil || problem.isOver == (only == "over"))
    }
    let trouble = FindingNotes.exitCode(damage, report.obstacle)
    let code: ExitCode = trouble != .done ? trouble : found.isEmpty ? .done : .different
    context.report { lines in
      lines.begin(Self.records, journal)
      lines.add(Self.finding, each: found.map { ($0, command($0.diagnosis)) })
      lines.add(Self.difference, each: differences)
      lines.end(Self.records, (report, found.count, journal.path), code)
    } text: {
      print(found)
      if found.isEmpty {
        let what = only.map { $0 == "now" ? "nothing is wrong now, " : "nothing is over, " } ?? "nothing was found "
        context.output.line(what + "up to event \(report.last)")
      }
      if report.leftOut > 0 {
        context.output.line("\(report.leftOut.grouped) milder problems are left out")
      }
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
      try Contrast(of: journal.history, upTo: upper, with: good.history, problems: report.findings).differences)
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

  // MARK: Text

  /// A sentence with a capital at its beginning. An account's pseudonym, such as `a1`, stays as it is.
  static func capitalized(_ sentence: String) -> String {
    let word = sentence.prefix { $0.isLetter || $0.isNumber }
    let isPseudonym = word.first == "a" && word.count > 1 && word.dropFirst().allSatisfy(\.isNumber)
    return isPseudonym ? sentence : sentence.prefix(1).uppercased() + sentence.dropFirst()
  }

  /// Prints what holds at the end, and then what is over. A cause that is over stands with what it led to.
  private func print(_ found: [Report.Ranked]) {
    let standing = Set(found.indices.filter { !found[$0].diagnosis.isOver }.map { found[$0].explainedBy ?? $0 })
    let isNow = found.indices.map { standing.contains(found[$0].explainedBy ?? $0) }
    let now = found.indices.filter { isNow[$0] }
    let past = found.indices.filter { !isNow[$0] }
    for (place, index) in now.enumerated() {
      if place > 0 { context.output.line() }
      print(found[index], after: found)
    }
    guard !past.isEmpty else { return }
    if now.isEmpty {
      context.output.line("Nothing is wrong now. What is over:")
    } else {
      context.output.line()
      context.output.line("What is over:")
    }
    for index in past {
      context.output.line()
      print(found[index], after: found)
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

  private func print(_ ranked: Report.Ranked, after found: [Report.Ranked]) {
    let (diagnosis, output, style) = (ranked.diagnosis, context.output, context.style)
    let margin = ranked.explainedBy == nil ? "" : "    "
    let title =
      "\(diagnosis.severity.name.uppercased())  \(diagnosis.family.id)\(diagnosis.title.map { ": " + $0 } ?? "")  "
      + "(\(diagnosis.confidence.name))"
    let over = diagnosis.isOver ? diagnosis.until.map { "  over since event \($0)" } : nil
    let how = over.flatMap { _ in diagnosis.ending.map { Self.words($0.kind) } } ?? ""
    let led = ranked.explainedBy.flatMap { found.indices.contains($0) ? found[$0].diagnosis.family.id : nil }
    output.line(margin + style.bold(title) + (over ?? "") + how + (led.map { "  follows from \($0)" } ?? ""))
    let sentence = Self.capitalized(context.redaction.shown(sentence: diagnosis.sentence))
    output.line(margin + TerminalText.visible(sentence) + ".", hanging: margin.count)
    for (place, evidence) in diagnosis.evidence.enumerated() {
      let event = evidence.sequence.map { "\($0)" } ?? "–"
      let mark = place == 0 ? "  ← decides" : ""
      output.line(
        margin + "  \(event)  \(TerminalText.visible(context.redaction.shown(sentence: evidence.text)))\(mark)",
        hanging: margin.count + 4)
    }
    output.line(
      margin + "  next: \(TerminalText.visible(context.redaction.shown(sentence: diagnosis.next)))",
      hanging: margin.count + 4)
    if let command = command(diagnosis) { output.line(margin + "        \(command)") }
    output.line(margin + style.dim("  page: \(diagnosis.family.page)"))
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
      TextColumn(""), TextColumn("event", .right), TextColumn("what", maximumWidth: 80), TextColumn("here", .right),
      TextColumn("there", .right), TextColumn(""),
    ])
    for difference in differences.prefix(Self.maximumDifferences) {
      table.append([
        TextCell(difference.kind.rawValue), TextCell(difference.first.map { "\($0)" } ?? "–"),
        TextCell(TerminalText.visible(difference.text)), TextCell(TerminalText.visible(difference.here)),
        TextCell(TerminalText.visible(difference.there)), TextCell(difference.family.map { "← \($0)" } ?? ""),
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

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<JournalInput, End>(
    "diagnose", start: [.init("journal", \.path)], [finding, difference, family],
    end: [
      .init("findings", \.findings), .init("leftOut", \.report.leftOut), .init("judgedUpTo", \.report.last),
      .init("notJudged") { end in end.report.obstacle.map { Failure($0, journal: end.path).message } },
    ])

  /// What the last record is about.
  typealias End = (report: HistoryDiagnosis<AppProtectionMachine>, findings: Int, path: String)

  private static let finding = JSONRecord<(ranked: Report.Ranked, command: String?)>(
    "finding",
    [
      .init("family", \.ranked.diagnosis.family.id), .init("severity", \.ranked.diagnosis.severity.name),
      .init("subject") { $0.ranked.diagnosis.subject.map { RedactedText.sentence($0) } },
      .init("sentence") { RedactedText.sentence($0.ranked.diagnosis.sentence) },
      .init("evidence", each: evidence, \.ranked.diagnosis.evidence),
      .init("confidence", \.ranked.diagnosis.confidence.name),
      .init("next") { RedactedText.sentence($0.ranked.diagnosis.next) }, .init("command", \.command),
      .init("page", \.ranked.diagnosis.family.page), .init("until", \.ranked.diagnosis.until),
      .init("explainedBy", \.ranked.explainedBy),
      .init("state", oneOf: ["now", "over"]) { $0.ranked.diagnosis.isOver ? "over" : "now" },
      .init("time") { $0.ranked.diagnosis.decidingMoment.map(time) },
      .init("ending", orNull: ending, \.ranked.diagnosis.ending),
      .init("episodeCount", \.ranked.diagnosis.episodeCount),
      .init("episodes", each: episode, \.ranked.diagnosis.episodes),
    ])

  private static func time(_ moment: Moment) -> CivilTime { CivilTime(nanoseconds: moment.wallNanoseconds) }

  private static let ending: [JSONMember<DiagnosisEnding>] = [
    .init("how", \.kind), .init("event", \.event.sequence), .init("time") { time($0.event.moment) },
  ]

  private static let episode: [JSONMember<DiagnosisEpisode>] = [
    .init("event") { $0.first.sequence == 0 ? nil : $0.first.sequence }, .init("time") { time($0.first.moment) },
    .init("lastEvent", \.last.sequence), .init("lastTime") { time($0.last.moment) }, .init("times", \.count),
    .init("ending", orNull: ending, \.ending),
  ]

  private static let evidence: [JSONMember<DiagnosisEvidence>] = [
    .init("event", \.sequence), .init("text") { RedactedText.sentence($0.text) },
    .init("time") { $0.moment.map(time) },
  ]

  private static let difference = JSONRecord<Contrast.Difference>(
    "difference",
    [
      .init("what", \.kind.rawValue), .init("text", \.text), .init("event", \.first), .init("here", \.here),
      .init("there", \.there), .init("family", \.family),
    ])

  private static let family = JSONRecord<ProblemFamily>(
    "family",
    [
      .init("family", \.id), .init("title", \.title), .init("severity", \.severity.name), .init("page", \.page),
    ])
}

extension DiagnosisEnding.Kind: JSONWord {}

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
        of: history, from: lower, upTo: upper, damage: damage,
        by: AppProtectionExamination(contradictions: PolicyLint.contradictions)))
  }
}
