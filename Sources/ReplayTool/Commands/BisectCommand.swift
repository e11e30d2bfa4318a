import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON

/// `pj bisect`: every event at which a condition on the state flips.
package enum BisectCommand: Command {
  package static let description = CommandDescription(
    "bisect", "Finds every event at which a condition on the state, or on a decision, begins or ceases to hold.",
    discussion: [
      """
      The history is read once, and the condition judged after each batch, so that one that flips back and forth is found \
      each time. A path tests the values there and below it, of which one is enough; without a comparison, whether anything \
      is set. A question is answered at the time of each event.
      """,
      .preformatted([
        "  /policies/a1/version > 17 and not /wipes", "  /accounts/*/status = wiping",
        "  saveTo(oneDriveForBusiness, a1) = denied",
      ]),
      """
      --run instead runs a command with the shell at as few events as possible, with the journal in PJ_JOURNAL and the event \
      in PJ_EVENT, and finds the first event at which it fails. As with git bisect run, 0 is good, 125 skips the event, other \
      codes up to 127 are bad. Higher ones, and a signal that ends the command, end the search with 6. It must be good at the \
      beginning and bad at the end.
      """,
      "pj help questions lists the questions. Values are words or quoted text, numbers, versions, durations (90m, P1D) or times.",
    ],
    examples: [
      .init("pj bisect field.pj --where '/accounts/*/status = wiping'", "When an account was being wiped."),
      .init(
        "pj bisect field.pj 2020-06.. --where 'saveTo(box, a1) = denied'", "Since when saving to Box is denied."),
      .init("pj bisect field.pj --run './test.sh'", "The first event at which a test of one's own fails."),
    ],
    positionals: [
      .journal,
      PositionalDescription(
        "RANGE", .optional, completion: .asks("positions"), "The events to look at, such as 2020-06..end. Default: all."
      ),
    ],
    options: [
      OptionDescription("where", short: "w", value: "CONDITION", "The condition."),
      OptionDescription("run", value: "COMMAND", "Run this command at events instead of judging a condition."),
      OptionDescription(
        "count", short: "n", value: "N", accepting: .integer(1...1_000_000), "End after N flips."),
      JournalSeeking.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "the condition flips"), ExitCodeDescription(1, "it never flips"),
      ExitCodeDescription(2, "wrong use"),
      ExitCodeDescription(3, "the journal is incomplete or damaged, or values cannot be compared"),
      ExitCodeDescription(4, "the journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
      ExitCodeDescription(6, "the command could not be run, was ended by a signal, or ended with 128 or more"),
    ])

  package static func description(in domain: AnyDomain) -> CommandDescription {
    var command = description
    guard domain.additions == nil else { return command }
    command.discussion[1] = .preformatted(["  /PART", "  not /PART"])
    let questions = domain.samples.question == nil ? "" : "pj help questions lists the questions. "
    command.discussion[3] =
      "\(questions)Values are words or quoted text, numbers, versions, durations (90m, P1D) or times: /PART > 17."
    command.examples = [
      .init("pj bisect field.pj --where /PART", "When a part of the state is set, and when not."),
      .init("pj bisect field.pj --where 'not /PART' -j", "The other way round, for programs."),
      .init("pj bisect field.pj --run 'sh test.txt'", "The first event at which a test of one's own fails."),
    ]
    return command
  }

  package static var schemas: [OutputSchema] { [BisectReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let (test, command) = (arguments.value(of: "where"), arguments.value(of: "run"))
    guard (test == nil) != (command == nil) else {
      throw Failure(
        .wrongUse, test == nil ? "--where is missing: it names the condition" : "--where and --run exclude each other",
        next: "\(Tool.name) help bisect")
    }
    guard command == nil || !arguments.isGiven("count") else {
      throw Failure(
        .wrongUse, "-n counts flips of a condition, and --run finds one event", next: "\(Tool.name) help bisect")
    }
    let condition = try test.map { (text) throws(Failure) in try Self.condition(text, context) }
    let (path, words) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = words.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help bisect")
    }
    let journal = try JournalInput(seekingIn: path, context)
    let range = try words.first.map { (word) throws(Failure) in try PositionInput.range(word) } ?? .all
    let (lower, upper, reasonForNothing) = try journal.positions.bounds(of: range)
    if let reasonForNothing {
      throw Failure(.wrongUse, "\(path): \(reasonForNothing)", next: "\(Tool.name) help positions")
    }
    // A command needs no states, so it can be run on a journal of any domain.
    var end =
      command != nil && journal.otherDomain != nil
      ? try journal.states.endWithoutState(at: upper)
      : try journal.states.reading(at: upper.map { .sequence($0) } ?? .end, context)
    // Nothing is known of a range that lies after damage.
    if lower > end.sequence { try end.expectEnd("whether the condition holds") }
    let first = min(max(lower, journal.history.firstSequence) - 1, end.sequence)
    if command == nil { end = try end.restingOnHistory(after: first) }
    let report = BisectReport(end, context)
    if let condition {
      end.noteUnknownAccounts(in: condition.questioned.flatMap(\.self), context)
      return try report.print(condition, after: first)
    }
    // The state before the first event is one that can be shown only if that event is kept.
    let firstShown = journal.history.firstSequence > 1 ? max(first, journal.history.firstSequence) : first
    return try report.print(halving(firstShown, end, command ?? ""))
  }

  private static func condition(_ text: String, _ context: CommandContext) throws(Failure) -> AnyStateCondition {
    do throws(FilterError) {
      return try context.environment.tool.domain.stateCondition(text)
    } catch {
      throw Failure(.wrongUse, "--where: \(error)", next: "\(Tool.name) help bisect")
    }
  }

  /// Runs the command until one event is left, or none can be distinguished from the others.
  private static func halving(_ first: UInt64, _ end: TrustedState, _ command: String) throws(Failure) -> Bisector {
    let path = end.journal.path
    func verdict(at sequence: UInt64) throws(Failure) -> Bisector.Verdict {
      let variables = [("PJ_JOURNAL", path), ("PJ_EVENT", String(sequence))]
      func ended(_ how: String) -> Failure {
        Failure(
          .commandFailed, "\(path): the command \(how) at event \(sequence); the search ends without an answer",
          next: "PJ_JOURNAL=\(path.shellWord) PJ_EVENT=\(sequence) sh -c \(command.shellWord)")
      }
      switch Platform.runShell(command, variables) {
      case .exited(0): return .good
      case .exited(125): return .skipped
      // No test has said anything yet: the shell has not found it, or cannot run it.
      case .exited(let code) where sequence == first && (code == 126 || code == 127):
        throw ended("cannot be run: the shell ended with \(code)")
      case .exited(1...127): return .bad
      case .exited(let code): throw ended("ended with \(code), which is neither good nor bad,")
      case .killed(let signal): throw ended("was ended by the signal \(Platform.name(ofSignal: signal))")
      case .notStarted(let error): throw ended("could not be started: \(Platform.message(ofError: error))")
      }
    }
    var halving = Bisector(good: first, bad: end.sequence)
    for (sequence, expected) in [(first, Bisector.Verdict.good), (end.sequence, .bad)] {
      let found = try verdict(at: sequence)
      if found != expected { try end.expectEnd("whether the command fails") }
      guard found == expected else {
        throw Failure(
          .different,
          "\(path): the command is \(found) at event \(sequence), where it must be \(expected)",
          next: "\(Tool.name) help bisect")
      }
    }
    while let next = halving.next { halving.record(try verdict(at: next), at: next) }
    return halving
  }
}
