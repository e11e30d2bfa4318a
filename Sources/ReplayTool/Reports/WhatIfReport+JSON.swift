import CommandSupport
import EventSourcing
import Forensics
import PlainText

extension WhatIfReport {
  /// What `-j` writes.
  static let records = JSONOutput<WhatIfReport, ImaginedOutcome>(
    "whatif", start: [.init("journal", \.end.journal.path), .init("edits", \.editInput.words)],
    [imagined, change, decision, answer, affected],
    end: [
      .init("changes", \.difference.changes.count), .init("decisions", \.decisions.count),
      .init("asked", \.decisionCount), .init("redecided", \.tally.redecided),
      .init("refolded", \.tally.refolded), .init("possible") { $0.tally.possible + $0.tally.orphaned },
    ])

  private static let imagined = JSONRecord<(outcome: ImaginedOutcome, target: String?)>(
    "imagined",
    [
      .init("partsAt", \.outcome.partsAt), .init("events", \.outcome.imaginedLast),
      .init("realEvents", \.outcome.realLast), .init("dropped", \.outcome.counts.dropped),
      .init("replaced", \.outcome.counts.replaced), .init("rewritten", \.outcome.counts.rewritten),
      .init("beginning", \.outcome.counts.rewritesBeginning), .init("moved", \.outcome.counts.moved),
      .init("inserted", \.outcome.counts.added), .init("writtenTo", \.target),
    ])

  private static let change = JSONRecord<StateChange>("change", StateChange.members)

  private static let decision = JSONRecord<DecisionDifference>(
    "decision",
    [
      .init("question", \.question), .init("before", QuestionAnswer.members, \.before),
      .init("after", QuestionAnswer.members, \.after),
    ])

  private static let answer = JSONRecord<(question: String, interval: AskedInterval)>(
    "answer",
    [
      .init("question", \.question), .init("from", \.interval.first), .init("to", \.interval.last),
      .init("time") { $0.interval.wallNanoseconds.map { CivilTime(nanoseconds: $0) } },
      .init("differs", \.interval.isDifferent), .init("before", QuestionAnswer.members, \.interval.before),
      .init("after", QuestionAnswer.members, \.interval.after),
    ])

  private static let affected = JSONRecord<AffectedEvents>(
    "affected",
    [
      .init("from", \.events.lowerBound), .init("to", \.events.upperBound), .init("types", \.types),
      .init("basis", \.basis), .init("hasNoEffect", \.hasNoEffect), .init("text", \.text), .ifAny("would", \.would),
      .ifAny("refusedBy", \.refusedBy), .ifAny("reason", \.reason),
      .ifAny("path") { $0.path.map { RedactedText.statePath($0) } }, .ifAny("cause", \.cause),
    ])

  /// Writes the outcome as JSON Lines.
  func write(_ outcome: ImaginedOutcome, _ target: String?, _ code: ExitCode, to lines: JSONLines) {
    lines.begin(Self.records, self)
    lines.add(Self.imagined, (outcome, target))
    lines.add(Self.change, each: outcome.difference.changes)
    lines.add(Self.decision, each: outcome.decisions)
    for question in outcome.asked { lines.add(Self.answer, each: question.intervals.map { (question.text, $0) }) }
    lines.add(Self.affected, each: outcome.affected)
    lines.end(Self.records, outcome, code)
  }
}

extension AffectedEvents.Basis: JSONWord {}
