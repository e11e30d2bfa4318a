import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

extension WhatIfReport {
  /// Prints the outcome as text.
  func printText(_ outcome: ImaginedOutcome, _ target: String?) {
    let output = context.output
    output.line(heading(outcome))
    if !outcome.asked.isEmpty {
      for question in outcome.asked { print(question) }
    } else if context.arguments.flag("diff") {
      printDiff(outcome.difference)
    } else {
      printSummary(outcome)
    }
    printAffected(outcome)
    if let target {
      output.line(
        "Written: \(TerminalText.visible(target)), an imagined journal. Next: \(Tool.name) log \(target.shellWord)")
    }
  }

  private func heading(_ outcome: ImaginedOutcome) -> String {
    let counts = outcome.counts
    let parts =
      [
        (counts.dropped, "dropped"), (counts.replaced, "replaced"), (counts.rewritten, "rewritten"),
        (counts.moved, "moved"), (counts.added, "inserted"),
      ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
      + (counts.rewritesBeginning ? ["another state at the beginning"] : [])
    let path = TerminalText.visible(end.journal.path)
    guard let place = outcome.partsAt else { return "\(path): nothing differs up to event \(outcome.realLast)" }
    return "\(path) imagined from event \(place) on: \(parts.joined(separator: ", ")); "
      + "\(outcome.imaginedLast.grouped) events instead of \(outcome.realLast.grouped)"
  }

  // MARK: What differs at the end

  private func printSummary(_ outcome: ImaginedOutcome) {
    let (output, difference, rank) = (context.output, outcome.difference, end.journal.domain.headlineRank)
    let changes = difference.changes.filter { rank($0.path) < .bookkeeping }
      .enumerated().sorted {
        let (one, other) = (rank($0.element.path), rank($1.element.path))
        return one == other ? $0.offset < $1.offset : one < other
      }.map(\.element)
    guard !difference.isEmpty else {
      output.line("The states at the end are the same.")
      return
    }
    output.line(context.style.bold("State"))
    var table = TextTable([TextColumn(""), TextColumn("", maximumWidth: 80)])
    for change in changes.prefix(Self.summaryLength) {
      table.append([
        TextCell("  " + TerminalText.visible(context.redaction.shown(statePath: change.path))), TextCell(text(change)),
      ])
    }
    context.print(table)
    let rest = difference.changes.count - min(changes.count, Self.summaryLength)
    if rest > 0 { output.line("  and \(rest.grouped) more; --diff lists them") }
    // Rules that answer no questions have nothing to say.
    guard outcome.decisionCount > 0 || end.journal.domain.additions != nil else { return }
    guard !outcome.decisions.isEmpty else {
      output.line("Decisions: the same, of \(outcome.decisionCount) asked")
      return
    }
    output.line(context.style.bold("Decisions"))
    var decisions = TextTable([TextColumn(""), TextColumn("", maximumWidth: 100)])
    for difference in outcome.decisions.prefix(Self.summaryLength) {
      decisions.append([
        TextCell("  " + TerminalText.visible(difference.question)),
        TextCell(
          TerminalText.visible(
            "\(difference.before.name) → \(difference.after.name), because \(because(difference.after))")),
      ])
    }
    context.print(decisions)
    let others = outcome.decisions.count - Self.summaryLength
    if others > 0 { output.line("  and \(others) more of \(outcome.decisionCount) asked; -j lists them") }
  }

  private func text(_ change: StateChange) -> String {
    TerminalText.visible("\(values.text(change.before)) → \(values.text(change.after))")
  }

  private func because(_ answer: QuestionAnswer) -> String { answer.reason + (answer.rule.map { " (\($0))" } ?? "") }

  private func printDiff(_ difference: StateDiff) {
    let groups = DiffText(context.redaction, listsParts: true).groups(of: difference)
    for group in groups {
      context.output.line(context.style.bold(TerminalText.visible(group.heading)))
      var table = TextTable([TextColumn(""), TextColumn("", maximumWidth: 80)])
      for row in group.rows {
        table.append([
          TextCell("  " + TerminalText.visible(row.name)), TextCell(TerminalText.visible(row.text)),
        ])
      }
      context.print(table)
    }
    let count = difference.changes.count
    context.output.line(
      count == 0
        ? "The states at the end are the same."
        : "\(count.counted("value differs", "values differ")) at the end")
  }

  // MARK: Questions

  private func print(_ question: ImaginedOutcome.Asked) {
    let output = context.output
    let differing = question.intervals.count { $0.isDifferent }
    output.line(
      context.style.bold(TerminalText.visible(question.text)) + "  "
        + (question.everDiffers ? "differs" : "the same"))
    var table = TextTable([
      TextColumn(""), TextColumn(""), TextColumn(""), TextColumn(""), TextColumn("", maximumWidth: 80),
    ])
    for interval in question.intervals {
      let range =
        interval.last == 0
        ? "start" : interval.first == interval.last ? "\(interval.first)" : "\(interval.first)–\(interval.last)"
      table.append([
        TextCell("  " + range), TextCell(interval.isDifferent ? "≠" : "="), TextCell(interval.before.name),
        TextCell(interval.isDifferent ? "→ " + interval.after.name : ""),
        TextCell(TerminalText.visible(because(interval.after))),
      ])
    }
    context.print(table)
    if question.isOverfull {
      output.line("  and more after these \(question.intervals.count) intervals, \(differing) of which differ")
    }
  }

  // MARK: Decisions on other state

  private func printAffected(_ outcome: ImaginedOutcome) {
    let output = context.output
    let tally = outcome.tally
    guard tally.count > 0 else {
      if outcome.partsAt != nil {
        output.line("No later decision rests on what differs, as far as the events tell.")
      }
      return
    }
    let kinds = [
      (tally.redecided, "decided otherwise"), (tally.refolded, "with another effect"),
      (tally.possible, "possibly affected"), (tally.orphaned, "without \(tally.orphaned == 1 ? "its" : "their") cause"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    output.line(
      context.style.bold(
        "\(tally.count.counted("later decision rests", "later decisions rest")) on "
          + (tally.orphaned == 0 ? "state that" : "what") + " differs")
        + ": " + kinds.joined(separator: ", "))
    var table = TextTable([TextColumn("", .right), TextColumn(""), TextColumn("", maximumWidth: 110)])
    for affected in outcome.affected {
      let (first, last) = (affected.events.lowerBound, affected.events.upperBound)
      table.append([
        TextCell("  " + (first == last ? "\(first)" : "\(first)–\(last)")),
        TextCell(TerminalText.visible(affected.types.first ?? "")),
        TextCell(TerminalText.visible(affected.text)),
      ])
    }
    context.print(table)
    let rest = tally.count - UInt64(outcome.affected.count)
    if rest > 0 { output.line("  and \(rest.grouped) more; -n names more") }
  }
}
