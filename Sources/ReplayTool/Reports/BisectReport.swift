import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

/// The results of `pj bisect`, printed while the history is read.
struct BisectReport {
  private let end: TrustedState
  private let context: CommandContext
  private let values: ValueText

  /// `end` is the state after the last event to look at.
  init(_ end: TrustedState, _ context: CommandContext) {
    (self.end, self.context) = (end, context)
    values = ValueText(context.redaction)
  }

  /// Prints the flips after an event, and what holds before and after them.
  func print(_ condition: AnyStateCondition, after first: UInt64) throws(Failure) -> ExitCode {
    let (journal, output) = (end.journal, context.output)
    let limit = context.arguments.value(of: "count").flatMap { UInt64($0) } ?? .max
    let start: HistoryBeginning
    let bisection: BisectionAnswer
    journal.begin("bisecting")
    start = try Failure.translating(journal: journal.path, try journal.states.beginning(after: first))
    for state in [start.state, end.state] {
      guard let unordered = condition.unorderedValue(in: state) else { continue }
      throw Failure(.wrongUse, "--where: \(unordered.description)", next: "\(Tool.name) help bisect")
    }
    context.begin(Self.records, self)
    do throws(HistoryError) {
      var count: UInt64 = 0
      let request = BisectionRequest(
        condition, from: start.state, after: (start.sequence, start.moment), upTo: end.sequence)
      let found = try journal.history.bisect(request) { flip in
        count += 1
        context.show(Self.flip, flip) { output.line(line(flip)) }
        return count < limit && !output.isClosed
      }
      guard let found else { return .bug }
      bisection = found
    } catch {
      throw Failure(error, journal: journal.path)
    }
    if let unordered = bisection.unordered {
      throw Failure(.wrongUse, "--where: \(unordered.description)", next: "\(Tool.name) help bisect")
    }
    let answer: ExitCode = !bisection.isCertain ? .partial : bisection.count == 0 ? .different : .done
    let code = end.exitCode != .done ? end.exitCode : answer
    context.end(Self.records, bisection, code, of: [journal]) { output.line(summary(bisection)) }
    end.note(context)
    JournalSeeking.note(journal, in: context)
    let paths = bisection.unmatched.isEmpty ? [] : end.state.tree().paths()
    for path in bisection.unmatched where !paths.contains(where: path.matches) {
      let near = NearestPath.of(path.text, among: paths, context.redaction).map { "; nearest: \($0)" } ?? ""
      context.note("\(journal.path): nothing was ever set at \(path.text)\(near)")
    }
    if !bisection.isCertain {
      context.note(
        "\(journal.path): \(ConditionText.unknown). Next: \(Tool.name) help redaction")
    }
    return code
  }

  /// What `-j` writes.
  static let records = JSONOutput<BisectReport, BisectionAnswer>(
    "bisect",
    start: [
      .init("journal", \.end.journal.path), .ifAny("where") { $0.context.arguments.value(of: "where") },
      .ifAny("run") { $0.context.arguments.value(of: "run") },
    ], [flip, firstBad],
    end: [
      .init("flips", \.count), .init("from", \.first), .init("to", \.last), .init("heldAtFirst", \.heldAtFirst),
      .init("holdsAtLast", \.holdsAtLast),
    ])

  private static let flip = JSONRecord<BisectionFlip>(
    "flip",
    [
      .init("event", \.sequence), .init("type", \.type),
      .init("time") { CivilTime(nanoseconds: $0.wallNanoseconds) }, .init("holds", \.holds),
      .init("reasons", each: reason) { $0.reasons.map(Reason.init) },
    ])

  /// Why a condition flipped: a value or an answer that is another one.
  private struct Reason {
    var change: StateChange?
    var answer: (question: String, before: QuestionAnswer, after: QuestionAnswer)?

    init(_ reason: BisectionReason) {
      switch reason {
      case .value(let change): self.change = change
      case .answer(let question, let before, let after): answer = (question, before, after)
      }
    }

    /// A value, or an answer's name.
    func side(_ value: StateValue?, _ answer: QuestionAnswer?) -> JSONAny {
      answer.map { JSONAny($0.name) } ?? JSONAny(value)
    }
  }

  private static let reason: [JSONMember<Reason>] = [
    .ifAny("path") { $0.change.map { RedactedText.statePath($0.path) } }, .ifAny("question", \.answer?.question),
    .init("before") { $0.side($0.change?.before, $0.answer?.before) },
    .init("after") { $0.side($0.change?.after, $0.answer?.after) }, .ifAny("rule") { $0.answer.map(\.after.rule) },
    .ifAny("reason", \.answer?.after.reason),
  ]

  private static let firstBad = JSONRecord<ClosedRange<UInt64>>(
    "firstBad", [.init("from", \.lowerBound), .init("to", \.upperBound)])

  /// Prints the first event at which a command fails.
  func print(_ halving: Bisector) -> ExitCode {
    let (output, suspects) = (context.output, halving.suspects)
    context.begin(Self.records, self)
    context.show(Self.firstBad, suspects) {
      output.line(
        suspects.count == 1
          ? "event \(halving.bad) is the first bad one; \(Tool.name) show \(end.journal.path.shellWord) \(halving.bad)"
          : "the first bad event is one of \(VerifyText.events(suspects)): the others could not be tested")
    }
    context.end(Self.records, nil, end.exitCode, of: [end.journal])
    end.note(context)
    JournalSeeking.note(end.journal, in: context)
    return end.exitCode
  }

  private func line(_ flip: BisectionFlip) -> String {
    let word = flip.holds.map { $0 ? "holds         " : "does not hold " } ?? "unknown       "
    let time = CivilTime(nanoseconds: flip.wallNanoseconds).text
    let reasons = flip.reasons.map(text).joined(separator: "; ")
    return TerminalText.visible("\(flip.sequence)  \(word) \(time)  \(flip.type)  \(reasons)")
  }

  private func text(_ reason: BisectionReason) -> String {
    switch reason {
    case .value(let change):
      "\(values.redaction.shown(statePath: change.path)): \(values.text(change.before)) → \(values.text(change.after))"
    case .answer(let question, let before, let after):
      "\(question): \(before.name) → \(after.name), because \(after.reason)" + (after.rule.map { " (\($0))" } ?? "")
    }
  }

  private func summary(_ bisection: BisectionAnswer) -> String {
    let (first, last) = (bisection.first, bisection.last)
    let begin = first == 0 ? "before the first event" : "after event \(first)"
    guard bisection.count > 0 else {
      guard let isHolding = bisection.heldAtFirst else {
        return "it is unknown whether the condition holds, from \(begin) to event \(last)"
      }
      return "the condition \(isHolding ? "always" : "never") holds, from \(begin) to event \(last)"
    }
    return "\(bisection.count.counted("flip")) up to event \(last); "
      + "\(begin) the condition \(bisection.heldAtFirst.map { $0 ? "held" : "did not hold" } ?? "was unknown")"
  }
}
