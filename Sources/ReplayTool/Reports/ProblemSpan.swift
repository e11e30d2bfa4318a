import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// From when to when a history shows a problem.
struct ProblemSpan {
  /// The event from which on it is seen; `nil` where the history does not have it.
  let first: EventContext?
  /// The last event that shows it.
  let last: EventContext?
  /// The event that ended it; `nil` if none did.
  private let ending: EventContext?
  private let isOver: Bool
  /// Up to where it lasted, in nanoseconds since 1970-01-01T00:00:00Z: to what ended it, or to the end of what was judged if it
  /// holds there.
  private let end: Int64?

  init(_ problem: FoundProblem, in events: NamedEvents, upTo report: FoundProblems) {
    func context(_ sequence: UInt64?, _ moment: Moment?) -> EventContext? {
      guard let sequence, sequence > 0, let moment = moment ?? events[sequence]?.moment else { return nil }
      return EventContext(sequence: sequence, moment: moment)
    }
    let ending = problem.ending.flatMap { $0.kind == .outOfSight ? nil : $0.event }
    // What ended it does not show it, nor does what is evidence of that, after the last sighting.
    let isSeen = problem.isOver && !problem.episodes.isEmpty
    let shown = isSeen ? [] : problem.evidence.filter { $0.sequence == nil || $0.sequence != ending?.sequence }
    let seen = shown.compactMap { context($0.sequence, $0.moment) } + [problem.episodes.last?.last].compactMap { $0 }
    let deciding = context(problem.decidingEvent, problem.decidingMoment)
    let begun = [deciding, problem.episodes.first?.first].compactMap { $0 }.filter { $0.sequence > 0 }
    let first = begun.min { $0.sequence < $1.sequence }
    let last = (seen + [first].compactMap { $0 }).max { $0.sequence < $1.sequence }
    end = problem.isOver ? (ending ?? last)?.moment.wallNanoseconds : report.lastWallNanoseconds
    (self.first, self.last, self.ending, isOver) = (first, last, ending, problem.isOver)
  }

  /// How long it lasted; `nil` where that is not known, as across a clock that went back.
  private var nanoseconds: Int64? {
    guard let first, let end else { return nil }
    let (length, isTooLong) = end.subtractingReportingOverflow(first.moment.wallNanoseconds)
    return isTooLong || length < 0 ? nil : length
  }

  /// The same in whole seconds.
  var seconds: Int64? { nanoseconds.map { $0 / CivilTime.nanosecondsPerSecond } }

  /// `seen from 2026-10-06T08:31:00Z to 2026-10-06T09:00:00Z, over at 2026-10-06T09:05:00Z (34 minutes)`; `nil` where no event is
  /// known.
  var words: String? {
    guard let first else { return nil }
    let begin = Self.time(first.moment).text
    let length = nanoseconds.map { " (\(SpanWords.words($0)))" } ?? ""
    guard isOver, let last else { return "seen since \(begin)\(length)" }
    let seen =
      last.sequence == first.sequence ? "seen at \(begin)" : "seen from \(begin) to \(Self.time(last.moment).text)"
    guard let ending else { return last.sequence == first.sequence ? seen : seen + length }
    return "\(seen), over at \(Self.time(ending.moment).text)\(length)"
  }

  /// Whether a problem touches some days. Where its episodes are known, one of them must, or one of those left out may.
  func touches(_ days: Range<Int64>, _ problem: FoundProblem) -> Bool {
    guard !problem.episodes.isEmpty else {
      guard let first else { return true }
      return Self.touches(first.moment.wallNanoseconds, isOver ? end ?? .max : .max, days)
    }
    let kept = problem.episodes.suffix(2).map { Self.ends(of: $0) }
    if problem.episodeCount > problem.episodes.count, kept.count == 2, Self.touches(kept[0].last, kept[1].first, days) {
      return true
    }
    return problem.episodes.contains { Self.touches($0, days) }
  }

  private static func touches(_ episode: DiagnosisEpisode, _ days: Range<Int64>) -> Bool {
    touches(ends(of: episode).first, ends(of: episode).last, days)
  }

  private static func ends(of episode: DiagnosisEpisode) -> (first: Int64, last: Int64) {
    (episode.first.moment.wallNanoseconds, episode.ending.map { $0.event.moment.wallNanoseconds } ?? .max)
  }

  private static func touches(_ first: Int64, _ last: Int64, _ days: Range<Int64>) -> Bool {
    first < days.upperBound && max(first, last) >= days.lowerBound
  }

  /// The episodes of a problem that was seen several times, or those that touch some days, a line each.
  static func words(of problem: FoundProblem, about days: Range<Int64>?) -> [String] {
    if let days { return problem.episodes.filter { touches($0, days) }.map { words(of: $0) } }
    guard problem.episodeCount > 1 else { return [] }
    let omitted = problem.episodeCount - problem.episodes.count
    var lines = problem.episodes.map { words(of: $0) }
    if omitted > 0 { lines.insert("and \(omitted.counted("other episode"))", at: lines.count - 1) }
    return lines
  }

  /// `episode from event 41 (2026-10-06T08:31:00Z) to 43 (2026-10-06T08:33:00Z), 3 times: recovered at event 44`.
  static func words(of episode: DiagnosisEpisode) -> String {
    let (first, last) = (episode.first, episode.last)
    let begin = first.sequence == 0 ? "before the first event" : "event \(first.sequence) (\(time(first.moment).text))"
    let range =
      first.sequence == last.sequence ? "at \(begin)" : "from \(begin) to \(last.sequence) (\(time(last.moment).text))"
    let times = episode.count > 1 ? ", \(episode.count) times" : ""
    let ending = episode.ending.map {
      $0.kind == .outOfSight ? "not seen again" : "\($0.kind) at event \($0.event.sequence)"
    }
    return "episode \(range)\(times): \(ending ?? "it lasts")"
  }

  /// The time of an event.
  static func time(_ moment: Moment) -> CivilTime { CivilTime(nanoseconds: moment.wallNanoseconds) }
}
