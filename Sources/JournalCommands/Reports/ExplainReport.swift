import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import ProtectionSupport

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
        question.question, in: end.protectionState, at: moment, explanation: &explanation)
      let start = try journal.states.beginning(after: 0)
      context.begin(Self.records, self)
      answers = try Answers(
        of: question.question, in: journal.protectionHistory, from: start.state.protection,
        after: (start.sequence, start.moment),
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
          for: question.question, in: end.protectionState, at: moment, instead: answer, explanation.steps), answer)
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
    output.foldForReading()
    output.line(context.style.bold(TerminalText.visible(answer.name)) + "  " + because(answer), hanging: 4)
    let rules = Self.rules(of: steps)
    let width = "\(rules.count)".count
    let margin = String(repeating: " ", count: width + 5)
    for (index, step) in rules.enumerated() {
      let number = String(repeating: " ", count: width - "\(index + 1)".count) + "\(index + 1)"
      output.line(
        "\(number)  \(step.holds ? "✓" : "✗")  \(TerminalText.visible(step.statement))"
          + (step.decides ? "  ← decides" : ""), hanging: margin.count)
      for read in step.reads {
        output.line(margin + context.style.dim(text(of: read, answers.writers[read.path])), hanging: margin.count + 2)
        if let wording = wording(read) {
          output.line(
            margin + "  " + context.style.dim(TerminalText.visible("\(wording.title): \(wording.value)")),
            hanging: margin.count + 4)
        }
      }
    }
    let first = answers.firstWithAnswer
    output.line(
      first.type.isEmpty
        ? "The answer was never another one \(beginning == nil ? "up to here" : "since event \(first.first)")."
        : "First event with this answer: \(first.first) \(first.type), \(time(first)).", hanging: 2)
    if let previous = answers.previous {
      output.line("Before, it was \(previous.answer.name): \(because(previous.answer)).", hanging: 2)
    }
    if let assumption = answer.assumption {
      output.line("It rests on the assumption \(assumption), which settles what no source publishes.")
    }
  }

  /// `/policies/a1/pinRequired = true, set by event 7`.
  private func text(of read: Explanation.Read, _ writer: UInt64?) -> String {
    let values = ValueText(context.redaction)
    return TerminalText.visible("\(context.redaction.shown(statePath: read.path)) = \(values.text(read.value))")
      + (writer.map { ", set by event \($0)" } ?? "")
  }

  /// The rules, each once: one that is checked against several settings, such as a minimum for access and another one for a
  /// wipe, has all that these checks read, and holds where one of them does.
  private static func rules(of steps: [Explanation.Step]) -> [Explanation.Step] {
    var rules: [Explanation.Step] = []
    for step in steps {
      guard let place = rules.firstIndex(where: { $0.rule == step.rule && $0.statement == step.statement }) else {
        rules.append(step)
        continue
      }
      rules[place].holds = rules[place].holds || step.holds
      rules[place].decides = rules[place].decides || step.decides
      rules[place].reads += step.reads.filter { !rules[place].reads.contains($0) }
    }
    return rules
  }

  /// A setting in the words of the administration portal, unless these may name a person.
  private func wording(_ read: Explanation.Read) -> SettingWording? {
    guard let wording = AppProtectionMachine.wording(of: read, in: end.protectionState),
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
    context.output.foldForReading()
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
    context.output.foldForReading()
    let range = interval.first == 0 && interval.last == 0 ? "start" : "\(interval.first)–\(interval.last)"
    let cells = [
      (range, 2 * "\(end.sequence)".count + 1), (time(interval), max(beginning?.count ?? 0, 22)),
      (interval.answer.name, question.answers?.names.map(\.count).max() ?? 0),
    ]
    let columns = cells.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
    context.output.line((columns + [because(interval.answer)]).joined(separator: "  "), hanging: 4)
  }
}
