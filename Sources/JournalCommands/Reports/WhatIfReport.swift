import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import ProtectionSupport

/// The results of `pj whatif`.
struct WhatIfReport {
  typealias Machine = AppProtectionMachine

  let editInput: EditInput
  /// The end of the real history, as far as it is known.
  let end: TrustedState
  let context: CommandContext
  let values: ValueText
  private let beginning: HistoryBeginning
  private let questions: [QuestionText<Machine>]
  /// When a journal of the imagined history is created.
  private let createdNanoseconds: Int64

  /// How many lines of each kind a summary has.
  static let summaryLength = 12

  init(
    _ input: EditInput, _ end: TrustedState, _ beginning: HistoryBeginning, _ questions: [QuestionText<Machine>],
    createdNanoseconds: Int64, _ context: CommandContext
  ) {
    self.createdNanoseconds = createdNanoseconds
    (editInput, self.end, self.beginning, self.questions, self.context) = (input, end, beginning, questions, context)
    values = ValueText(context.redaction)
  }

  /// Imagines the history, prints what differs, and writes it if a folder is named.
  func print(writingTo target: String?) throws(Failure) -> ExitCode {
    var asked = questions.map { AskedQuestion($0, limit: max(16, 100_000 / questions.count)) }
    let outcome = try imagine(target, &asked)
    let comparison = DecisionComparison<Machine>(outcome.real, outcome.imagined, at: outcome.moment)
    let difference = outcome.difference
    let isDifferent =
      questions.isEmpty
      ? !difference.isEmpty || outcome.tally.count > 0 : asked.contains { $0.everDiffers }
    let code = end.exitCode != .done ? end.exitCode : isDifferent ? .different : .done
    context.report { lines in
      write(outcome, difference, comparison, asked, target, code, to: lines)
    } text: {
      printText(outcome, difference, comparison, asked, target)
    }
    end.note(context)
    end.noteUnknownAccounts(
      in: editInput.accounts.map(\.description) + questions.flatMap(\.values),
      besides: AnyState(outcome.imagined, of: Machine.self), context)
    noteNothing(outcome)
    return code
  }

  /// Reads the history once; with a target, a second time for its journal.
  private func imagine(
    _ target: String?, _ asked: inout [AskedQuestion<Machine>]
  ) throws(Failure) -> WhatIf<Machine> {
    let history = end.journal.protectionHistory
    let limit = context.arguments.value(of: "count").flatMap { Int($0) } ?? 20
    // Without a change before that, the real states up to the first edit are those of both histories.
    let start = try startingPoint(isWhole: target != nil || context.arguments.flag("when"))
    end.journal.begin("imagining")
    let isListing = context.arguments.flag("when")
    if isListing {
      for index in asked.indices {
        asked[index].ask(
          after: start.sequence, at: start.moment, isFirst: true, real: start.state.protection, imagined: nil)
      }
    }
    do throws(WhatIfError) {
      let outcome: WhatIf<Machine>
      var questions = asked
      let observe: ((RecordedEvent<AppProtectionEvent>, AppProtectionState, AppProtectionState?) -> Void)? =
        isListing
        ? { record, real, imagined in
          for index in questions.indices {
            questions[index].ask(
              after: record.sequence, at: record.envelope.moment, real: real, imagined: imagined,
              isLastOfBatch: record.isLastOfBatch || record.sequence == end.sequence)
          }
        } : nil
      if let target {
        outcome = try write(to: target, from: start, limit: limit, observe)
      } else {
        outcome = try WhatIf(
          editInput.edits, in: history, from: start.state.protection, after: (start.sequence, start.moment),
          upTo: end.sequence,
          limit: limit, observe: observe)
      }
      if !isListing {
        for index in questions.indices {
          questions[index].ask(
            after: outcome.realLast, at: outcome.moment, real: outcome.real, imagined: outcome.imagined)
        }
      }
      asked = questions
      return outcome
    } catch {
      switch error {
      case .history(let error): throw Failure(error, journal: target ?? end.journal.path)
      case .refused(let place, let rule, let reason):
        throw Failure(
          .wrongUse,
          "what is to be inserted after event \(place) is refused there: \(reason) (\(rule))",
          next: "pj state \(end.journal.path.shellWord)@\(place)")
      }
    }
  }

  private func startingPoint(isWhole: Bool) throws(Failure) -> HistoryBeginning {
    let first = editInput.edits.firstEdited(from: beginning.sequence + 1) - 1
    guard !isWhole, first > beginning.sequence, first <= end.sequence else { return beginning }
    return try Failure.translating(journal: end.journal.path, try end.journal.states.beginning(after: first))
  }

  private func write(
    to target: String, from start: HistoryBeginning, limit: Int,
    _ observe: ((RecordedEvent<AppProtectionEvent>, AppProtectionState, AppProtectionState?) -> Void)?
  ) throws(WhatIfError) -> WhatIf<Machine> {
    func imagine(
      _ emit: ((ImaginedEvent<AppProtectionEvent>, Renumbering, AppProtectionState?) throws(HistoryError) -> Void)?
    ) throws(WhatIfError) -> WhatIf<Machine> {
      try WhatIf(
        editInput.edits, in: end.journal.protectionHistory, from: start.state.protection,
        after: (start.sequence, start.moment),
        upTo: end.sequence, limit: limit, observe: emit == nil ? observe : nil, emit: emit)
    }
    // Nothing is written of a history that cannot be imagined.
    let outcome = try imagine(nil)
    let journal: ImaginedJournal<Machine>
    do throws(HistoryError) {
      journal = try ImaginedJournal(
        at: target, imagining: end.journal.protectionHistory, after: start.sequence, editInput.edits,
        words: editInput.words.joined(separator: "\n"), createdNanoseconds: createdNanoseconds,
        fileSystem: context.environment.fileSystem)
    } catch {
      throw .history(error)
    }
    do throws(WhatIfError) {
      _ = try imagine { (event, numbering, state) throws(HistoryError) in
        try journal.append(event, numbering, state)
      }
      do throws(HistoryError) {
        try journal.finish { () throws(JournalError) in
          try ExportOrigin.carryOver(from: end.journal.history.reader.path, to: target, context.environment.fileSystem)
        }
      } catch {
        throw .history(error)
      }
    } catch {
      journal.abandon(with: [ExportOrigin.fileName])
      throw error
    }
    return outcome
  }

  /// An edit that changes nothing is likely a mistake.
  private func noteNothing(_ outcome: WhatIf<Machine>) {
    guard outcome.partsAt == nil else { return }
    context.note(
      "\(end.journal.path): no event \(beginning.sequence > 0 ? "from \(beginning.sequence + 1) " : "")up to \(outcome.realLast) "
        + "is one that the edits change. "
        + "Next: pj log \(end.journal.path.shellWord)")
  }
}
