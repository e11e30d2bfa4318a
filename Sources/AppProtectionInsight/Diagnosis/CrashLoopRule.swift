import AppProtection
import EventSourcing

/// A version of the app whose processes end without an orderly end: much more often than those of the version before, or again
/// and again shortly after their start.
///
/// Systems end apps in the background without a word, so that a missing end alone is nothing. The deciding event is the start
/// of the first such process of the version.
struct CrashLoopRule: ProblemRule {
  /// So many processes without an orderly end are a loop, if they are most of their version's, and few of the version's before.
  private static let most = 5
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
    /// Those that ended at once, one after another.
    var brief = Occurrences()
    var isBrief = false
    var orderly = 0
    var episodes = Episodes()

    /// Whether three of four or more ended so.
    var isMostly: Bool { crashes.count >= CrashLoopRule.most && crashes.count * 4 >= processes * 3 }
    /// Whether one of four or fewer did.
    var isRarely: Bool { processes >= CrashLoopRule.most && crashes.count * 4 <= processes }
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
      if !versions[last].isBrief { versions[last].brief = Occurrences() }
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
    if next.elapsed(since: start) <= Self.brevity {
      version.brief.add(start)
      if version.brief.count >= Self.most { version.isBrief = true }
    } else if !version.isBrief {
      version.brief = Occurrences()
    }
    versions.append(version)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    versions.indices.compactMap { place in
      let version = versions[place]
      let before = place > 0 ? versions[place - 1] : nil
      let isWorse = version.isMostly && (before?.isRarely ?? false)
      guard version.isBrief || isWorse else { return nil }
      return problem(version, after: isWorse ? before : nil, last)
    }
  }

  private func problem(_ version: Version, after before: Version?, _ last: EventContext) -> Problem? {
    let found = before == nil ? version.brief : version.crashes
    guard let first = found.first else { return nil }
    let share = "\(version.crashes.count) of \(version.processes.counted("process", "processes"))"
    let comparison =
      before.map { "; of version \($0.name), \($0.crashes.count) of \($0.processes) did" }
      ?? ", \(version.brief.times) in a row within \(SpanWords.words(Self.brevity)) of the next start"
    var problem = Problem(
      .crashLoop, .likely,
      "\(share) of version \(version.name) of the app ended without an orderly end, the first one at event "
        + "\(first.sequence)\(comparison)",
      evidence: DiagnosisEvidence(first, "the app starts, and no orderly end follows"),
      found.evidence("the app starts, and no orderly end follows"),
      next: "look at the crash reports of version \(version.name), and at what it does after its start",
      command: "log JOURNAL --type 'process.*' \(first.sequence)..")
    problem.restsOnAbsence = true
    problem.show(version.episodes, at: last)
    return problem
  }
}
