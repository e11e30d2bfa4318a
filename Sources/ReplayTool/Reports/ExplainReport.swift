import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// The results of `pj explain`.
struct ExplainReport {
  private let question: AnyQuestion
  private let end: TrustedState
  private let context: CommandContext

  /// `end` is the state to ask.
  init(_ question: AnyQuestion, _ end: TrustedState, _ context: CommandContext) {
    (self.question, self.end, self.context) = (question, end, context)
  }

  /// Answers the question, or lists every answer.
  func print() throws(Failure) -> ExitCode {
    let journal = end.journal
    let answers: AnswerCourse
    let (answer, steps): (QuestionAnswer, [Explanation.Step])
    let isListing = context.arguments.flag("when")
    let moment: Moment
    journal.begin("answering")
    do throws(HistoryError) {
      moment = try end.moment()
      (answer, steps) = question.answer(in: end.state, at: moment)
      let start = try journal.states.beginning(after: 0)
      context.begin(Self.records, self)
      answers = try question.answers(
        in: journal.history,
        FollowedStretch(from: start.state, after: (start.sequence, start.moment), upTo: end.sequence),
        writersOf: isListing ? [] : Set(steps.flatMap { $0.reads.map(\.path) })
      ) { if isListing { show($0) } }
    } catch {
      throw Failure(error, journal: journal.path)
    }
    if !isListing {
      show(answer, steps, answers)
      let advice = question.advice(in: end.state, at: moment, instead: answer, steps)
      ExplainedAnswer.show(
        advice.items, tried: advice.triedCount,
        end.journal.domain.additions == nil ? "" : "of a setting or of the device", context)
    }
    context.end(Self.records, answers.count, end.exitCode, of: [journal])
    end.note(context)
    JournalSeeking.note(journal, in: context)
    return end.exitCode
  }

  /// What `-j` writes.
  static let records = JSONOutput<ExplainReport, UInt64>(
    "explain", start: TrustedState.place.of(\.end) + [.init("question", \.question.text)],
    [ExplainedAnswer.rule, answer, ExplainedAnswer.change, interval], end: [.init("intervals") { $0 }])

  private static let answer = JSONRecord<(answer: QuestionAnswer, history: AnswerCourse, isWhole: Bool)>(
    "answer",
    QuestionAnswer.members.of(\.answer) + [
      .init("since") { $0.history.current.answer == $0.answer ? $0.history.firstWithAnswer.first : nil },
      .init("sinceIsComplete") { !$0.history.firstWithAnswer.type.isEmpty || $0.isWhole },
      .init("before", orNull: QuestionAnswer.members) {
        $0.history.current.answer == $0.answer ? $0.history.previous?.answer : $0.history.current.answer
      },
    ])

  private static let interval = JSONRecord<AnswerInterval>(
    "interval",
    [
      .init("from", \.first), .init("to", \.last), .init("type") { $0.type.isEmpty ? nil : $0.type },
      .init("time") { $0.wallNanoseconds.map { CivilTime(nanoseconds: $0) } },
    ] + QuestionAnswer.members.of(\.answer))

  private func show(_ answer: QuestionAnswer, _ steps: [Explanation.Step], _ answers: AnswerCourse) {
    let explained = ExplainedAnswer(answer, steps, setBy: answers.writers, context) {
      question.wording(of: $0, in: end.state)
    }
    context.report { lines in
      explained.write(to: lines)
      lines.add(Self.answer, (answer, answers, beginning == nil))
    } text: {
      showText(explained, answers)
    }
  }

  private func showText(_ explained: ExplainedAnswer, _ answers: AnswerCourse) {
    let output = context.output
    explained.printText()
    let first = answers.firstWithAnswer
    guard answers.current.answer == explained.answer else {
      let event = answers.current
      output.line("Time alone led to this answer, after event \(end.sequence).", hanging: 2)
      output.line("Before, it was \(event.answer.name): \(ExplainedAnswer.because(event.answer)).", hanging: 2)
      return explained.printAssumption()
    }
    output.line(
      first.type.isEmpty
        ? "The answer was never another one \(beginning == nil ? "up to here" : "since event \(first.first)")."
        : "First event with this answer: \(first.first) \(first.type), \(time(first)).", hanging: 2)
    if let previous = answers.previous {
      output.line("Before, it was \(previous.answer.name): \(ExplainedAnswer.because(previous.answer)).", hanging: 2)
    }
    explained.printAssumption()
  }

  private func time(_ interval: AnswerInterval) -> String {
    interval.wallNanoseconds.map { CivilTime(nanoseconds: $0).text } ?? beginning ?? "before the first event"
  }

  /// What is said of the time before the events that are kept; `nil` where all are.
  private var beginning: String? {
    end.journal.history.firstSequence > 1 ? "before the events that are kept" : nil
  }

  /// One answer of the list.
  private func show(_ interval: AnswerInterval) {
    context.show(Self.interval, interval) { showText(interval) }
  }

  private func showText(_ interval: AnswerInterval) {
    context.output.foldForReading()
    let range = interval.first == 0 && interval.last == 0 ? "start" : "\(interval.first)–\(interval.last)"
    let cells = [
      (range, 2 * "\(end.sequence)".count + 1), (time(interval), max(beginning?.count ?? 0, 22)),
      (interval.answer.name, question.answerNames.map(\.count).max() ?? 0),
    ]
    let columns = cells.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
    context.output.line((columns + [ExplainedAnswer.because(interval.answer)]).joined(separator: "  "), hanging: 4)
  }
}
