import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// The results of `pj explain`.
struct ExplainReport {
  private typealias Answers = AnswerHistory<AppProtectionMachine>

  private let question: QuestionText<AppProtectionMachine>
  private let end: TrustedState
  private let context: CommandContext

  /// `end` is the state to ask.
  init(_ question: QuestionText<AppProtectionMachine>, _ end: TrustedState, _ context: CommandContext) {
    (self.question, self.end, self.context) = (question, end, context)
  }

  /// Answers the question, or lists every answer.
  func print() throws(Failure) -> ExitCode {
    let journal = end.journal
    var explanation = Explanation(recording: true)
    var answers: Answers
    let answer: QuestionAnswer
    let isListing = context.arguments.flag("when")
    let moment: Moment
    journal.begin("answering")
    do throws(HistoryError) {
      moment = try journal.states.moment(near: end.sequence)
      answer = AppProtectionMachine.answer(
        question.question, in: end.state, at: moment, explanation: &explanation)
      let start = try journal.states.beginning(after: 0)
      context.begin(Self.records, self)
      answers = try Answers(
        of: question.question, in: journal.history, from: start.state, after: (start.sequence, start.moment),
        upTo: end.sequence,
        writersOf: isListing ? [] : Set(explanation.steps.flatMap { $0.reads.map(\.path) })
      ) { if isListing { show($0) } }
    } catch {
      throw Failure(error, journal: journal.path)
    }
    if !isListing {
      show(answer, explanation.steps, answers)
      show(
        Advice<AppProtectionMachine>(
          for: question.question, in: end.state, at: moment, instead: answer, explanation.steps), answer)
    }
    context.end(Self.records, answers.count, end.exitCode, of: [journal])
    end.note(context)
    JournalSeeking.note(journal, in: context)
    return end.exitCode
  }

  /// What `-j` writes.
  static let records = JSONOutput<ExplainReport, UInt64>(
    "explain", start: TrustedState.place.of(\.end) + [.init("question", \.question.text)],
    [rule, answer, change, interval], end: [.init("intervals") { $0 }])

  /// What a rule read, the event that set it, and the setting that it is.
  private typealias Read = (read: Explanation.Read, writer: UInt64?, setting: SettingWording?)

  private static let rule = JSONRecord<(step: Explanation.Step, reads: [Read])>(
    "rule",
    [
      .init("rule", \.step.rule), .init("statement", \.step.statement), .init("holds", \.step.holds),
      .init("decides", \.step.decides), .init("reads", each: read, \.reads),
    ])

  private static let read: [JSONMember<Read>] = [
    .init("path") { RedactedText.statePath($0.read.path) }, .init("value", \.read.value), .init("setBy", \.writer),
    .init("setting", orNull: setting, \.setting),
  ]

  private static let setting: [JSONMember<SettingWording>] = [
    .init("group", \.group), .init("title", \.title), .init("value", \.value),
  ]

  private static let answer = JSONRecord<(answer: QuestionAnswer, history: Answers, isWhole: Bool)>(
    "answer",
    QuestionAnswer.members.of(\.answer) + [
      .init("since", \.history.firstWithAnswer.first),
      .init("sinceIsComplete") { !$0.history.firstWithAnswer.type.isEmpty || $0.isWhole },
      .init("before", orNull: QuestionAnswer.members, \.history.previous?.answer),
    ])

  private static let change = JSONRecord<Advice<AppProtectionMachine>.Item>(
    "change",
    [
      .init("texts", \.texts), .init("kinds", \.kinds), .init("answer", \.answer.name),
      .init("rule", \.answer.rule), .init("reason", \.answer.reason),
    ])

  private static let interval = JSONRecord<Answers.Interval>(
    "interval",
    [
      .init("from", \.first), .init("to", \.last), .init("type") { $0.type.isEmpty ? nil : $0.type },
      .init("time") { $0.wallNanoseconds.map { CivilTime(nanoseconds: $0) } },
    ] + QuestionAnswer.members.of(\.answer))

  private func show(_ answer: QuestionAnswer, _ steps: [Explanation.Step], _ answers: Answers) {
    context.report { lines in
      lines.add(
        Self.rule,
        each: steps.map { step in
          (step, step.reads.map { ($0, answers.writers[$0.path], wording($0)) })
        })
      lines.add(Self.answer, (answer, answers, beginning == nil))
    } text: {
      showText(answer, steps, answers)
    }
  }

  private func showText(_ answer: QuestionAnswer, _ steps: [Explanation.Step], _ answers: Answers) {
    let output = context.output
    let values = ValueText(context.redaction)
    output.line(context.style.bold(TerminalText.visible(answer.name)) + "  " + because(answer))
    var table = TextTable([
      TextColumn("", .right), TextColumn(""), TextColumn("", maximumWidth: 70), TextColumn("", maximumWidth: 70),
      TextColumn("", .right), TextColumn("", maximumWidth: 60), TextColumn(""),
    ])
    for (index, step) in steps.enumerated() {
      let mark = step.holds ? "✓" : "✗"
      let decides = step.decides ? "← decides" : ""
      let reads = step.reads.isEmpty ? [nil] : step.reads.map(Optional.some)
      for (line, read) in reads.enumerated() {
        table.append([
          TextCell(line == 0 ? String(index + 1) : ""), TextCell(line == 0 ? mark : ""),
          TextCell(line == 0 ? TerminalText.visible(step.statement) : ""),
          TextCell(
            read.map {
              TerminalText.visible("\(values.redaction.shown(statePath: $0.path)) = \(values.text($0.value))")
            } ?? "", [.dim]),
          TextCell(read.flatMap { answers.writers[$0.path] }.map { String($0) } ?? ""),
          TextCell(read.flatMap(wording).map { TerminalText.visible("\($0.title): \($0.value)") } ?? "", [.dim]),
          TextCell(line == 0 ? decides : ""),
        ])
      }
    }
    context.print(table)
    let first = answers.firstWithAnswer
    output.line(
      first.type.isEmpty
        ? "The answer was never another one \(beginning == nil ? "up to here" : "since event \(first.first)")."
        : "First event with this answer: \(first.first) \(first.type), \(time(first)).")
    if let previous = answers.previous {
      output.line("Before, it was \(previous.answer.name): \(because(previous.answer)).")
    }
    if let assumption = answer.assumption {
      output.line("It rests on the assumption \(assumption), which settles what no source publishes.")
    }
  }

  /// A setting in the words of the administration portal, unless these may name a person.
  private func wording(_ read: Explanation.Read) -> SettingWording? {
    guard let wording = AppProtectionMachine.wording(of: read, in: end.state),
      context.redaction.shows(text: wording.value)
    else { return nil }
    return wording
  }

  /// What to change to get another answer.
  private func show(_ advice: Advice<AppProtectionMachine>, _ answer: QuestionAnswer) {
    let items = advice.items.filter { $0.texts.allSatisfy { context.redaction.shows(text: $0) } }
    context.show(Self.change, each: items) { showText(items, advice) }
  }

  private func showText(_ items: [Advice<AppProtectionMachine>.Item], _ advice: Advice<AppProtectionMachine>) {
    guard !items.isEmpty else {
      context.output.line(
        "No change of a setting or of the device that was tried leads to another answer (\(advice.triedCount) tried).")
      return
    }
    context.output.line("To get another answer\(items.count > 1 ? ", one of" : ""):")
    for item in items {
      context.output.line(
        TerminalText.visible("  \(item.texts.joined(separator: ", and ")): \(item.answer.name)"), hanging: 4)
    }
  }

  private func because(_ answer: QuestionAnswer) -> String {
    TerminalText.visible(answer.reason + (answer.rule.map { " (\($0))" } ?? ""))
  }

  private func time(_ interval: Answers.Interval) -> String {
    interval.wallNanoseconds.map { CivilTime(nanoseconds: $0).text } ?? beginning ?? "before the first event"
  }

  /// What is said of the time before the events that are kept; `nil` where all are.
  private var beginning: String? {
    end.journal.history.firstSequence > 1 ? "before the events that are kept" : nil
  }

  /// One answer of the list.
  private func show(_ interval: Answers.Interval) {
    context.show(Self.interval, interval) { showText(interval) }
  }

  private func showText(_ interval: Answers.Interval) {
    let range = interval.first == 0 && interval.last == 0 ? "start" : "\(interval.first)–\(interval.last)"
    let cells = [
      (range, 2 * "\(end.sequence)".count + 1), (time(interval), max(beginning?.count ?? 0, 22)),
      (interval.answer.name, question.answers?.names.map(\.count).max() ?? 0),
    ]
    let columns = cells.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
    context.output.line((columns + [because(interval.answer)]).joined(separator: "  "), hanging: 4)
  }
}
