import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// The results of `pj diagnose`.
struct DiagnosisReport {
  /// The most differences from a healthy journal that are shown as text.
  static let maximumDifferences = 20

  let journal: JournalInput
  let context: CommandContext
  /// The days that problems must touch, in nanoseconds since 1970-01-01T00:00:00Z; `nil` for any.
  let days: Range<Int64>?
  /// The complaints of the domain's users; `nil` for a domain that knows none.
  let complaints: (any ComplaintBook)?

  init(
    _ journal: JournalInput, about days: Range<Int64>?, _ complaints: (any ComplaintBook)?, _ context: CommandContext
  ) {
    (self.journal, self.days, self.complaints, self.context) = (journal, days, complaints, context)
  }

  /// Every kind of problem that the domain knows.
  private var kinds: [ProblemKind] { journal.domain.diagnostics?.families ?? [] }

  /// Judges a stretch of the history, and prints what was found.
  func print(from lower: UInt64, upTo upper: UInt64?) throws(Failure) -> ExitCode {
    let damage = try journal.trust.findings() + journal.trust.lossesAround(from: lower, upTo: upper)
    guard let report = try journal.diagnosis(from: lower, upTo: upper, damage: damage) else { return .bug }
    let differences = try contrast(report, upTo: upper)
    let only = context.arguments.value(of: "only")
    let complaint = complaints == nil ? nil : context.arguments.value(of: "complaint")
    let wanted = complaint.flatMap { complaints?.families(of: $0) }
    let families =
      wanted.map { ids in ids.compactMap { id in kinds.first { $0.id == id } } }
      ?? kinds.filter { context.arguments.values(of: "family").contains($0.id) }
    // What leads to what the user complains about is of any family.
    let causes =
      complaint == nil
      ? []
      : report.problems.filter { families.contains($0.problem.kind) }
        .compactMap { $0.explainedBy.map { report.problems[$0].problem } }
    var found = report.problems.limited { problem in
      (families.isEmpty || families.contains(problem.kind) || causes.contains(problem))
        && (only == nil || problem.isOver == (only == "over"))
    }
    let events = NamedEvents(of: found.map(\.problem), in: journal)
    if let days {
      found = found.limited { ProblemSpan($0, in: events, upTo: report).touches(days, $0) }
    }
    let asked = try complaint.flatMap { (complaint) throws(Failure) in
      try complaints?.ask(complaint, of: journal, from: lower, upTo: report.last)
    }
    let standing = report.problems.map(\.problem).filter { !$0.isOver }
    let hidden = standing.filter { problem in !found.contains { $0.problem == problem } }
    let isWrongNow = !hidden.isEmpty || asked?.isFoundedNow ?? false
    let trouble = FindingNotes.exitCode(damage, report.obstacle)
    let isNothing = found.isEmpty && !(asked?.isFounded ?? false)
    let code: ExitCode = trouble != .done ? trouble : isNothing ? .done : .different
    let isPage = context.arguments.isGiven("format")
    let shown = found.map { ranked in
      Shown(
        ranked, command(ranked.problem, naming: isPage ? name : journal.path),
        ProblemSpan(ranked.problem, in: events, upTo: report), events)
    }
    if isPage {
      let page = page(
        shown, asked, differences, report,
        notes: [
          found.isEmpty ? Self.capitalized(nothing(families, only, report.last)) + "." : nil,
          notAskedFor(hidden).map { $0 + "." },
          report.leftOut > 0 ? "\(report.leftOut.grouped) milder problems are left out." : nil,
          self.trouble(report, damage, naming: name).map { "\($0.what)." },
        ].compactMap(\.self))
      context.output.leaveLinesWhole()
      context.output.write(page)
      note(report, damage)
      return code
    }
    context.report { lines in
      let records = Self.records(with: complaints)
      lines.begin(records, journal)
      lines.add(Self.finding, each: shown)
      asked?.add(to: lines)
      lines.add(Self.difference, each: differences)
      lines.end(records, (report, found.count, standing.count, journal.path), code)
    } text: {
      context.output.foldForReading()
      print(shown, isWrongNow: isWrongNow)
      if found.isEmpty { context.output.line(nothing(families, only, report.last)) }
      if let words = notAskedFor(hidden) {
        context.output.line()
        context.output.line(words)
        context.output.commandLine("\(Tool.name) diagnose \(journal.path.shellWord) --only now", indented: 4)
      }
      if report.leftOut > 0 {
        context.output.line("\(report.leftOut.grouped) milder problems are left out")
      }
      asked?.print(context)
      print(differences)
    }
    note(report, damage)
    return code
  }

  /// What differs from a healthy journal, if one is named.
  private func contrast(_ report: FoundProblems, upTo upper: UInt64?) throws(Failure) -> [HistoryDifference] {
    guard let path = context.arguments.value(of: "against") else { return [] }
    let good = try JournalInput(path, context.environment)
    try good.requireOwnDomain()
    journal.begin("comparing")
    return try Failure.translating(journal: path, try report.contrast(journal.history, upper, good.history))
  }

  private func note(_ report: FoundProblems, _ damage: [Finding]) {
    guard let trouble = trouble(report, damage, naming: journal.path) else { return }
    context.note("\(trouble.what). Next: \(trouble.next)")
  }

  /// What keeps a part of the history from being judged, with the journal's name, and the next step; `nil` if nothing does.
  private func trouble(
    _ report: FoundProblems, _ damage: [Finding], naming name: String
  ) -> (what: String, next: String)? {
    guard let obstacle = report.obstacle else {
      // No finding is about what a newer program wrote.
      let newer = damage.filter { $0.verdict == .unsupportedFormat }
      guard !newer.isEmpty else { return nil }
      return ("\(name): \(FindingNotes.count(newer))", FindingNotes.nextStep(newer, journal.path))
    }
    return (
      "\(Self.message(of: obstacle, at: journal.path, naming: name)); nothing after event \(report.last) is judged",
      FindingNotes.nextStep(damage, journal.path, obstacle: obstacle)
    )
  }

  /// What keeps the history from being judged, with a name in place of the journal's path.
  static func message(of obstacle: HistoryError, at path: String, naming name: String) -> String {
    // An error may name a file with the folders above the journal.
    guard case .journal(let error) = obstacle, let file = error.file, name != path else {
      return Failure(obstacle, journal: name).message
    }
    let place = file == path ? name : "\(name): \(file.split(separator: "/").last ?? "")"
    return place + "\(error)".dropFirst(file.count)
  }

  /// The command of a finding, with the journal's name. For damage, it is the one that every command names.
  private func command(_ problem: FoundProblem, naming name: String) -> String? {
    if problem.kind.isOfBytes, let damage = try? journal.trust.findings() {
      let step = FindingNotes.nextStep(damage, journal.path, named: name)
      return step == FindingNotes.askAgain ? nil : step
    }
    return problem.command.map { "\(Tool.name) " + $0.replacing("JOURNAL", with: name.shellWord) }
  }

  /// A problem with what is known of its events.
  struct Shown {
    let ranked: RankedProblem
    let command: String?
    let span: ProblemSpan
    let events: NamedEvents

    init(_ ranked: RankedProblem, _ command: String?, _ span: ProblemSpan, _ events: NamedEvents) {
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

  private func nothing(_ families: [ProblemKind], _ only: String?, _ last: UInt64) -> String {
    var what = only.map { $0 == "now" ? "nothing is wrong now, " : "nothing is over, " } ?? "nothing was found "
    if let days { what += "about \(CivilTime(nanoseconds: days.lowerBound).dateText) (UTC), " }
    let names = families.map(\.id)
    if !names.isEmpty {
      what += "of the \(names.count == 1 ? "family" : "families") \(names.joined(separator: ", ")), "
    }
    return what + "up to event \(last)"
  }

  /// Names what holds at the end and was not asked for, so that a part of the answer is not taken for the whole.
  private func notAskedFor(_ hidden: [FoundProblem]) -> String? {
    guard !hidden.isEmpty else { return nil }
    let names = kinds.filter { kind in hidden.contains { $0.kind == kind } }.map(\.id)
    return "Not asked for, and wrong now: \(names.joined(separator: ", "))"
  }

  /// Prints what holds at the end, and then what is over. A cause that is over stands with what it led to.
  ///
  /// - Parameter isWrongNow: Whether something is wrong now that is not among them.
  private func print(_ found: [Shown], isWrongNow: Bool) {
    let ranked = found.map(\.ranked)
    let (now, past) = Self.parts(of: ranked)
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

  /// The places of problems that hold at the end, with their causes and effects, and of those that are over.
  static func parts(of ranked: [RankedProblem]) -> (now: [Int], past: [Int]) {
    let standing = Set(ranked.indices.filter { !ranked[$0].problem.isOver }.map { ranked[$0].explainedBy ?? $0 })
    let isNow = ranked.indices.map { standing.contains(ranked[$0].explainedBy ?? $0) }
    return (ranked.indices.filter { isNow[$0] }, ranked.indices.filter { !isNow[$0] })
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

  private func print(_ shown: Shown, after found: [RankedProblem]) {
    let (ranked, diagnosis) = (shown.ranked, shown.ranked.problem)
    let (output, style) = (context.output, context.style)
    let margin = ranked.explainedBy == nil ? "" : "    "
    let title =
      "\(diagnosis.severity.name.uppercased())  \(diagnosis.kind.id)\(diagnosis.title.map { ": " + $0 } ?? "")  "
      + "(\(diagnosis.confidence.name))"
    let over = Self.ending(of: diagnosis).map { "  " + $0 } ?? ""
    let led = ranked.explainedBy.flatMap { found.indices.contains($0) ? found[$0].problem.kind.id : nil }
    output.line(
      margin + style.bold(title) + over + (led.map { "  follows from \($0)" } ?? ""),
      hanging: margin.count + 4)
    let sentence = Self.capitalized(context.redaction.shown(sentence: diagnosis.sentence))
    output.line(margin + TerminalText.visible(sentence) + ".", hanging: margin.count)
    if let span = span(of: shown) {
      output.line(margin + "  " + TerminalText.visible(span), hanging: margin.count + 4)
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
    output.line(margin + style.dim("  page: \(diagnosis.kind.page)"))
  }

  /// `over since event 44 (the data was wiped)`; `nil` for what holds at the end.
  static func ending(of problem: FoundProblem) -> String? {
    guard problem.isOver, let until = problem.until else { return nil }
    return "over since event \(until)" + (problem.ending.map { words($0.kind) } ?? "")
  }

  /// From when to when a problem was seen, with the versions that were in force.
  func span(of shown: Shown) -> String? {
    let versions = shown.events.versions(at: shown.ranked.problem)?.words(in: journal.domain)
    return shown.span.words.map { $0 + (versions.map { "; " + context.redaction.shown(sentence: $0) } ?? "") }
  }

  /// `28  2026-10-06T08:31:00Z  a2 is refused (enrollment.failed)`.
  private func text(of evidence: DiagnosisEvidence, _ events: NamedEvents) -> String {
    let (moment, words) = parts(of: evidence, events)
    return [evidence.sequence.map { "\($0)" } ?? "–", moment.map { ProblemSpan.time($0).text }, words]
      .compactMap { $0 }.joined(separator: "  ")
  }

  /// When a piece of evidence was recorded, and what it shows.
  func parts(of evidence: DiagnosisEvidence, _ events: NamedEvents) -> (moment: Moment?, words: String) {
    let facts = events[evidence.sequence]
    let known = [facts?.type, facts?.versions?.words(in: journal.domain)].compactMap { $0 }.joined(separator: ": ")
    return (
      evidence.moment ?? facts?.moment,
      context.redaction.shown(sentence: evidence.text)
        + (known.isEmpty ? "" : " (\(context.redaction.shown(sentence: known)))")
    )
  }

  private func print(_ differences: [HistoryDifference]) {
    guard let path = context.arguments.value(of: "against") else { return }
    context.output.line()
    guard !differences.isEmpty else {
      context.output.line("nothing differs from \(TerminalText.visible(path)) in kind")
      return
    }
    context.output.line(context.style.bold("What differs from \(TerminalText.visible(path))"))
    func shown(_ text: String) -> String { TerminalText.visible(context.redaction.shown(sentence: text)) }
    var table = TextTable([
      TextColumn(""), TextColumn("event", .right), TextColumn("here", .right), TextColumn("there", .right),
      TextColumn("what"),
    ])
    for difference in differences.prefix(Self.maximumDifferences) {
      table.append([
        TextCell(difference.kind.rawValue), TextCell(difference.first.map { "\($0)" } ?? "–"),
        TextCell(shown(difference.here)), TextCell(shown(difference.there)),
        TextCell(shown(difference.text) + (difference.family.map { "  ← \($0)" } ?? "")),
      ])
    }
    context.print(table)
    let rest = differences.count - Self.maximumDifferences
    if rest > 0 { context.output.line("\(rest) more; -j lists all") }
  }

  /// Lists the families.
  static func printFamilies(_ complaints: (any ComplaintBook)?, _ context: CommandContext) {
    let families = context.environment.tool.domain.diagnostics?.families ?? []
    context.report { lines in
      let records = records(with: complaints)
      lines.begin(records, nil)
      lines.add(family, each: families)
      lines.end(records, nil, .done)
    } text: {
      var table = TextTable([TextColumn("family"), TextColumn("severity"), TextColumn("what is wrong")])
      for family in families {
        table.append([TextCell(family.id), TextCell(family.severity.name), TextCell(family.title)])
      }
      context.print(table)
    }
  }
}
