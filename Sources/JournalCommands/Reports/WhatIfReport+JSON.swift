import AppProtection
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

extension WhatIfReport {
  /// Prints the outcome as JSON Lines.
  func printJSON(
    _ outcome: WhatIf<Machine>, _ difference: StateDiff, _ comparison: DecisionComparison<Machine>,
    _ asked: [AskedQuestion<Machine>], _ target: String?, _ code: ExitCode
  ) {
    let (output, json) = (context.output, ValueJSON(context.redaction))
    let counts = outcome.counts
    output.line(
      .startRecord(
        "whatif",
        [
          .init("journal", .string(end.journal.path)),
          .init("edits", .array(editInput.words.map { .string($0) })),
        ]))
    output.line(
      .record(
        "imagined",
        [
          .init("partsAt", outcome.partsAt.map(JSONValue.number) ?? .null),
          .init("events", .number(outcome.imaginedLast)), .init("realEvents", .number(outcome.realLast)),
          .init("dropped", .number(counts.dropped)), .init("replaced", .number(counts.replaced)),
          .init("rewritten", .number(counts.rewritten)),
          .init("beginning", .bool(counts.rewritesBeginning)), .init("moved", .number(counts.moved)),
          .init("inserted", .number(counts.added)),
          .init("writtenTo", target.map(JSONValue.string) ?? .null),
        ]))
    for change in difference.changes {
      output.line(
        .record(
          "change",
          [
            .init("path", .string(json.redaction.shown(statePath: change.path))),
            .init("before", json.json(change.before)),
            .init("after", json.json(change.after)),
          ]))
    }
    for difference in comparison.differences {
      output.line(
        .record(
          "decision",
          [
            .init("question", .string(difference.question)), .init("before", self.json(difference.before)),
            .init("after", self.json(difference.after)),
          ]))
    }
    for question in asked {
      for interval in question.intervals {
        output.line(
          .record(
            "answer",
            [
              .init("question", .string(question.question.text)), .init("from", .number(interval.first)),
              .init("to", .number(interval.last)),
              .init(
                "time", interval.wallNanoseconds.map { .string(CivilTime(nanoseconds: $0).text) } ?? .null),
              .init("differs", .bool(interval.isDifferent)), .init("before", self.json(interval.before)),
              .init("after", self.json(interval.after)),
            ]))
      }
    }
    for affected in outcome.affected { output.line(record(affected)) }
    output.line(
      .endRecord(
        code,
        [
          .init("changes", .number(difference.changes.count)),
          .init("decisions", .number(comparison.differences.count)),
          .init("asked", .number(comparison.count)), .init("redecided", .number(outcome.tally.redecided)),
          .init("refolded", .number(outcome.tally.refolded)),
          .init("possible", .number(outcome.tally.possible + outcome.tally.orphaned)),
        ]))
  }

  private func json(_ answer: QuestionAnswer) -> JSONValue {
    .object([
      .init("answer", .string(answer.name)), .init("rule", answer.rule.map(JSONValue.string) ?? .null),
      .init("reason", .string(answer.reason)),
      .init("assumption", answer.assumption.map(JSONValue.string) ?? .null),
    ])
  }

  private func record(_ affected: AffectedDecision<Machine>) -> String {
    func types(_ events: [AppProtectionEvent]) -> JSONValue {
      .array(events.map { .string(WhatIfWords.type(of: $0)) })
    }
    let basis: String
    var members: [JSONObject.Member] = []
    switch affected.basis {
    case .redecided(.events(let events)):
      basis = "redecided"
      members = [.init("would", types(events))]
    case .redecided(.refused(let rule, let reason)):
      basis = "redecided"
      members = [.init("refusedBy", .string(rule)), .init("reason", .string(reason))]
    case .refolded: basis = "refolded"
    case .possible(let path):
      basis = "possible"
      members = [.init("path", .string(context.redaction.shown(statePath: path)))]
    case .orphaned(let cause):
      basis = "possible"
      members = [.init("cause", .number(cause))]
    }
    return .record(
      "affected",
      [
        .init("from", .number(affected.events.lowerBound)), .init("to", .number(affected.events.upperBound)),
        .init("types", types(affected.recorded)), .init("basis", .string(basis)),
        .init("hasNoEffect", .bool(affected.hasNoEffect)),
        .init("text", .string(WhatIfWords(values).sentence(affected))),
      ] + members)
  }
}
