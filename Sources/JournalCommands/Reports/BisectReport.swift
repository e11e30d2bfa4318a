import AppProtection
import AppProtectionInsight
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
  func print(_ condition: StateCondition<AppProtectionMachine>, after first: UInt64) throws(Failure) -> ExitCode {
    let (journal, output) = (end.journal, context.output)
    let limit = context.arguments.value(of: "count").flatMap { UInt64($0) } ?? .max
    let start: HistoryBeginning
    let bisection: Bisection<AppProtectionMachine>
    journal.begin("bisecting")
    start = try Failure.translating(journal: journal.path, try journal.beginning(after: first))
    for state in [start.state, end.state] {
      guard let unordered = condition.unorderedValue(in: state) else { continue }
      throw Failure(.wrongUse, "--where: \(unordered.description)", next: "pj help bisect")
    }
    begin("where")
    do throws(HistoryError) {
      var count: UInt64 = 0
      bisection = try Bisection(
        of: condition, in: journal.history, from: start.state, after: start.sequence, at: start.moment,
        upTo: end.sequence
      ) { flip in
        count += 1
        output.line(context.isJSON ? record(flip) : line(flip))
        return count < limit && !output.isClosed
      }
    } catch {
      throw Failure(error, journal: journal.path)
    }
    if let unordered = bisection.unordered {
      throw Failure(.wrongUse, "--where: \(unordered.description)", next: "pj help bisect")
    }
    let answer: ExitCode = !bisection.isCertain ? .partial : bisection.count == 0 ? .different : .done
    let code = end.exitCode != .done ? end.exitCode : answer
    if context.isJSON {
      output.line(
        .endRecord(
          code,
          [
            .init("flips", .number(bisection.count)), .init("from", .number(bisection.first)),
            .init("to", .number(bisection.last)), .init("heldAtFirst", Self.json(bisection.heldAtFirst)),
            .init("holdsAtLast", Self.json(bisection.holdsAtLast)),
          ] + JournalSeeking.members(journal)))
    } else {
      output.line(summary(bisection))
    }
    end.note(context)
    JournalSeeking.note(journal, in: context)
    let paths = bisection.unmatched.isEmpty ? [] : end.state.tree().paths()
    for path in bisection.unmatched where !paths.contains(where: path.matches) {
      let near = NearestPath.of(path.text, among: paths).map { "; nearest: \($0)" } ?? ""
      context.note("\(journal.path): nothing was ever set at \(path.text)\(near)")
    }
    if !bisection.isCertain {
      context.note(
        "\(journal.path): \(Self.unknown). Next: pj help redaction")
    }
    return code
  }

  /// Why it can be unknown whether a condition on a state holds.
  static let unknown =
    "values that are sealed, and personal ones with wildcards, are not compared: where the condition rests on one, it is unknown"

  private static func json(_ holds: Bool?) -> JSONValue { holds.map(JSONValue.bool) ?? .null }

  private func begin(_ option: String) {
    guard context.isJSON else { return }
    let value = context.arguments.value(of: option).map(JSONValue.string) ?? .null
    context.output.line(.startRecord("bisect", [.init("journal", .string(end.journal.path)), .init(option, value)]))
  }

  /// Prints the first event at which a command fails.
  func print(_ halving: Bisector) -> ExitCode {
    let (output, suspects) = (context.output, halving.suspects)
    begin("run")
    if context.isJSON {
      output.line(
        .record(
          "firstBad", [.init("from", .number(suspects.lowerBound)), .init("to", .number(suspects.upperBound))]))
      output.line(.endRecord(end.exitCode, JournalSeeking.members(end.journal)))
    } else if suspects.count == 1 {
      output.line("event \(halving.bad) is the first bad one; pj show \(end.journal.path.shellWord) \(halving.bad)")
    } else {
      output.line(
        "the first bad event is one of \(VerifyText.events(suspects)): the others could not be tested")
    }
    end.note(context)
    JournalSeeking.note(end.journal, in: context)
    return end.exitCode
  }

  private func line(_ flip: Bisection<AppProtectionMachine>.Flip) -> String {
    let word = flip.holds.map { $0 ? "holds     " : "holds not " } ?? "unknown   "
    let time = CivilTime(nanoseconds: flip.wallNanoseconds).text
    let reasons = flip.reasons.map(text).joined(separator: "; ")
    return TerminalText.visible("\(flip.sequence)  \(word) \(time)  \(flip.type)  \(reasons)")
  }

  private func text(_ reason: Bisection<AppProtectionMachine>.Reason) -> String {
    switch reason {
    case .value(let change):
      "\(values.redaction.shown(statePath: change.path)): \(values.text(change.before)) → \(values.text(change.after))"
    case .answer(let question, let before, let after):
      "\(question): \(before.name) → \(after.name), because \(after.reason)" + (after.rule.map { " (\($0))" } ?? "")
    }
  }

  private func summary(_ bisection: Bisection<AppProtectionMachine>) -> String {
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

  private func record(_ flip: Bisection<AppProtectionMachine>.Flip) -> String {
    let json = ValueJSON(context.redaction)
    return .record(
      "flip",
      [
        .init("event", .number(flip.sequence)), .init("type", .string(flip.type)),
        .init("time", .string(CivilTime(nanoseconds: flip.wallNanoseconds).text)),
        .init("holds", Self.json(flip.holds)),
        .init(
          "reasons",
          .array(
            flip.reasons.map { reason in
              switch reason {
              case .value(let change):
                .object([
                  .init("path", .string(json.redaction.shown(statePath: change.path))),
                  .init("before", json.json(change.before)),
                  .init("after", json.json(change.after)),
                ])
              case .answer(let question, let before, let after):
                .object([
                  .init("question", .string(question)), .init("before", .string(before.name)),
                  .init("after", .string(after.name)), .init("rule", after.rule.map(JSONValue.string) ?? .null),
                  .init("reason", .string(after.reason)),
                ])
              }
            })),
      ])
  }
}
