import AppProtection
import EventSourcing

/// A thread kept an account's identity and served another account with it, or an identity stayed where it no longer belongs.
///
/// The deciding event is the one that set the identity that was never given back, or the report that its account signed out.
struct IdentityLeakRule: ProblemRule {
  /// An identity that was not given back.
  private struct Leak: Sendable {
    let thread: String
    let set: EventContext
    var next = Occurrences()
    let other: String
    let isRefusal: Bool
    var episodes = Episodes()
  }

  /// An identity that a thread kept to the end of its process, while the user interface went on to another one.
  private struct Keeping: Sendable {
    let thread: String
    let set: EventContext
    let shown: EventContext
    /// The events that set it, one for each process.
    var sessions = Occurrences()
    /// The first other thread that kept the same identity so.
    var other: (thread: String, set: EventContext)?
    var episodes = Episodes()
  }

  /// The events that set the identities of threads, by label; as many as the state has threads.
  private var settings: [String: EventContext] = [:]
  private var leaks = PerAccount<Leak>()
  /// The last switch of a window, or of the whole user interface, to each identity since the process started.
  private var shown: (identity: Identity, event: EventContext)?
  /// Threads that kept an account's identity to the end of their process, while the user interface went on to another one.
  private var kept = PerAccount<Keeping>()
  private var left = LeftIdentities()
  private var isExtension = false

  init() {}

  static let events: [any EventPayload.Type] = [IdentitySwitchRefused.self] + LeftIdentities.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    left.observe(event, context, before: before, after: after)
    switch event {
    case .identitySwitched(let switched):
      guard case .thread(let label) = switched.scope else {
        if switched.scope != .process, switched.identity != .unset { shown = (switched.identity, context) }
        return
      }
      for case .threadIdentityNotRestored(_, let account, let next) in AppProtectionMachine.findings(
        for: event, before: before, after: after)
      {
        recordLeak(account, label, context, next.description, isRefusal: false)
      }
      settings[label] = switched.identity == .unset ? nil : context
      if switched.identity == .unset { giveBack(label, context, before) }
    case .identitySwitchRefused(let event):
      let main = before.identities[.thread(IdentityScope.mainThread)]
      guard event.reason == .threadIdentity, let account = main.account else { return }
      recordLeak(account, IdentityScope.mainThread, context, event.identity.description, isRefusal: true)
    case .identityScopeClosed(let event):
      guard case .thread(let label) = event.scope else { break }
      settings[label] = nil
      giveBack(label, context, before)
    case .processEnded: if !isExtension { recordKeptIdentities(before, context) }
    case .processStarted(let event): (settings, shown, isExtension) = ([:], nil, event.isExtension)
    default: break
    }
  }

  /// The threads that keep an identity which the user interface has left.
  private mutating func recordKeptIdentities(_ state: AppProtectionState, _ context: EventContext) {
    var keeping = PerAccount<Bool>()
    defer {
      for (account, _) in kept.inOrder where keeping[account] == nil {
        kept[account]?.episodes.end(.recovered, at: context)
      }
    }
    for thread in state.identities.threads where thread.label != IdentityScope.mainThread {
      guard let account = thread.identity.account, let set = settings[thread.label], let shown,
        shown.identity != thread.identity, shown.event.sequence > set.sequence
      else { continue }
      var record = kept[account] ?? Keeping(thread: thread.label, set: set, shown: shown.event)
      if record.thread == thread.label {
        record.sessions.add(set)
      } else if record.other == nil {
        record.other = (thread.label, set)
      }
      record.episodes.see(set)
      (kept[account], keeping[account]) = (record, true)
    }
  }

  private mutating func recordLeak(
    _ account: AccountNumber, _ label: String, _ context: EventContext, _ other: String, isRefusal: Bool
  ) {
    guard let set = settings[label] else { return }
    if leaks[account] == nil { leaks[account] = Leak(thread: label, set: set, other: other, isRefusal: isRefusal) }
    leaks[account]?.next.add(context)
    leaks[account]?.episodes.see(context)
  }

  /// A thread gives its identity back. One that serves another account by then has not given the first one's back.
  private mutating func giveBack(_ label: String, _ context: EventContext, _ before: AppProtectionState) {
    guard let account = before.identities[.thread(label)].account, leaks[account]?.thread == label else { return }
    leaks[account]?.episodes.end(.recovered, at: context)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let unrestored = kept.inOrder.filter { leaks[$0.account] == nil }
    return leaks.inOrder.map { problem($0.account, $0.value, last) }
      + unrestored.map { problem($0.account, $0.value, last) }
      + left.problems(at: last)
  }

  /// A thread that perhaps served another account.
  private func problem(_ account: AccountNumber, _ keeping: Keeping, _ last: EventContext) -> Problem {
    let episodes = keeping.episodes.seen(at: last)
    let isOver = !episodes.isOpen
    let times =
      (keeping.sessions.count == 1 ? "" : ", and did so in \(keeping.sessions.count) processes")
      + (keeping.other.map { "; so \(isOver ? "did" : "does") thread \($0.thread) from event \($0.set.sequence)" } ?? "")
    var problem = Problem(
      .identityLeak, .possible, of: account.description,
      "thread \(keeping.thread) \(isOver ? "kept" : "keeps") the identity of \(account), set with event "
        + "\(keeping.set.sequence), to the end of the process, although the user interface \(isOver ? "went" : "goes") on to "
        + "another identity with event \(keeping.shown.sequence)\(times)",
      evidence: DiagnosisEvidence(keeping.set, "the thread gets the identity of \(account)"),
      [
        DiagnosisEvidence(keeping.shown, "the user interface goes on to another identity"),
        DiagnosisEvidence(nil, "the thread's identity was not given back"),
      ] + keeping.sessions.evidence("again, in another process").dropFirst()
        + (keeping.other.map { [DiagnosisEvidence($0.set, "another thread gets it, and keeps it")] } ?? []),
      next: "make sure that the thread serves no other account, or restore its identity",
      command: "log JOURNAL --type 'identity.*' --account \(account)")
    problem.severity = .note
    problem.show(episodes)
    return problem
  }

  /// A thread that served another account.
  private func problem(_ account: AccountNumber, _ leak: Leak, _ last: EventContext) -> Problem {
    let next = leak.next.first?.sequence ?? 0
    let episodes = leak.episodes.seen(at: last)
    let isOver = !episodes.isOpen
    let times =
      (leak.next.count == 1 ? "" : ", \(leak.next.count) times in this history")
      + (episodes.count == 1 ? "" : "; it came \(episodes.words)")
    let effect =
      leak.isRefusal
      ? "and the identity of \(leak.other) \(isOver ? "was" : "is") refused with event \(next)"
      : "and \(isOver ? "served" : "serves") \(leak.other) from event \(next) on: until then, the policy of \(account) "
        + "applied to it"
    // The same thread may have kept it in earlier processes, in which nothing shows whom it served.
    let keeping = kept[account].flatMap { $0.thread == leak.thread ? $0 : nil }
    let begin = keeping.flatMap { $0.set.sequence < leak.set.sequence ? $0.set : nil } ?? leak.set
    let end = episodes.kept.last?.ending?.event.sequence ?? .max
    let sessions =
      keeping?.sessions.evidence("the thread gets the identity, and keeps it to the end of the process").filter {
        $0.sequence.map { $0 <= end } ?? true
      } ?? []
    let others = keeping.map {
      ", and kept it in \($0.sessions.count) other process\($0.sessions.count == 1 ? "" : "es")"
    }
    var problem = Problem(
      .identityLeak, of: account.description,
      "thread \(leak.thread) \(isOver ? "kept" : "keeps") the identity of \(account), set with event \(leak.set.sequence), \(effect)\(times)"
        + (others ?? ""),
      evidence: DiagnosisEvidence(begin, "the thread gets the identity of \(account)"),
      [
        DiagnosisEvidence(leak.set, "the thread gets the identity, and serves another account with it"),
        DiagnosisEvidence(nil, "the identity was not given back in between"),
      ] + leak.next.evidence(leak.isRefusal ? "another identity is refused" : "the thread serves another account")
        + sessions,
      next: "save the thread's identity before it is set and restore it afterwards, or use a scope",
      command: "log JOURNAL --type 'identity.*' --account \(account)")
    problem.show(episodes)
    return problem
  }
}
