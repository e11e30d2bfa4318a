import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
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
      moment = try journal.moment(near: end.sequence)
      answer = AppProtectionMachine.answer(
        question.question, in: end.state, at: moment, explanation: &explanation)
      let start = try journal.beginning(after: 0)
      begin()
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
    if context.isJSON {
      context.output.line(
        .endRecord(end.exitCode, [.init("intervals", .number(answers.count))] + JournalSeeking.members(journal)))
    }
    end.note(context)
    JournalSeeking.note(journal, in: context)
    return end.exitCode
  }

  private func begin() {
    guard context.isJSON else { return }
    context.output.line(
      .startRecord(
        "explain",
        [
          .init("journal", .string(end.journal.path)), .init("after", .number(end.sequence)),
          .init("question", .string(question.text)),
        ]))
  }

  private func show(_ answer: QuestionAnswer, _ steps: [Explanation.Step], _ answers: Answers) {
    guard !context.isJSON else { return showJSON(answer, steps, answers) }
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
    guard !context.isJSON else {
      for item in items {
        context.output.line(
          .record(
            "change",
            [
              .init("texts", .array(item.texts.map { .string($0) })),
              .init("kinds", .array(item.kinds.map { .string($0) })), .init("answer", .string(item.answer.name)),
              .init("rule", item.answer.rule.map(JSONValue.string) ?? .null),
              .init("reason", .string(item.answer.reason)),
            ]))
      }
      return
    }
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
    guard !context.isJSON else {
      context.output.line(
        .record(
          "interval",
          [
            .init("from", .number(interval.first)), .init("to", .number(interval.last)),
            .init("type", interval.type.isEmpty ? .null : .string(interval.type)),
            .init(
              "time",
              interval.wallNanoseconds.map { .string(CivilTime(nanoseconds: $0).text) } ?? .null),
          ] + members(interval.answer)))
      return
    }
    let range = interval.first == 0 && interval.last == 0 ? "start" : "\(interval.first)–\(interval.last)"
    let cells = [
      (range, 2 * "\(end.sequence)".count + 1), (time(interval), max(beginning?.count ?? 0, 22)),
      (interval.answer.name, question.answers?.names.map(\.count).max() ?? 0),
    ]
    let columns = cells.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
    context.output.line((columns + [because(interval.answer)]).joined(separator: "  "), hanging: 4)
  }

  private func members(_ answer: QuestionAnswer) -> [JSONObject.Member] {
    [
      .init("answer", .string(answer.name)), .init("rule", answer.rule.map(JSONValue.string) ?? .null),
      .init("reason", .string(answer.reason)), .init("assumption", answer.assumption.map(JSONValue.string) ?? .null),
    ]
  }

  private func showJSON(_ answer: QuestionAnswer, _ steps: [Explanation.Step], _ answers: Answers) {
    let json = ValueJSON(context.redaction)
    for step in steps {
      context.output.line(
        .record(
          "rule",
          [
            .init("rule", .string(step.rule)), .init("statement", .string(step.statement)),
            .init("holds", .bool(step.holds)), .init("decides", .bool(step.decides)),
            .init(
              "reads",
              .array(
                step.reads.map { read in
                  .object([
                    .init("path", .string(json.redaction.shown(statePath: read.path))),
                    .init("value", json.json(read.value)),
                    .init("setBy", answers.writers[read.path].map(JSONValue.number) ?? .null),
                    .init(
                      "setting",
                      wording(read).map {
                        .object([
                          .init("group", .string($0.group)), .init("title", .string($0.title)),
                          .init("value", .string($0.value)),
                        ])
                      } ?? .null),
                  ])
                })),
          ]))
    }
    context.output.line(
      .record(
        "answer",
        members(answer) + [
          .init("since", .number(answers.firstWithAnswer.first)),
          .init("sinceIsComplete", .bool(!answers.firstWithAnswer.type.isEmpty || beginning == nil)),
          .init("before", answers.previous.map { .object(members($0.answer)) } ?? .null),
        ]))
  }
}
