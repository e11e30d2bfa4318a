import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON

/// What `diagnose` does in every tool: the problems that a history shows.
package struct ProblemSearch: Sendable {
  /// The complaints of the domain's users; `nil` for a domain that knows none.
  private let complaints: (any ComplaintBook)?

  package init(_ complaints: (any ComplaintBook)? = nil) { self.complaints = complaints }

  /// What `-j` writes.
  package var schema: OutputSchema { DiagnosisReport.records(with: complaints).schema }

  /// The description of the command.
  ///
  /// - Parameters:
  ///   - families: The names of the families.
  ///   - pages: The sentences that name the page about the families, and one to begin with; empty for none.
  ///   - examples: In the words of the domain.
  package func description(
    families: [String], pages: (families: String, tour: String) = ("", ""), examples: [CommandDescription.Example]
  ) -> CommandDescription {
    CommandDescription(
      "diagnose", "Names the problems that a history shows, their causes first, with evidence and the next step.",
      discussion: [
        .paragraph(
          """
          The rules of the domain read the history once. Each finding says what is wrong, since which event, how certain that \
          is, and what to do; what did not happen counts as evidence, too. A problem that another one led to stands below it.
          """ + pages.families),
        .paragraph(
          """
          Problems that hold at the end stand first; what is over follows, with how it ended: recovered, replaced by another \
          problem, wiped, abandoned by the app or its user, or not seen for two weeks. --only now is for CI.
          """),
        .paragraph(
          (complaints == nil
            ? ""
            : """
            --complaint begins with what the user says: the families of problems that lead to it are judged, then the rules \
            are asked what the user meets, with the first event at which an answer became a reason to complain.
            """ + " ")
              + """
              --about takes the day of which the user speaks, and judges it with all that the journal knows, while --at forgets \
              what came later. --against ranks by surprise: what came again and again here and never there stands first.
              """),
        .paragraph("What a damaged journal no longer shows is not judged; pj says where that begins."),
      ] + (pages.tour.isEmpty ? [] : [.paragraph(pages.tour)]),
      examples: examples,
      positionals: [
        .journal,
        PositionalDescription(
          "RANGE", .optional, completion: .asks("positions"),
          "Only problems that held within it, such as 2020-06..end. Default: all."),
      ],
      options: options(families),
      exitCodes: [
        ExitCodeDescription(0, "nothing was found"), ExitCodeDescription(1, "something was found"),
        ExitCodeDescription(2, "wrong use"),
        ExitCodeDescription(3, "the journal is incomplete or damaged, so that something may not have been found"),
        ExitCodeDescription(4, "the journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
      ])
  }

  private func options(_ families: [String]) -> [OptionDescription] {
    let complaint = complaints.map { complaints in
      OptionDescription(
        "complaint", value: "WORD", accepting: .oneOf(complaints.words),
        "Only what leads to this complaint of a user, and what the rules answered.")
    }
    return [
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"),
        "Judge the history up to here: pj help positions. Default: the end."),
      OptionDescription(
        "about", value: "DATE", completion: .asks("positions"),
        "Only what touched this day (UTC): 2026-10-05, yesterday, or the day of an event."),
    ] + (complaint.map { [$0] } ?? []) + [
      OptionDescription(
        "family", value: "FAMILY", accepting: .oneOf(families), repeatable: true, "Only problems of this family."),
      OptionDescription(
        "only", value: "STATE", accepting: .oneOf(["now", "over"]),
        "Only problems that hold at the end, or only those that are over."),
      OptionDescription(
        "against", value: "GOOD", completion: .directory,
        "Also rank what differs from this healthy journal: events, what follows what, and answers at the end."),
      OptionDescription("families", "List the families instead."),
      OptionDescription(
        "format", value: "FORMAT", accepting: .oneOf(["html"]),
        "Print a page of the case instead, to hand on: html, which loads nothing."),
    ]
  }

  /// Carries out a command line.
  package func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    if let format = arguments.value(of: "format") {
      try context.refuseJSON("--format")
      try refuseTogether("--format", format, with: "--families", arguments.flag("families") ? "" : nil)
    }
    if arguments.flag("families") {
      DiagnosisReport.printFamilies(complaints, context)
      return .done
    }
    let (path, words) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = words.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help diagnose")
    }
    let position = arguments.value(of: "at")
    try refuseTogether("--at", position, with: "a range", words.first)
    try refuseTogether("--about", arguments.value(of: "about"), with: "--at", position)
    try refuseTogether("--about", arguments.value(of: "about"), with: "a range", words.first)
    if complaints != nil {
      try refuseTogether(
        "--complaint", arguments.value(of: "complaint"), with: "--family", arguments.value(of: "family"))
    }
    let journal = try JournalInput(path, context.environment)
    try journal.requireOwnDomain()
    let day = try arguments.value(of: "about").map { (word) throws(Failure) in
      try journal.positions.days(of: try PositionInput.position(word))
    }
    let range = try words.first.map { (word) throws(Failure) in try PositionInput.range(word) } ?? .all
    var (lower, upper, reasonForNothing) = try journal.positions.bounds(of: range)
    if let reasonForNothing {
      throw Failure(.wrongUse, "\(path): \(reasonForNothing)", next: "\(Tool.name) help positions")
    }
    if let position {
      lower = 1
      upper = try journal.positions.sequence(of: try PositionInput.position(position), mayPrecede: true, context)
    }
    return try DiagnosisReport(journal, about: day, complaints, context).print(from: lower, upTo: upper)
  }

  private func refuseTogether(
    _ one: String, _ value: String?, with other: String, _ otherValue: String?
  ) throws(Failure) {
    guard value != nil, otherValue != nil else { return }
    throw Failure(.wrongUse, "\(one) and \(other) exclude each other", next: "\(Tool.name) help diagnose")
  }
}
