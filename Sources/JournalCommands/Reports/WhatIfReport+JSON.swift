import AppProtection
import CommandSupport
import EventSourcing
import Forensics
import PlainText

extension WhatIfReport {
  /// What `-j` writes.
  static let records = JSONOutput<WhatIfReport, Counts>(
    "whatif", start: [.init("journal", \.end.journal.path), .init("edits", \.editInput.words)],
    [imagined, change, decision, answer, affected],
    end: [
      .init("changes", \.changes), .init("decisions", \.comparison.differences.count),
      .init("asked", \.comparison.count), .init("redecided", \.tally.redecided),
      .init("refolded", \.tally.refolded), .init("possible") { $0.tally.possible + $0.tally.orphaned },
    ])

  /// What the last record counts.
  typealias Counts = (changes: Int, comparison: DecisionComparison<Machine>, tally: WhatIf<Machine>.Tally)

  private static let imagined = JSONRecord<(outcome: WhatIf<Machine>, target: String?)>(
    "imagined",
    [
      .init("partsAt", \.outcome.partsAt), .init("events", \.outcome.imaginedLast),
      .init("realEvents", \.outcome.realLast), .init("dropped", \.outcome.counts.dropped),
      .init("replaced", \.outcome.counts.replaced), .init("rewritten", \.outcome.counts.rewritten),
      .init("beginning", \.outcome.counts.rewritesBeginning), .init("moved", \.outcome.counts.moved),
      .init("inserted", \.outcome.counts.added), .init("writtenTo", \.target),
    ])

  private static let change = JSONRecord<StateChange>("change", StateChange.members)

  private static let decision = JSONRecord<DecisionComparison<Machine>.Difference>(
    "decision",
    [
      .init("question", \.question), .init("before", QuestionAnswer.members, \.before),
      .init("after", QuestionAnswer.members, \.after),
    ])

  private static let answer = JSONRecord<(question: String, interval: AskedQuestion<Machine>.Interval)>(
    "answer",
    [
      .init("question", \.question), .init("from", \.interval.first), .init("to", \.interval.last),
      .init("time") { $0.interval.wallNanoseconds.map { CivilTime(nanoseconds: $0) } },
      .init("differs", \.interval.isDifferent), .init("before", QuestionAnswer.members, \.interval.before),
      .init("after", QuestionAnswer.members, \.interval.after),
    ])

  /// How an effect on a decision is known, and what follows from it.
  private enum Basis: String, JSONWord {
    case redecided, refolded, possible
  }

  private static let affected = JSONRecord<(decision: AffectedDecision<Machine>, text: String)>(
    "affected",
    [
      .init("from", \.decision.events.lowerBound), .init("to", \.decision.events.upperBound),
      .init("types") { $0.decision.recorded.map(WhatIfWords.type) },
      .init("basis") {
        switch $0.decision.basis {
        case .redecided: Basis.redecided
        case .refolded: Basis.refolded
        case .possible, .orphaned: Basis.possible
        }
      }, .init("hasNoEffect", \.decision.hasNoEffect), .init("text", \.text),
      .ifAny("would") {
        if case .redecided(.events(let events)) = $0.decision.basis { events.map(WhatIfWords.type) } else { nil }
      },
      .ifAny("refusedBy") {
        if case .redecided(.refused(let rule, _)) = $0.decision.basis { rule } else { nil }
      },
      .ifAny("reason") {
        if case .redecided(.refused(_, let reason)) = $0.decision.basis { reason } else { nil }
      },
      .ifAny("path") {
        if case .possible(let path) = $0.decision.basis { RedactedText.statePath(path) } else { nil }
      },
      .ifAny("cause") { if case .orphaned(let cause) = $0.decision.basis { cause } else { nil } },
    ])

  /// Writes the outcome as JSON Lines.
  func write(
    _ outcome: WhatIf<Machine>, _ difference: StateDiff, _ comparison: DecisionComparison<Machine>,
    _ asked: [AskedQuestion<Machine>],
    _ target: String?, _ code: ExitCode, to lines: JSONLines
  ) {
    lines.begin(Self.records, self)
    lines.add(Self.imagined, (outcome, target))
    lines.add(Self.change, each: difference.changes)
    lines.add(Self.decision, each: comparison.differences)
    for question in asked { lines.add(Self.answer, each: question.intervals.map { (question.question.text, $0) }) }
    lines.add(Self.affected, each: outcome.affected.map { ($0, WhatIfWords(values).sentence($0)) })
    lines.end(Self.records, (difference.changes.count, comparison, outcome.tally), code)
  }
}
