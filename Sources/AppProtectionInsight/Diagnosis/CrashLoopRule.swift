import AppProtection
import EventSourcing
import PlainText

/// A version of the app whose processes end without an orderly end: much more often than those of the version before, or again
/// and again shortly after their start.
///
/// Systems end apps in the background without a word, so that a missing end alone is nothing. The deciding event is the start
/// of the first such process of the version.
struct CrashLoopRule: ProblemRule {
  /// So many processes without an orderly end are a loop, if they are most of their version's, and few of the version's before;
  /// so many are more than a note; and so many processes of the version before show how it ended.
  private static let (least, many, leastBefore) = (3, 5, 2)
  /// A process after which the next one starts so soon ended at once.
  private static let brevity = 10 * RetrySchedule.minute
  /// The most versions that are remembered.
  private static let maximumKept = 8
  /// So many orderly ends in a row end a loop.
  private static let calm = 3

  private struct Version: Sendable {
    let name: String
    var processes = 0
    var crashes = 0
    /// Those that ended at once, one after another: the latest row, and the first one that is a loop.
    var row = Occurrences()
    var loop = Occurrences()
    var orderly = 0
    /// The episodes with their crashes, and the crashes that are none yet.
    var episodes = Episodes()
    var shown = Occurrences()
    var fresh: [EventContext] = []
    /// The processes and crashes up to the end of the last episode.
    var atEnd: (processes: Int, crashes: Int)?
    /// Whether so many orderly ends came in a row that the next crash is nothing by itself.
    var isCalm = true
    /// The version whose processes ended in an orderly way while most of this one's did not.
    var sound: String?

    /// Whether three of four or more ended so.
    var isMostly: Bool { crashes >= CrashLoopRule.least && crashes * 4 >= processes * 3 }
    /// Whether one of four or fewer did.
    var isRarely: Bool { processes >= CrashLoopRule.leastBefore && crashes * 4 <= processes }

    /// The app ended without an orderly end.
    mutating func crash(_ start: EventContext) {
      crashes += 1
      orderly = 0
      fresh.append(start)
      guard !isCalm || fresh.count >= CrashLoopRule.least else { return }
      for start in fresh {
        episodes.see(start)
        shown.add(start)
      }
      (fresh, isCalm) = ([], false)
    }

    /// The episode that lasts is over.
    mutating func recover(_ context: EventContext) {
      guard episodes.isOpen else { return }
      episodes.end(.recovered, at: context)
      atEnd = (processes, crashes)
    }

    /// The app ended in an orderly way.
    mutating func end(_ context: EventContext) {
      orderly += 1
      row = Occurrences()
      guard orderly >= CrashLoopRule.calm else { return }
      recover(context)
      (fresh, isCalm) = ([], true)
    }

    /// The app ended at once, or only after a while.
    mutating func end(_ start: EventContext, atOnce: Bool) {
      guard atOnce else {
        row = Occurrences()
        return
      }
      row.add(start)
      if row.count >= CrashLoopRule.least, loop.first == nil || loop.first == row.first { loop = row }
    }
  }

  /// In the order in which they first started.
  private var versions: [Version] = []
  /// The start of the process that runs.
  private var current: EventContext?
  /// The version that started last.
  private var latest: String?

  static let events: [any EventPayload.Type] = [ProcessStarted.self, ProcessEnded.self]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .processStarted(let start):
      guard !start.isExtension else { break }
      if let current { crash(current, next: context) }
      if latest != start.appVersion { update(to: start.appVersion, context) }
      latest = start.appVersion
      if let place = running { versions[place].processes += 1 }
      current = context
    case .processEnded:
      current = nil
      guard let place = running else { break }
      versions[place].end(context)
      compare()
    default: break
    }
  }

  /// The place of the version that started last.
  private var running: Int? { versions.firstIndex { $0.name == latest } }

  /// Another version starts, for the first time or again.
  private mutating func update(to name: String, _ context: EventContext) {
    if let place = running { versions[place].recover(context) }
    guard !versions.contains(where: { $0.name == name }) else { return }
    if versions.count == Self.maximumKept {
      // What was no loop is forgotten first.
      let compared = Set(versions.compactMap(\.sound))
      let place = versions.firstIndex { $0.sound == nil && $0.loop.count == 0 && !compared.contains($0.name) }
      versions.remove(at: place ?? 0)
    }
    versions.append(Version(name: name))
  }

  /// A process of the version that started last ended without an orderly end.
  private mutating func crash(_ start: EventContext, next: EventContext) {
    guard let place = running else { return }
    versions[place].crash(start)
    versions[place].end(start, atOnce: next.elapsed(since: start) <= Self.brevity)
    compare()
  }

  /// Remembers of each version that is worse than another one that it is: orderly ends that come later do not undo that.
  private mutating func compare() {
    for place in versions.indices where versions[place].sound == nil && versions[place].isMostly {
      versions[place].sound = sound(beside: place)?.name
    }
  }

  /// The version before one, if it rarely ended so; where one ended so many times, another version that rarely did.
  private func sound(beside place: Int) -> Version? {
    if place > 0, versions[place - 1].isRarely { return versions[place - 1] }
    guard versions[place].crashes >= Self.many else { return nil }
    return versions.first { $0.isRarely && $0.processes >= Self.many }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    versions.compactMap { version in
      let sound = versions.first { $0.name == version.sound }
      guard version.loop.count > 0 || sound != nil else { return nil }
      return problem(version, beside: sound, last)
    }
  }

  private func problem(_ version: Version, beside sound: Version?, _ last: EventContext) -> Problem? {
    let found = sound == nil ? version.loop : version.shown
    guard let first = found.first else { return nil }
    let episodes = version.episodes.seen(at: last)
    let ending = episodes.kept.last?.ending
    let (processes, crashes) =
      ending.flatMap { $0.kind == .recovered ? version.atEnd : nil } ?? (version.processes, version.crashes)
    let share = "\(crashes) of \(processes.counted("process", "processes"))"
    let until = processes == version.processes ? "" : " up to event \(ending?.event.sequence ?? 0)"
    let comparison =
      sound.map { "; of version \($0.name), \($0.crashes) of \($0.processes) did" }
      ?? ", \(version.loop.times) in a row within \(SpanWords.words(Self.brevity)) of the next start"
    var problem = Problem(
      .crashLoop, .likely,
      "\(share) of version \(version.name) of the app\(until) ended without an orderly end, the first one at event "
        + "\(first.sequence)\(comparison)",
      evidence: DiagnosisEvidence(first, "the app starts, and no orderly end follows"),
      found.evidence("the app starts, and no orderly end follows"),
      next: "look at the crash reports of version \(version.name), and at what it does after its start",
      command: "log JOURNAL --type 'process.*' \(first.sequence)..")
    problem.restsOnAbsence = true
    if found.count < Self.many { problem.severity = .note }
    problem.show(episodes)
    return problem
  }
}
