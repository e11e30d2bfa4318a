import AppProtection
import EventSourcing

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
    var crashes = Occurrences()
    /// Those that ended at once, one after another: the latest row, and the first one that is a loop.
    var row = Occurrences()
    var loop = Occurrences()
    var orderly = 0
    var episodes = Episodes()

    /// Whether three of four or more ended so.
    var isMostly: Bool { crashes.count >= CrashLoopRule.least && crashes.count * 4 >= processes * 3 }
    /// Whether one of four or fewer did.
    var isRarely: Bool { processes >= CrashLoopRule.leastBefore && crashes.count * 4 <= processes }

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

  private var versions: [Version] = []
  private var current: EventContext?

  static let events: [any EventPayload.Type] = [ProcessStarted.self, ProcessEnded.self]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .processStarted(let start):
      guard !start.isExtension else { break }
      if let current { crash(current, next: context) }
      if versions.last?.name != start.appVersion {
        if let last = versions.indices.last { versions[last].episodes.end(.recovered, at: context) }
        if versions.count == Self.maximumKept { versions.removeFirst() }
        versions.append(Version(name: start.appVersion))
      }
      versions[versions.count - 1].processes += 1
      current = context
    case .processEnded:
      current = nil
      guard let last = versions.indices.last else { break }
      versions[last].orderly += 1
      versions[last].row = Occurrences()
      if versions[last].orderly >= Self.calm { versions[last].episodes.end(.recovered, at: context) }
    default: break
    }
  }

  /// A process of the last version ended without an orderly end.
  private mutating func crash(_ start: EventContext, next: EventContext) {
    guard var version = versions.popLast() else { return }
    version.crashes.add(start)
    version.episodes.see(start)
    version.orderly = 0
    version.end(start, atOnce: next.elapsed(since: start) <= Self.brevity)
    versions.append(version)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    versions.indices.compactMap { place in
      let version = versions[place]
      let before = place > 0 ? versions[place - 1] : nil
      let isWorse = version.isMostly && (before?.isRarely ?? false)
      guard version.loop.count > 0 || isWorse else { return nil }
      return problem(version, after: isWorse ? before : nil, last)
    }
  }

  private func problem(_ version: Version, after before: Version?, _ last: EventContext) -> Problem? {
    let found = before == nil ? version.loop : version.crashes
    guard let first = found.first else { return nil }
    let share = "\(version.crashes.count) of \(version.processes.counted("process", "processes"))"
    let comparison =
      before.map { "; of version \($0.name), \($0.crashes.count) of \($0.processes) did" }
      ?? ", \(version.loop.times) in a row within \(SpanWords.words(Self.brevity)) of the next start"
    var problem = Problem(
      .crashLoop, .likely,
      "\(share) of version \(version.name) of the app ended without an orderly end, the first one at event "
        + "\(first.sequence)\(comparison)",
      evidence: DiagnosisEvidence(first, "the app starts, and no orderly end follows"),
      found.evidence("the app starts, and no orderly end follows"),
      next: "look at the crash reports of version \(version.name), and at what it does after its start",
      command: "log JOURNAL --type 'process.*' \(first.sequence)..")
    problem.restsOnAbsence = true
    if found.count < Self.many { problem.severity = .note }
    problem.show(version.episodes, at: last)
    return problem
  }
}
