import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON

/// `pj diagnose`: the problems that a history shows.
package enum DiagnoseCommand: Command {
  package static let description = CommandDescription(
    "diagnose", "Names the problems that a history shows, their causes first, with evidence and the next step.",
    discussion: [
      """
      The rules of the domain read the history once. Each finding says what is wrong, since which event, how certain that is, \
      and what to do; what did not happen counts as evidence, too. A problem that another one led to stands below it. The page \
      Diagnosis describes each family.
      """,
      """
      Problems that hold at the end stand first; what is over follows, with how it ended: recovered, replaced by another \
      problem, wiped, abandoned by the app or its user, or not seen for two weeks. --only now is for CI.
      """,
      """
      --complaint begins with what the user says: the families of problems that lead to it are judged, then the rules are asked \
      what the user meets, with the first event at which an answer became a reason to complain. --about takes the day of which \
      the user speaks, and judges it with all that the journal knows, while --at forgets what came later. --against ranks by \
      surprise: what came again and again here and never there stands first.
      """,
      "What a damaged journal no longer shows is not judged; pj says where that begins.",
      "The page Tour takes a case from the file that a user sent to the event that decided it.",
    ],
    examples: [
      .init("pj diagnose field.pj", "What is wrong, and why."),
      .init("pj diagnose field.pj --complaint blocked", "Why the app does not let the user in, and since when."),
      .init(
        "pj diagnose field.pj --against good.pj", "The same, and how it differs from a journal without the problem."),
    ],
    positionals: [
      .journal,
      PositionalDescription(
        "RANGE", .optional, completion: .asks("positions"),
        "Only problems that held within it, such as 2020-06..end. Default: all."),
    ],
    options: [
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"),
        "Judge the history up to here: pj help positions. Default: the end."),
      OptionDescription(
        "about", value: "DATE", completion: .asks("positions"),
        "Only what touched this day (UTC): 2026-10-05, yesterday, or the day of an event."),
      OptionDescription(
        "complaint", value: "WORD", accepting: .oneOf(Complaint.allCases.map(\.rawValue)),
        "Only what leads to this complaint of a user, and what the rules answered."),
      OptionDescription(
        "family", value: "FAMILY", accepting: .oneOf(ProblemFamily.allCases.map(\.id)),
        repeatable: true, "Only problems of this family."),
      OptionDescription(
        "only", value: "STATE", accepting: .oneOf(["now", "over"]),
        "Only problems that hold at the end, or only those that are over."),
      OptionDescription(
        "against", value: "GOOD", completion: .directory,
        "Also rank what differs from this healthy journal: events, what follows what, and answers at the end."),
      OptionDescription("families", "List the families instead."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "nothing was found"), ExitCodeDescription(1, "something was found"),
      ExitCodeDescription(2, "wrong use"),
      ExitCodeDescription(3, "the journal is incomplete or damaged, so that something may not have been found"),
      ExitCodeDescription(4, "the journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [DiagnosisReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    if arguments.flag("families") {
      DiagnosisReport.printFamilies(context)
      return .done
    }
    let (path, words) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = words.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "pj help diagnose")
    }
    let position = arguments.value(of: "at")
    try refuseTogether("--at", position, with: "a range", words.first)
    try refuseTogether("--about", arguments.value(of: "about"), with: "--at", position)
    try refuseTogether("--about", arguments.value(of: "about"), with: "a range", words.first)
    try refuseTogether("--complaint", arguments.value(of: "complaint"), with: "--family", arguments.value(of: "family"))
    let journal = try JournalInput(path, context.environment)
    try journal.requireOwnDomain()
    let day = try arguments.value(of: "about").map { (word) throws(Failure) in
      try journal.positions.days(of: try PositionInput.position(word))
    }
    let range = try words.first.map { (word) throws(Failure) in try PositionInput.range(word) } ?? .all
    var (lower, upper, reasonForNothing) = try journal.positions.bounds(of: range)
    if let reasonForNothing { throw Failure(.wrongUse, "\(path): \(reasonForNothing)", next: "pj help positions") }
    if let position {
      lower = 1
      upper = try journal.positions.sequence(of: try PositionInput.position(position), mayPrecede: true, context)
    }
    return try DiagnosisReport(journal, about: day, context).print(from: lower, upTo: upper)
  }

  private static func refuseTogether(
    _ one: String, _ value: String?, with other: String, _ otherValue: String?
  ) throws(Failure) {
    guard value != nil, otherValue != nil else { return }
    throw Failure(.wrongUse, "\(one) and \(other) exclude each other", next: "pj help diagnose")
  }
}
