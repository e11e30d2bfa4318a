import AppProtection
import EventSourcing

/// The troubles of one family that come and go, for each account: in which episodes they were seen, and what is said of the last
/// one once it is over.
struct PastTroubles: Sendable {
  /// Where an episode began, and how many processes of the app had started then.
  private struct Beginning: Sendable {
    let event: EventContext
    let launches: Int
  }

  private var episodes = PerAccount<Episodes>()
  private var beginnings = PerAccount<Beginning>()
  private var last = PerAccount<Problem>()

  /// Sees a trouble with an event.
  mutating func see(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    if episodes[account]?.isOpen != true {
      beginnings[account] = Beginning(event: context, launches: notes.processes.launches)
    }
    episodes[account, default: Episodes()].see(context)
  }

  /// A trouble is over.
  ///
  /// - Parameters:
  ///   - didHarm: Whether it counts however short it was.
  ///   - problem: Says what was, in the past tense.
  mutating func end(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, at context: EventContext, _ notes: HistoryNotes,
    didHarm: Bool = false, _ problem: Problem
  ) {
    guard episodes[account]?.isOpen == true, let beginning = beginnings[account] else { return }
    episodes[account]?.end(kind, at: context)
    let wasNoticed =
      notes.processes.launches > beginning.launches + 1
      && context.elapsed(since: beginning.event) >= RetrySchedule.day
    guard didHarm || wasNoticed || episodes[account]?.isRecurrent == true else { return }
    last[account] = problem
  }

  /// Forgets the episode that lasts: it was something else.
  mutating func forget(_ account: AccountNumber) { episodes[account]?.forgetLast() }

  /// The last troubles of the accounts that have none now.
  ///
  /// - Parameter isPresent: Whether an account has one that lasts.
  func problems(unless isPresent: (AccountNumber) -> Bool) -> [Problem] {
    last.inOrder.filter { !isPresent($0.account) }.map { account, problem in
      let episodes = episodes[account] ?? Episodes()
      var problem = problem
      problem.describe(episodes)
      problem.show(episodes)
      problem.severity = min(problem.severity, episodes.count >= Episodes.many.episodes ? .warning : .note)
      return problem
    }
  }

  /// The troubles that last, each with how often it came, and the last ones of the accounts that have no such trouble now.
  func problems(besides present: [Problem]) -> [Problem] {
    let standing = present.map { problem in
      let episodes = problem.subject.flatMap { AccountNumber($0) }.map { self.episodes(of: $0) }
      guard let episodes, episodes.isOpen, episodes.count > 1, problem.episodes.isEmpty else { return problem }
      var problem = problem
      problem.describe(episodes)
      return problem
    }
    // What lasts may be another trouble than the one that is over.
    return standing
      + problems { account in
        episodes(of: account).isOpen && present.contains { $0.subject == account.description }
      }
  }

  /// The episodes of an account's trouble.
  func episodes(of account: AccountNumber) -> Episodes { episodes[account] ?? Episodes() }
}
