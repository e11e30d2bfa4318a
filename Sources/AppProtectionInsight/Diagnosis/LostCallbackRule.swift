import AppProtection
import EventSourcing
import PlainText

/// A notice to the app or its delegate, or an answer of it, that never came.
struct LostCallbackRule: ProblemRule {
  /// How long the user may take to answer a question.
  private static let hesitation = 10 * RetrySchedule.minute

  private struct Remediation: Sendable {
    var request: EventContext?
    var start: EventContext?
    var finish: EventContext?
    var status = ComplianceStatus.compliant
    /// Whether a process of the app started while it was under way or untold.
    var launches = Occurrences()

    /// What another process had to start for: its end, which the app did not hear of, or the demand for it.
    var awaited: EventContext? {
      guard let finish, let launch = launches.first, finish.sequence < launch.sequence else { return request }
      return finish
    }
  }

  private var remediations = PerAccount<Remediation>()
  /// The first remediation of every account that the app heard of late, from another process, when, and how late.
  private var late = PerAccount<(remediation: Remediation, told: EventContext, length: Int64)>()
  private var additions = PerAccount<EventContext>()
  /// The open questions to switch an identity, by their numbers: which are open, the state says.
  private var questions: [UInt64: EventContext] = [:]
  /// The questions during which the process ended, since the delegate last answered one.
  private var abandoned = Occurrences()
  private var restart: EventContext?
  /// The questions who signs in, since one was answered or an account was registered.
  private var logins = Occurrences()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, RestartRequired.self, AccountRegistered.self, AccountAdditionRequested.self,
    AccountAdditionAnswered.self, LoginRequested.self, LoginAnswered.self, PolicyReceived.self,
    IdentitySwitchRequested.self, IdentitySwitchAnswered.self, RemediationRequested.self, RemediationStarted.self,
    RemediationFinished.self, RemediationTold.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .remediationRequested(let event): remediations[event.account] = Remediation(request: context)
    case .remediationStarted(let event): remediations[event.account]?.start = context
    case .remediationFinished(let event):
      remediations[event.account, default: Remediation()].finish = event.awaitsNotice ? context : nil
      remediations[event.account]?.status = event.status
      if !event.awaitsNotice { remediations[event.account] = nil }
    case .remediationTold(let event):
      if let remediation = remediations[event.account], remediation.launches.count > 0, late[event.account] == nil,
        let awaited = remediation.awaited
      {
        let length = notes.facts.clock.elapsed(from: awaited, to: context)
        if length > Episodes.pause { late[event.account] = (remediation, context, length) }
      }
      remediations[event.account] = nil
    case .accountAdditionRequested(let event): additions[event.account] = additions[event.account] ?? context
    case .accountAdditionAnswered(let event): additions[event.account] = nil
    case .policyReceived:
      if before.process.loginQuestion != 0, after.process.loginQuestion == 0 { logins = Occurrences() }
    case .identitySwitchRequested:
      questions = questions.filter { number, _ in after.identities.requests.contains { $0.requestedBy == number } }
      questions[context.sequence] = context
    case .identitySwitchAnswered: abandoned = Occurrences()
    case .loginRequested: logins.add(context)
    case .loginAnswered, .accountRegistered: logins = Occurrences()
    case .restartRequired: if before.process.restart == nil { restart = context }
    case .processStarted(let event):
      if let question = question(in: before) { abandoned.add(question) }
      guard !event.isExtension else { return }
      for (account, _) in remediations.inOrder { remediations[account]?.launches.add(context) }
    default: break
    }
  }

  /// The oldest question to switch an identity that is open.
  private func question(in state: AppProtectionState) -> EventContext? {
    state.identities.requests.map(\.requestedBy).min().flatMap { questions[$0] }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    var problems = remediations.inOrder.compactMap { account, remediation in
      problem(account, remediation, state, last, notes)
    }
    problems += notes.departures.inOrder.compactMap { account, departure in
      guard let request = departure.request, departure.failure == nil, departure.earlyRemoval == nil,
        let record = state.accounts[account], record.enrollment.status == .unenrolling,
        state.wipes[account].map({ $0.phase == .completed }) ?? true
      else { return nil }
      return unanswered(
        request, last, notes, account.description,
        "the service was asked to unenroll \(account) with event \(request.sequence), and has not answered",
        next: "open the app while the device is online, and leave it open until the callback")
    }
    problems += late.inOrder.filter { remediations[$0.account] == nil }.compactMap { account, late in
      told(account, late.remediation, late.told, late.length)
    }
    if let login = logins.first {
      let times = logins.count == 1 ? "" : ", \(logins.count) times"
      // The question goes with its process.
      let isOver = Episodes.isOutOfSight(logins.last, at: last)
      var problem = unanswered(
        login, last, notes, nil,
        "the user was asked who signs in\(times) \(isOver ? "from" : "since") event \(login.sequence)"
          + (isOver ? " on, and no answer came" : ", and no answer has come"),
        Array(logins.evidence("the user is asked again").dropFirst()), patience: Self.hesitation,
        next: "answer loginAndEnrollAccount, or cancel it, when the sign-in page closes")
      problem.endOutOfSight(since: logins.last, logins.count, at: last)
      problems.append(problem)
    }
    for (account, event) in additions.inOrder where state.accounts[account]?.additionQuestion ?? 0 != 0 {
      problems.append(
        unanswered(
          event, last, notes, account.description, "the app was asked to add \(account) and has not answered",
          next: "implement addAccountId, and call its completion"))
    }
    if let question = question(in: state) {
      problems.append(
        unanswered(
          question, last, notes, nil, "the delegate was asked to switch the identity and has not answered",
          next: "call the completion of identitySwitchRequired, whatever its result"))
    }
    if let first = abandoned.first, abandoned.count > 1 {
      var problem = Problem(
        .lostCallback, .likely,
        "the app ended \(abandoned.times) while its delegate was asked to switch the identity, from event \(first.sequence) on",
        evidence: DiagnosisEvidence(first, "the question"),
        [DiagnosisEvidence(nil, "no answer came before the process ended")]
          + abandoned.evidence("the question again").dropFirst(),
        next: "look for a crash in identitySwitchRequired, and call its completion whatever its result",
        command: "show JOURNAL \(first.sequence)")
      problem.severity = .warning
      problem.restsOnAbsence = true
      problem.endOutOfSight(since: abandoned.last, abandoned.count, at: last)
      problems.append(problem)
    }
    return problems
  }

  private func unanswered(
    _ event: EventContext, _ last: EventContext, _ notes: HistoryNotes, _ subject: String?, _ sentence: String,
    _ others: [DiagnosisEvidence] = [], patience: Int64 = ProcessTrail.patience, next: String
  ) -> Problem {
    let isLate = notes.processes.isLate(since: event, at: last, after: patience)
    var problem = Problem(
      .lostCallback, isLate ? .likely : .possible, of: subject, sentence,
      evidence: DiagnosisEvidence(event, "the question"),
      others + [DiagnosisEvidence(nil, "no answer has come")], next: next, command: "show JOURNAL \(event.sequence)")
    problem.severity = isLate ? .warning : .note
    if !isLate { problem.harm = .irregular }
    problem.restsOnAbsence = true
    return problem
  }

  private func problem(
    _ account: AccountNumber, _ remediation: Remediation, _ state: AppProtectionState, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem? {
    if let finish = remediation.finish { return untold(account, finish, remediation, state, last, notes) }
    guard let request = remediation.request, state.compliance.isInProgress(account) else { return nil }
    let active = state.compliance.active
    let asked = DiagnosisEvidence(request, "the remediation of \(account) is asked for")
    let missing = DiagnosisEvidence(nil, "no end of the remediation has come")
    var (sentence, evidence) = (
      "the remediation of \(account) that event \(request.sequence) asked for has not ended", [asked]
    )
    var next = "wait for the service, and keep the compliance delegate set until the callback"
    if let active, active != account {
      sentence += ": it waits for that of \(active)"
      if let other = remediations[active]?.request {
        evidence.insert(
          DiagnosisEvidence(other, "the remediation of \(active) is asked for, and does not end"), at: 0)
      }
      next = "end the remediation of \(active) first: one runs at a time"
    } else if let restart, let pending = state.process.restart, pending.account == account {
      sentence += ": it waits for a restart of the app"
      evidence.insert(DiagnosisEvidence(restart, "a restart is asked for"), at: 0)
      next = "restart the app; set the compliance delegate before the launch has finished, where the callback comes"
    } else if state.accounts[account]?.enrollment.enrollmentRequest != 0 {
      sentence += ": the service has not answered its enrollment"
    }
    let isWaiting = evidence.count > 1
    // Whatever waits for a restart, or for another one that does, waits for the user.
    let patience = state.process.restart == nil ? ProcessTrail.patience : Self.hesitation
    let isLate = notes.processes.isLate(since: request, at: last, after: patience)
    evidence += remediation.launches.evidence("the app starts again, and the remediation has not ended")
    var problem = Problem(
      .lostCallback, isLate ? isWaiting ? .certain : .likely : .possible, of: account.description, sentence,
      evidence: evidence[0],
      evidence.dropFirst() + [missing], next: next)
    problem.command = "show JOURNAL \(evidence[0].sequence ?? request.sequence)"
    problem.restsOnAbsence = true
    if !isLate { (problem.severity, problem.harm) = (.note, .irregular) }
    if active != account { problem.causes = [restart?.sequence, evidence[0].sequence].compactMap { $0 } }
    return problem
  }

  /// The app heard of it only from another process.
  private func told(
    _ account: AccountNumber, _ remediation: Remediation, _ told: EventContext, _ length: Int64
  ) -> Problem? {
    guard let awaited = remediation.awaited else { return nil }
    let isFinished = remediation.finish == awaited
    var problem = Problem(
      .lostCallback, .certain, of: account.description,
      "the remediation of \(account) \(isFinished ? "ended \(remediation.status.name)" : "was asked for") at event "
        + "\(awaited.sequence), and the app was notified only by a later process, with event \(told.sequence), after "
        + SpanWords.words(length),
      evidence: DiagnosisEvidence(
        awaited, isFinished ? "it ends \(remediation.status.name)" : "the remediation is asked for"),
      (remediation.request.map { [DiagnosisEvidence($0, "the remediation is asked for")] } ?? [])
        + remediation.launches.evidence("the app starts again") + [DiagnosisEvidence(told, "the app is notified")],
      next: "look at why the process ended before the callback, and show the user that the app waits for it",
      command: "log JOURNAL --account \(account) --type 'remediation.*'")
    problem.end(.recovered, at: told)
    problem.severity = .note
    return problem
  }

  /// It ended, and the app was not notified.
  private func untold(
    _ account: AccountNumber, _ finish: EventContext, _ remediation: Remediation, _ state: AppProtectionState,
    _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    guard let outcome = state.compliance.untold.first(where: { $0.account == account }) else { return nil }
    let others =
      remediation.launches.evidence("the app starts again")
      + (remediation.request.map { [DiagnosisEvidence($0, "the remediation is asked for")] } ?? [])
      + [DiagnosisEvidence(nil, "the app was never notified")]
    var problem = Problem(
      .lostCallback, .certain, of: account.description,
      "the remediation of \(account) ended \(outcome.status.name) at event \(finish.sequence), and the app was not notified",
      evidence: DiagnosisEvidence(finish, "it ends \(outcome.status.name)"), others,
      next: "set the compliance delegate before the launch has finished and keep it: the SDK holds it weakly",
      command: "show JOURNAL \(finish.sequence)")
    problem.restsOnAbsence = true
    if !notes.processes.isLate(since: finish, at: last) {
      (problem.severity, problem.confidence, problem.harm) = (.note, .possible, .irregular)
    }
    return problem
  }
}
