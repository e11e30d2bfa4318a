import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON

/// The results of `pj whatif`.
struct WhatIfReport {
  let editInput: EditInput
  /// The end of the real history, as far as it is known.
  let end: TrustedState
  let context: CommandContext
  let values: ValueText
  private let imagination: DomainImagination
  private let beginning: HistoryBeginning
  private let questions: [AnyQuestion]
  /// When a journal of the imagined history is created.
  private let createdNanoseconds: Int64

  /// How many lines of each kind a summary has.
  static let summaryLength = 12

  init(
    _ imagination: DomainImagination, _ input: EditInput, _ end: TrustedState, _ beginning: HistoryBeginning,
    _ questions: [AnyQuestion], createdNanoseconds: Int64, _ context: CommandContext
  ) {
    (self.imagination, self.createdNanoseconds) = (imagination, createdNanoseconds)
    (editInput, self.end, self.beginning, self.questions, self.context) = (input, end, beginning, questions, context)
    values = ValueText(context.redaction)
  }

  /// Imagines the history, prints what differs, and writes it if a folder is named.
  func print(writingTo target: String?) throws(Failure) -> ExitCode {
    let outcome = try imagine(target)
    let isDifferent =
      questions.isEmpty
      ? !outcome.difference.isEmpty || outcome.tally.count > 0 : outcome.asked.contains { $0.everDiffers }
    let code = end.exitCode != .done ? end.exitCode : isDifferent ? .different : .done
    context.report { lines in
      write(outcome, target, code, to: lines)
    } text: {
      printText(outcome, target)
    }
    end.note(context)
    end.noteUnknownAccounts(
      in: editInput.accounts.map(EventAccounts.pseudonym) + questions.flatMap(\.values), besides: outcome.imagined,
      context)
    noteNothing(outcome)
    return code
  }

  /// Reads the history once; with a target, a second time for its journal.
  private func imagine(_ target: String?) throws(Failure) -> ImaginedOutcome {
    let limit = context.arguments.value(of: "count").flatMap { Int($0) } ?? 20
    let isListing = !questions.isEmpty && context.arguments.flag("when")
    // Without a change before that, the real states up to the first edit are those of both histories.
    let start = try startingPoint(isWhole: target != nil || isListing)
    end.journal.begin("imagining")
    let place = target.map {
      ImaginedPlace(
        $0, words: editInput.words.joined(separator: "\n"), createdNanoseconds: createdNanoseconds,
        context.environment.fileSystem)
    }
    do throws(WhatIfError) {
      return try imagination.imagine(
        ImaginationRequest(
          end.journal.history,
          FollowedStretch(from: start.state, after: (start.sequence, start.moment), upTo: end.sequence), limit: limit,
          asking: questions, isListing: isListing, context.redaction, to: place), with: editInput.edits)
    } catch {
      switch error {
      case .history(let error): throw Failure(error, journal: target ?? end.journal.path)
      case .refused(let place, let rule, let reason):
        throw Failure(
          .wrongUse,
          "what is to be inserted after event \(place) is refused there: \(reason) (\(rule))",
          next: "\(Tool.name) state \(end.journal.path.shellWord)@\(place)")
      }
    }
  }

  private func startingPoint(isWhole: Bool) throws(Failure) -> HistoryBeginning {
    let first = editInput.edits.firstEdited(from: beginning.sequence + 1) - 1
    guard !isWhole, first > beginning.sequence, first <= end.sequence else { return beginning }
    return try Failure.translating(journal: end.journal.path, try end.journal.states.beginning(after: first))
  }

  /// An edit that changes nothing is likely a mistake.
  private func noteNothing(_ outcome: ImaginedOutcome) {
    guard outcome.partsAt == nil else { return }
    context.note(
      "\(end.journal.path): no event \(beginning.sequence > 0 ? "from \(beginning.sequence + 1) " : "")up to \(outcome.realLast) "
        + "is one that the edits change. "
        + "Next: \(Tool.name) log \(end.journal.path.shellWord)")
  }
}
