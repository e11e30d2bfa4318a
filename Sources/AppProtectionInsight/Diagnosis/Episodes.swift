import AppProtection
import EventSourcing
import PlainText

/// The episodes of one trouble: the stretches during which it was seen.
///
/// A sighting begins an episode, or belongs to the one that lasts. What comes within an hour after an episode has ended goes
/// on with it. An episode that is not seen for two weeks was over with its last sighting, unless the state shows it.
struct Episodes: Sendable {
  /// So soon after an end, the same trouble has not ended (DERIVED).
  static let pause = RetrySchedule.hour
  /// So long without a sighting, the trouble is out of sight (DERIVED).
  static let sight = 14 * RetrySchedule.day
  /// So many episodes, or so many sightings, are trouble although each was over soon (DERIVED).
  static let many = (episodes: 3, sightings: 5)
  /// The most episodes kept: the first ones and the last one.
  private static let maximumKept = Problem.maximumEvidence

  /// Whether the state shows the trouble between its sightings, so that it lasts until an event ends it.
  private let isOfState: Bool
  private(set) var count = 0
  /// The sightings in all of them.
  private(set) var sightings = 0
  private(set) var kept: [DiagnosisEpisode] = []

  /// - Parameter isOfState: Whether the state shows the trouble between its sightings.
  init(ofState isOfState: Bool = false) { self.isOfState = isOfState }

  /// The first sighting of all.
  var first: EventContext? { kept.first?.first }
  /// The last one.
  var last: EventContext? { kept.last?.last }
  /// Whether the last one lasts.
  var isOpen: Bool { kept.last.map { $0.ending == nil } ?? false }
  /// Whether it came so often that it is trouble although each episode was over soon.
  var isRecurrent: Bool { count >= Self.many.episodes || sightings >= Self.many.sightings }

  /// Sees it with an event.
  mutating func see(_ context: EventContext) {
    sightings += 1
    endOutOfSight(at: context)
    guard var episode = kept.last, episode.ending.map({ context.elapsed(since: $0.event) <= Self.pause }) ?? true else {
      count += 1
      if kept.count == Self.maximumKept { kept.removeLast() }
      kept.append(DiagnosisEpisode(beginning: context))
      return
    }
    episode.ending = nil
    (episode.last, episode.count) = (context, episode.count + 1)
    kept[kept.count - 1] = episode
  }

  /// Adds a stretch that is over. One that began before the last one was over goes on with that.
  mutating func add(since first: EventContext, _ ending: DiagnosisEnding) {
    let earlier = kept.last?.ending?.event
    see(earlier.flatMap { $0.sequence > first.sequence ? $0 : nil } ?? first)
    end(ending.kind, at: ending.event)
  }

  /// Ends the episode that lasts.
  mutating func end(_ kind: DiagnosisEnding.Kind, at context: EventContext) {
    guard isOpen else { return }
    kept[kept.count - 1].ending = DiagnosisEnding(kind, at: context)
  }

  /// Forgets the episode that lasts: it was something else.
  mutating func forgetLast() {
    guard isOpen, let episode = kept.popLast() else { return }
    (count, sightings) = (count - 1, sightings - episode.count)
  }

  /// Ends the episode that lasts if it has not been seen for long.
  mutating func endOutOfSight(at context: EventContext) {
    guard isOpen, !isOfState, let last, Self.isOutOfSight(last, at: context) else { return }
    end(.outOfSight, at: last)
  }

  /// What is known of it at a later event, at which it may be out of sight.
  func seen(at context: EventContext) -> Self {
    var episodes = self
    episodes.endOutOfSight(at: context)
    return episodes
  }

  /// Whether a trouble that one event after another shows, and whose state nothing tells, was not seen for long.
  static func isOutOfSight(_ sighting: EventContext?, at context: EventContext) -> Bool {
    sighting.map { context.elapsed(since: $0) > sight } ?? false
  }

  /// How often, with the day of the week where each episode began on the same one: `3 times, each on a Saturday (UTC)`; or
  /// `4 times, on 4 days in a row` where each began on the day after the one before.
  var words: String { count.counted("time") + pattern }

  /// What the days on which the episodes began have in common.
  var pattern: String {
    guard kept.count == count, count >= Self.many.episodes else { return "" }
    let weekdays = Set(kept.compactMap { Weekday(ofNanoseconds: $0.first.moment.wallNanoseconds) })
    let weeks = Set(kept.map { $0.first.moment.wallNanoseconds / (7 * RetrySchedule.day) })
    if weeks.count == count, weekdays.count == 1, let day = weekdays.first {
      return ", each on a \(day.name) (UTC)"
    }
    let days = kept.map { $0.first.moment.wallNanoseconds / RetrySchedule.day }
    return zip(days, days.dropFirst()).allSatisfy { $1 == $0 + 1 } ? ", on \(count) days in a row" : ""
  }
}

extension Problem {
  /// Says in which episodes it was seen, and that it is over if the last one is.
  ///
  /// - Parameter last: The last event; `nil` where the state says whether it lasts, so that it is never out of sight.
  mutating func show(_ episodes: Episodes, at last: EventContext? = nil) {
    let episodes = last.map { episodes.seen(at: $0) } ?? episodes
    show(episodes.kept, of: episodes.count)
    guard !isOver, let ending = episodes.kept.last?.ending else { return }
    end(ending.kind, at: ending.event)
  }

  /// Says in which episodes it was seen, and how often it came.
  mutating func describe(_ episodes: Episodes) {
    if episodes.count > 1 { sentence += "; it came \(episodes.words)" }
    show(episodes.kept, of: episodes.count)
  }

  /// The problem, which lasts, with the episodes before it, if there were any that are not part of it.
  func following(_ earlier: Episodes?) -> Self {
    guard var episodes = earlier, let moment = decidingMoment,
      let before = episodes.kept.last?.ending?.event, before.sequence < decidingEvent
    else { return self }
    episodes.see(EventContext(sequence: decidingEvent, moment: moment))
    guard episodes.count > 1 else { return self }
    var problem = self
    problem.describe(episodes)
    return problem
  }

  /// Says that it is over if nothing showed it for long, and then that it is worth a note.
  ///
  /// - Parameters:
  ///   - sighting: The last event that shows it.
  ///   - times: How often it was seen.
  mutating func endOutOfSight(since sighting: EventContext?, _ times: Int = 1, at last: EventContext) {
    guard !isOver, let sighting, Episodes.isOutOfSight(sighting, at: last) else { return }
    end(.outOfSight, at: sighting)
    severity = min(severity, times >= Episodes.many.episodes ? .warning : .note)
  }
}
