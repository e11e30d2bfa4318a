import AppProtection
import EventSourcing
import PlainText

/// Identities that stay where they no longer belong: of an account that has signed out, or one that a link or an import
/// brought and from which the app does not go back.
struct LeftIdentities: Sendable {
  /// So long may the app take to set another identity.
  private static let patience = 10 * RetrySchedule.minute
  /// So long may a document of another account be open (DERIVED).
  private static let visit = RetrySchedule.hour

  /// An account that signed out while its identity was set, or whose identity was set afterwards.
  private struct Absence: Sendable {
    /// The report that it is no longer signed in.
    let event: EventContext
    /// Another account that was signed in then.
    let other: AccountNumber?
    var scope: IdentityScope
    /// The event that had set the identity.
    var set: EventContext?
    /// Since when a scope has its identity, in the process that runs.
    var since: EventContext?
    var episodes = Episodes()
  }

  /// A scope that the delegate switched for a link or an import.
  private struct Visit: Sendable {
    let scope: IdentityScope
    let from: Identity
    let identity: Identity
    let reason: IdentitySwitchReason
    let event: EventContext
  }

  /// The last event that set each scope's identity; as many as the state has scopes.
  private var settings: [IdentityScope: EventContext] = [:]
  /// The accounts that signed out, with the last report.
  private var signedOut = PerAccount<(event: EventContext, other: AccountNumber?)>()
  private var absences = PerAccount<Absence>()
  /// The delegate's answer before the current event.
  private var answer: (scope: IdentityScope, reason: IdentitySwitchReason)?
  /// At most one for each scope.
  private var visits: [Visit] = []
  /// The first visit that lasted too long, and all of them.
  private var endless: (visit: Visit, episodes: Episodes)?

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, ProcessEnded.self, SignInsReported.self, IdentitySwitched.self, IdentitySwitchAnswered.self,
    IdentityScopeClosed.self,
  ]

  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    let answer = answer
    self.answer = nil
    switch event {
    case .processStarted(let event): if !event.isExtension { endProcess(context) }
    case .processEnded: return endProcess(context)
    case .signInsReported: recordSignIns(context, before, after)
    case .identitySwitchAnswered(let event):
      guard let request = before.identities.requests.first(where: { $0.scope == event.scope }),
        request.reason != .cancelConditionalLaunch
      else { break }
      self.answer = (event.scope, request.reason)
    case .identitySwitched(let event):
      leave(event.scope, context)
      settings[event.scope] = context
      let from = before.identities[event.scope]
      if let answer, answer.scope == event.scope, from != .unset, from != event.identity {
        visits.append(
          Visit(scope: event.scope, from: from, identity: event.identity, reason: answer.reason, event: context))
      }
    case .identityScopeClosed(let event): leave(event.scope, context)
    default: break
    }
    recordAbsences(context, after)
  }

  private mutating func recordSignIns(
    _ context: EventContext, _ before: AppProtectionState, _ after: AppProtectionState
  ) {
    // The identity of a single-identity app follows the enrollment.
    guard after.settings.app.multiIdentity else { return }
    for account in after.accounts.records {
      let number = account.account
      guard before.accounts[number]?.isSignedIn ?? false != account.isSignedIn else { continue }
      guard !account.isSignedIn else {
        settle(number, context, isOver: true)
        signedOut[number] = nil
        continue
      }
      let other = after.accounts.records.first { $0.isSignedIn && $0.account != number }
      signedOut[number] = (context, other?.account)
    }
  }

  /// Looks where the identities of accounts are that have signed out.
  private mutating func recordAbsences(_ context: EventContext, _ state: AppProtectionState) {
    for (account, report) in signedOut.inOrder {
      guard let scope = state.identities.scopes.first(where: { state.identities[$0].account == account }) else {
        settle(account, context, isOver: true)
        continue
      }
      if absences[account] == nil {
        absences[account] = Absence(event: report.event, other: report.other, scope: scope)
      }
      // The scope that stays is the one to name, not one that is switched at once.
      if absences[account]?.episodes.count == 0 {
        absences[account]?.scope = scope
        absences[account]?.set = settings[scope]
      }
      if absences[account]?.since == nil { absences[account]?.since = context }
    }
  }

  /// The identity of an account is gone, with its process or without.
  private mutating func settle(_ account: AccountNumber, _ context: EventContext, isOver: Bool) {
    if let since = absences[account]?.since, context.elapsed(since: since) >= Self.patience {
      absences[account]?.episodes.see(since)
    }
    absences[account]?.since = nil
    if isOver { absences[account]?.episodes.end(.recovered, at: context) }
  }

  private mutating func leave(_ scope: IdentityScope, _ context: EventContext) {
    guard visits.contains(where: { $0.scope == scope }) else { return }
    visits.removeAll { $0.scope == scope }
    endless?.episodes.end(.recovered, at: context)
  }

  private mutating func endProcess(_ context: EventContext) {
    for (account, _) in absences.inOrder { settle(account, context, isOver: false) }
    for visit in visits { stay(visit, until: context) }
    (visits, settings) = ([], [:])
  }

  /// Records a visit that lasted to an event.
  private mutating func stay(_ visit: Visit, until context: EventContext) {
    guard context.elapsed(since: visit.event) >= Self.visit else { return }
    if endless == nil { endless = (visit, Episodes()) }
    endless?.episodes.see(visit.event)
  }

  /// What was found.
  func problems(at last: EventContext) -> [Problem] {
    var seen = self
    for (account, _) in absences.inOrder { seen.settle(account, last, isOver: false) }
    for visit in visits { seen.stay(visit, until: last) }
    let left = seen.absences.inOrder.filter { $0.value.episodes.count > 0 }.map { problem($0.account, $0.value, last) }
    return left + (seen.endless.map { [problem($0.visit, $0.episodes, last)] } ?? [])
  }

  private func problem(_ account: AccountNumber, _ absence: Absence, _ last: EventContext) -> Problem {
    let episodes = absence.episodes.seen(at: last)
    let isOver = !episodes.isOpen
    let set = absence.set.map { ", set with event \($0.sequence)," } ?? ""
    let other = absence.other.map { ", when \($0) was signed in" } ?? ""
    let repetition =
      episodes.count > 1 ? "; it came \(episodes.words), up to event \(episodes.last?.sequence ?? 0)" : ""
    var problem = Problem(
      .identityLeak, of: account.description,
      "\(absence.scope.words) \(isOver ? "kept" : "keeps") the identity of \(account)\(set) although \(account) signed out "
        + "with event \(absence.event.sequence)\(other)\(repetition)",
      evidence: DiagnosisEvidence(absence.event, "\(account) is no longer signed in"),
      (absence.set.map { [DiagnosisEvidence($0, "\(absence.scope.words) gets the identity of \(account)")] } ?? [])
        + [DiagnosisEvidence(nil, "no other identity was set in between")],
      next: "set the identity of the account that takes over, or of none, as soon as an account signs out",
      command: "log JOURNAL --type 'identity.*' --type signIns.reported --account \(account)")
    problem.restsOnAbsence = true
    problem.show(episodes)
    if problem.isOver ? episodes.count < Episodes.many.episodes : absence.other == nil { problem.severity = .note }
    return problem
  }

  private func problem(_ visit: Visit, _ episodes: Episodes, _ last: EventContext) -> Problem {
    let episodes = episodes.seen(at: last)
    let (goes, what) = (episodes.isOpen ? "goes" : "went", visit.reason == .documentImport ? "an import" : "a link")
    let times = episodes.sightings == 1 ? "" : ", \(episodes.sightings) times in this history"
    var problem = Problem(
      .identityLeak, .possible, of: visit.identity.account?.description,
      "\(visit.scope.words) \(goes) from \(visit.from) to \(visit.identity) for \(what) with event \(visit.event.sequence) and "
        + "not back in that process\(times)",
      evidence: DiagnosisEvidence(visit.event, "the delegate switches to \(visit.identity) for \(what)"),
      [DiagnosisEvidence(nil, "no switch back followed")],
      next: "go back to the identity that was there before, as soon as the document is closed",
      command: "log JOURNAL --type 'identity.*' \(visit.event.sequence)..")
    problem.severity = .note
    problem.restsOnAbsence = true
    problem.show(episodes)
    return problem
  }
}

extension IdentitiesSlice {
  /// Every scope that can have an identity.
  fileprivate var scopes: [IdentityScope] {
    [.process, .ui] + windows.map { .window($0.number) } + threads.map { .thread($0.label) }
  }
}

extension IdentityScope {
  /// The scope in a sentence.
  fileprivate var words: String {
    switch self {
    case .process: "the process"
    case .ui: "the user interface"
    case .window(let number): "window \(number)"
    case .thread(let label): "thread \(label)"
    }
  }
}
