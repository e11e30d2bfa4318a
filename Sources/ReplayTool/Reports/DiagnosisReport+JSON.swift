import CommandSupport
import EventSourcing
import Forensics
import PlainText

extension DiagnosisReport {
  /// What `-j` writes.
  static func records(with complaints: (any ComplaintBook)?) -> JSONOutput<JournalInput, End> {
    let own: [any JSONRecordKind] = [finding, difference, family]
    return JSONOutput(
      "diagnose", start: [.init("journal", \.path)], own + (complaints?.records ?? []),
      end: [
        .init("findings", \.findings), .init("standing", \.standing), .init("leftOut", \.report.leftOut),
        .init("judgedUpTo", \.report.last),
        .init("notJudged") { end in end.report.obstacle.map { Failure($0, journal: end.path).message } },
      ])
  }

  /// What the last record is about: `standing` problems hold at the end, asked for or not.
  typealias End = (report: FoundProblems, findings: Int, standing: Int, path: String)

  static let finding = JSONRecord<Shown>(
    "finding",
    [
      .init("family", \.ranked.problem.kind.id), .init("severity", \.ranked.problem.severity.name),
      .init("subject") { $0.ranked.problem.subject.map { RedactedText.sentence($0) } },
      .init("sentence") { RedactedText.sentence($0.ranked.problem.sentence) },
      .init("deciding") { $0.ranked.problem.evidence.first?.sequence },
      .init("evidence", each: evidence) { shown in
        shown.ranked.problem.evidence.map { ($0, shown.events[$0.sequence]) }
      },
      .init("confidence", \.ranked.problem.confidence.name),
      .init("next") { RedactedText.sentence($0.ranked.problem.next) }, .init("command", \.command),
      .init("page", \.ranked.problem.kind.page), .init("until", \.ranked.problem.until),
      .init("explainedBy", \.ranked.explainedBy),
      .init("state", oneOf: ["now", "over"]) { $0.ranked.problem.isOver ? "over" : "now" },
      .init("time") { $0.ranked.problem.decidingMoment.map(time) },
      .init("ending", orNull: ending, \.ranked.problem.ending),
      .init("episodeCount", \.ranked.problem.episodeCount),
      .init("episodes", each: episode, \.ranked.problem.episodes),
      .init("firstEvent", \.span.first?.sequence), .init("firstTime") { $0.span.first.map { time($0.moment) } },
      .init("lastEvent", \.span.last?.sequence), .init("lastTime") { $0.span.last.map { time($0.moment) } },
      .init("durationSeconds", \.span.seconds),
      .init("versions", orNull: versions) { $0.events.versions(at: $0.ranked.problem) },
    ])

  private static func time(_ moment: Moment) -> CivilTime { ProblemSpan.time(moment) }

  /// A version is whatever the app says, even an address.
  private static func version(_ text: String?) -> RedactedText? {
    text.flatMap { $0.isEmpty ? nil : .sentence($0) }
  }

  private static let versions: [JSONMember<NamedEvents.Versions>] = [
    .init("app") { version($0.surroundings.app) }, .init("sdk") { version($0.surroundings.engine) },
    .init("os") { version($0.surroundings.system) }, .init("policy", \.policy),
  ]

  private static let ending: [JSONMember<DiagnosisEnding>] = [
    .init("how", \.kind), .init("event", \.event.sequence), .init("time") { time($0.event.moment) },
  ]

  private static let episode: [JSONMember<DiagnosisEpisode>] = [
    .init("event") { $0.first.sequence == 0 ? nil : $0.first.sequence }, .init("time") { time($0.first.moment) },
    .init("lastEvent", \.last.sequence), .init("lastTime") { time($0.last.moment) }, .init("times", \.count),
    .init("ending", orNull: ending, \.ending),
  ]

  private static let evidence: [JSONMember<(piece: DiagnosisEvidence, facts: NamedEvents.Facts?)>] = [
    .init("event", \.piece.sequence), .init("text") { RedactedText.sentence($0.piece.text) },
    .init("time") { ($0.piece.moment ?? $0.facts?.moment).map(time) }, .init("type", \.facts?.type),
    .init("versions", orNull: versions, \.facts?.versions),
  ]

  static let difference = JSONRecord<HistoryDifference>(
    "difference",
    [
      .init("what", \.kind.rawValue), .init("text", \.text), .init("event", \.first), .init("here", \.here),
      .init("there", \.there), .init("family", \.family),
    ])

  static let family = JSONRecord<ProblemKind>(
    "family",
    [
      .init("family", \.id), .init("title", \.title), .init("severity", \.severity.name), .init("page", \.page),
    ])
}

extension DiagnosisEnding.Kind: JSONWord {}
