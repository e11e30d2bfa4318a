import AppProtection
import EventSourcing

/// A second account is to be managed where only one can be.
///
/// The deciding event is the first question which account to keep; without one, the service's refusal or the first identity
/// that was refused.
struct SecondManagedAccountRule: ProblemRule {
  /// A question about two accounts, and what became of it.
  private struct Rivalry: Sendable {
    /// The first of the questions about these two.
    let asked: EventContext
    let existing: AccountNumber
    /// The account that must be the only managed one, if that is why the user is asked.
    let exclusive: AccountNumber?
    /// How many accounts could be managed when the user was asked.
    let most: UInt32
    var questions = Occurrences()
    var answer: (event: EventContext, choice: AccountChoice)?
    var failure: EventContext?
    var wipe: EventContext?
    var ending: DiagnosisEnding?
  }

  private static let refusals: Set<EnrollmentStatusCode> = [.singleManagedAccountMode, .switchExistingAccount]

  private var rivalries = PerAccount<Rivalry>()
  /// Those of accounts that left and took no other one's place: one that comes back meets the same question.
  private var left = PerAccount<Rivalry>()
  private var runs = FailureRuns(of: Self.refusals)
  /// The accounts that were managed when the service refused another one.
  private var managed = PerAccount<[AccountNumber]>()
  /// Colleagues of a managed account whose identity was refused.
  private var colleagues = PerAccount<Occurrences>()
  private var past = PastTroubles()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      AccountDeregistered.self, EnrollmentFailed.self, AccountSwitchAsked.self, AccountSwitchAnswered.self,
      UnenrollmentRequested.self, PolicyReceived.self, IdentitySwitchRefused.self, WipeRequested.self,
      WipeCompleted.self,
    ] + FailureRuns.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .accountSwitchAsked(let event):
      let earlier = [rivalries[event.account], left[event.account]].compactMap { $0 }.first {
        $0.existing == event.existing && $0.wipe == nil && $0.ending == nil
      }
      let exclusive = [event.account, event.existing].first { before.accounts[$0]?.isExclusive == true }
      var rivalry =
        earlier
        ?? Rivalry(
          asked: context, existing: event.existing, exclusive: exclusive,
          most: before.settings.app.maximumManagedAccounts)
      rivalry.questions.add(context)
      (rivalry.answer, rivalry.failure) = (nil, nil)
      past.see(event.account, context, notes)
      (rivalries[event.account], left[event.account]) = (rivalry, nil)
    case .accountSwitchAnswered(let event): rivalries[event.account]?.answer = (context, event.choice)
    case .enrollmentFailed(let event):
      // A namesake is refused with the same code, for another reason.
      if after.managedNamesake(of: event.account) != nil { return }
      if let rivalry = rivalries[event.account] {
        if rivalry.failure == nil { rivalries[event.account]?.failure = context }
        return
      }
    case .wipeRequested(let event):
      for (account, rivalry) in rivalries.inOrder
      where rivalry.existing == event.account && event.reason == .accountSwitch {
        rivalries[account]?.wipe = context
      }
    case .policyReceived(let event): endRivalry(event.account, context, notes)
    case .identitySwitchRefused(let event):
      if event.reason == .sameOrganization, let account = event.identity.account {
        colleagues[account, default: Occurrences()].add(context)
        past.see(account, context, notes)
      }
    case .unenrollmentRequested(let event): leave(event.account, context, notes)
    case .accountDeregistered(let event): leave(event.account, context, notes)
    case .wipeCompleted(let event): colleagues[event.account] = nil
    default: break
    }
    if let account = runs.observe(event, context, before: before) {
      managed[account] = before.policies.records.map(\.account).filter { $0 != account }
    }
  }

  /// The account is managed after all. What it cost the other one remains.
  private mutating func endRivalry(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    conclude(account, .recovered, "\(account) was managed", context, notes)
    (colleagues[account], left[account]) = (nil, nil)
    guard let rivalry = rivalries[account], rivalry.ending == nil else { return }
    if rivalry.wipe == nil {
      rivalries[account] = nil
    } else {
      rivalries[account]?.ending = DiagnosisEnding(.recovered, at: context)
    }
  }

  private mutating func leave(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    conclude(account, .abandoned, "\(account) left", context, notes)
    colleagues[account] = nil
    if let rivalry = rivalries[account] {
      if rivalry.wipe == nil {
        (left[account], rivalries[account]) = (rivalry, nil)
      } else if rivalry.ending == nil {
        rivalries[account]?.ending = DiagnosisEnding(.abandoned, at: context)
      }
    }
    for (other, rivalry) in rivalries.inOrder where rivalry.existing == account && rivalry.wipe == nil {
      conclude(other, .abandoned, "\(account) left", context, notes)
      rivalries[other] = nil
    }
  }

  /// What kept an account from being managed, and cost no other one its data, is over.
  private mutating func conclude(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ words: String, _ context: EventContext,
    _ notes: HistoryNotes
  ) {
    let rivalry = rivalries[account]
    guard rivalry?.wipe == nil, let seen = rivalry?.questions ?? colleagues[account], let first = seen.first else {
      return
    }
    let what =
      rivalry.map { "was to be managed beside \($0.existing), and the user was asked which to keep" }
      ?? "was used beside a managed account of its organization, and its identity was refused"
    past.end(
      account, kind, at: context, notes, didHarm: context.elapsed(since: first) > Episodes.pause,
      Problem(
        .secondManagedAccount, of: account.description,
        "\(account) \(what) \(seen.times) since event \(first.sequence), until \(words) with event \(context.sequence)",
        evidence: DiagnosisEvidence(
          first,
          rivalry == nil ? "the identity of \(account) is not allowed" : "the user is asked which account to keep"),
        seen.evidence("again") + [DiagnosisEvidence(context, words)],
        next: "offer one account of an organization only, or deregister the first before the second is registered",
        command: "log JOURNAL --account \(account) --type 'enrollment.*'"))
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let rivals = rivalries.inOrder.map { problem($0.account, $0.value, last, notes) }
    // Without another managed account, what is in the way is a trace of one that has left.
    let refused = runs.inOrder.filter {
      rivalries[$0.account] == nil
        && !((managed[$0.account] ?? []).isEmpty && notes.traces(inTheWayOf: $0.account).isEmpty)
    }.map { problem($0.account, $0.value, last, notes) }
    let hidden = colleagues.inOrder.filter { rivalries[$0.account] == nil && runs[$0.account] == nil }
    let present = rivals + refused + hidden.map { problem($0.account, $0.value, state, last) }
    return past.problems(besides: present)
  }

  private func problem(
    _ account: AccountNumber, _ rivalry: Rivalry, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem {
    let existing = rivalry.existing
    // A question without an answer is open.
    let latest = rivalry.answer.flatMap { answer in
      [answer.event, rivalry.failure, rivalry.wipe].compactMap { $0 }.max { $0.sequence < $1.sequence }
    }
    let isOver = rivalry.ending != nil || Episodes.isOutOfSight(latest, at: last)
    var others: [DiagnosisEvidence] = []
    let outcome: String
    let limit =
      rivalry.exclusive.map { "\($0) \(isOver ? "had to" : "must") be the only managed account" }
      ?? "only \(rivalry.most > 1 ? "\(rivalry.most) accounts" : "one account") \(isOver ? "could" : "can") be"
    var next =
      rivalry.exclusive.map { "let the user choose which account to keep, or let the app drop the demand for \($0)" }
      ?? "let the user choose which account to keep, or set maximumManagedAccounts if the app supports several"
    switch rivalry.answer?.choice {
    case nil:
      others.append(DiagnosisEvidence(nil, "the question has no answer"))
      let times =
        rivalry.questions.count == 1
        ? "" : ", asked \(rivalry.questions.times) up to event \(rivalry.questions.last?.sequence ?? 0),"
      outcome = "the question which to keep\(times) has no answer"
      next = "show the question of the delegate which account to keep, and answer it"
    case .keepExisting: outcome = "the user \(isOver ? "kept" : "keeps") \(existing)"
    case .canceled: outcome = "the user closed the question"
    case .switchAccounts:
      outcome = "the user chose \(account)\(rivalry.wipe == nil ? "" : ", so \(existing) was wiped")"
    }
    if let answer = rivalry.answer {
      others.append(DiagnosisEvidence(answer.event, "the user answers: \(answer.choice.name)"))
    }
    others += rivalry.questions.evidence("the user is asked again").dropFirst()
    if let failure = rivalry.failure { others.append(DiagnosisEvidence(failure, "\(account) is refused")) }
    if let wipe = rivalry.wipe { others.append(DiagnosisEvidence(wipe, "\(existing) is wiped")) }
    // What it led to is the concern: the account that was wiped, or the one that is not managed.
    let subject = rivalry.wipe == nil ? account : existing
    var problem = Problem(
      .secondManagedAccount, of: subject.description,
      "\(account) \(isOver ? "was" : "is") to be managed beside \(existing), and \(limit): \(outcome)",
      evidence: DiagnosisEvidence(rivalry.asked, "the user is asked which account to keep"), others,
      next: next,
      command: "log JOURNAL --account \(account) --type 'enrollment.*'")
    if let ending = rivalry.ending { problem.end(ending.kind, at: ending.event) }
    if rivalry.wipe != nil { problem.consequences = [.unexpectedWipe] }
    problem.restsOnAbsence = rivalry.answer == nil
    if rivalry.answer?.choice == .canceled { (problem.severity, problem.harm) = (.note, .bystander) }
    problem.endOutOfSight(since: latest, rivalry.questions.count, at: last)
    problem.causes = Self.causes(existing, notes)
    return problem
  }

  private func problem(
    _ account: AccountNumber, _ run: FailureRun, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem {
    let isOver = run.ending != nil
    let failures = run.failures.evidence { "the service refuses a second account: \($0.words)" }
    let code = run.failures.firstValue?.words ?? ""
    let first = run.failures.first?.sequence ?? 0
    let managed = managed[account] ?? []
    let rival = managed.isEmpty ? "another account" : managed.map(\.description).joined(separator: ", ")
    var problem = Problem(
      .secondManagedAccount, managed.isEmpty ? .likely : .certain, of: account.description,
      "\(account) \(isOver ? "was" : "is") to be managed beside \(rival), and the service \(isOver ? "allowed" : "allows") one account (\(code), event \(first))",
      evidence: failures.first ?? DiagnosisEvidence(first, "refused"), Array(failures.dropFirst()),
      next: "deregister \(rival), or remove \(account) from the app", command: "show JOURNAL \(first)")
    problem.conclude(run, runs.episodes(of: account), at: last)
    problem.causes = notes.traces(inTheWayOf: account).map(\.event)
    return problem
  }

  private func problem(
    _ account: AccountNumber, _ refusals: Occurrences, _ state: AppProtectionState, _ last: EventContext
  ) -> Problem {
    let isOver = Episodes.isOutOfSight(refusals.last, at: last)
    let (acts, isOrWas) = (isOver ? "acted" : "acts", isOver ? "was" : "is")
    let first = refusals.first?.sequence ?? 0
    let colleague = state.managedColleague(of: account)?.description ?? "the managed account"
    let evidence = refusals.evidence("the identity of \(account) is not allowed")
    var problem = Problem(
      .secondManagedAccount, of: account.description,
      "the app \(acts) for \(account), which belongs to the organization of \(colleague) and \(isOrWas) not managed: its "
        + "identity \(isOrWas) refused, \(refusals.times) \(isOver ? "from" : "since") event \(first)\(isOver ? " on" : "")",
      evidence: evidence.first ?? DiagnosisEvidence(first, "refused"), Array(evidence.dropFirst()),
      next: "offer one account of this organization only, or let the user switch to \(account)",
      command: "show JOURNAL \(first)")
    problem.endOutOfSight(since: refusals.last, refusals.count, at: last)
    return problem
  }

  private static func causes(_ existing: AccountNumber, _ notes: HistoryNotes) -> [UInt64] {
    [notes.departures[existing]?.traces].compactMap { $0 }
  }
}
