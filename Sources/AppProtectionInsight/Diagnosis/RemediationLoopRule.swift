import AppProtection
import EventSourcing

/// Remediations of an account that repeat and lead nowhere.
///
/// A check-in says nothing about tokens, so that the engine's own, half an hour apart, do not end a loop whose turns the user
/// makes by hand. A token that is acquired does. What was tried before a day without another attempt counts no longer, unless it
/// led nowhere.
struct RemediationLoopRule: ProblemRule {
  /// So many refusals after a compliant remediation are a loop; so many remediations in a row that do not end compliant lead
  /// nowhere.
  private static let most = 3
  /// A refusal that comes later is not that of the remediation before: conditional access may ask again every morning.
  private static let memory = 12 * RetrySchedule.hour

  /// Remediations in a row that did not end compliant.
  private struct Row: Sendable {
    var attempts = Occurrences()
    /// How the last one ended.
    var status = ComplianceStatus.compliant
    var ending: DiagnosisEnding?

    /// Whether it leads nowhere. One that a compliant remediation soon ends is ordinary.
    var isTrouble: Bool {
      guard attempts.count >= RemediationLoopRule.most else { return false }
      return ending?.kind != .recovered || duration > Episodes.pause
    }

    /// How long one that is over lasted.
    var duration: Int64 {
      guard let first = attempts.first, let ending else { return 0 }
      return ending.event.elapsed(since: first)
    }
  }

  /// Refusals that each followed a compliant remediation.
  private struct Loop: Sendable {
    /// The event that made a loop of them.
    let event: EventContext
    var refusals: Occurrences
    /// Whether the engine saw it, too.
    var isSeen = false
    /// How it ended; `nil` while it lasts.
    var ending: DiagnosisEnding?
  }

  private struct Record: Sendable {
    /// The last remediation that ended compliant, until a token is refused.
    var compliant: EventContext?
    /// The refusals, each after another compliant remediation.
    var refusals = Occurrences()
    /// The last loop.
    var loop: Loop?
    /// The row that lasts, and the longest one that is over and led nowhere.
    var row = Row()
    var longest: Row?
    /// The remediation with interaction that ended in another demand for it, and how that ended.
    var demand: EventContext?
    var demandEnding: DiagnosisEnding?
    var demands = Occurrences()
    var premature = Occurrences()
    /// The last attempt of any kind.
    var latest: EventContext?

    /// Whether a loop lasts.
    var isLoop: Bool { loop.map { $0.ending == nil } ?? false }
  }

  private var records = PerAccount<Record>()

  static let events: [any EventPayload.Type] = [
    TokenAcquired.self, PolicyReceived.self, TokenDenied.self, RemediationFinished.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .tokenDenied(let event):
      refuse(event, context, wasRemoved: before.accounts[event.account]?.tokensRemoved == true)
    case .remediationFinished(let event):
      finish(event, context, isStaying: after.accounts[event.account]?.enrollment.status.isStaying == true)
    case .tokenAcquired(let event): endAttempts(event.account, DiagnosisEnding(.recovered, at: context))
    // A first policy is what conditional access waits for; a revision is a check-in like any other.
    case .policyReceived(let event) where before.policies[event.account] == nil:
      endAttempts(event.account, DiagnosisEnding(.recovered, at: context))
    default: break
    }
  }

  private mutating func refuse(_ event: TokenDenied, _ context: EventContext, wasRemoved: Bool) {
    if event.isPremature { records[event.account, default: Record()].premature.add(context) }
    guard event.isLoop || Self.isRefusal(event.error, wasRemoved: wasRemoved) else { return }
    pause(event.account, context)
    var record = records[event.account] ?? Record()
    record.latest = context
    if let compliant = record.compliant {
      if context.elapsed(since: compliant) <= Self.memory {
        record.refusals.add(context)
      } else if !record.isLoop {
        record.refusals = Occurrences()
      }
      record.compliant = nil
    }
    if !record.isLoop, event.isLoop || record.refusals.count >= Self.most {
      record.loop = Loop(event: context, refusals: record.refusals)
    }
    if record.isLoop {
      record.loop?.refusals = record.refusals
      if event.isLoop { record.loop?.isSeen = true }
    }
    records[event.account] = record
  }

  /// Whether an error is a refusal, as far as it tells: not the network, a sign-in that the user canceled, a declined scope, or
  /// tokens that the app removed itself.
  private static func isRefusal(_ error: Int64, wasRemoved: Bool) -> Bool {
    if error == TokenDenied.protectionRequired { return true }
    return !wasRemoved && ![-50003, -50005].contains(error) && !(-2000 ... -1).contains(error)
  }

  private mutating func finish(_ event: RemediationFinished, _ context: EventContext, isStaying: Bool) {
    guard isStaying else { return }
    pause(event.account, context)
    records[event.account, default: Record()].latest = context
    switch event.status {
    case .compliant:
      endRow(event.account, DiagnosisEnding(.recovered, at: context))
      records[event.account]?.compliant = context
      endDemand(event.account, DiagnosisEnding(.recovered, at: context))
    case .userCancelled: break
    case .notCompliant, .serviceFailure, .networkFailure, .interactionRequired:
      records[event.account]?.row.attempts.add(context)
      records[event.account]?.row.status = event.status
    }
    if event.status == .interactionRequired { records[event.account]?.demands.add(context) }
    if event.isLoop, records[event.account]?.demand == nil || records[event.account]?.demandEnding != nil {
      records[event.account]?.demand = context
      records[event.account]?.demandEnding = nil
    }
  }

  /// Interaction is no longer demanded.
  private mutating func endDemand(_ account: AccountNumber, _ ending: DiagnosisEnding) {
    if let record = records[account], record.demand != nil {
      records[account]?.demandEnding = record.demandEnding ?? ending
    } else {
      records[account]?.demands = Occurrences()
    }
  }

  private mutating func endRow(_ account: AccountNumber, _ ending: DiagnosisEnding) {
    guard var record = records[account] else { return }
    record.row.ending = ending
    if record.row.isTrouble, record.longest.map({ $0.duration < record.row.duration }) ?? true {
      record.longest = record.row
    }
    record.row = Row()
    records[account] = record
  }

  /// A token, or a first policy, ends what went before.
  private mutating func endAttempts(_ account: AccountNumber, _ ending: DiagnosisEnding) {
    endRow(account, ending)
    endDemand(account, ending)
    guard var record = records[account] else { return }
    (record.compliant, record.refusals) = (nil, Occurrences())
    if record.isLoop { record.loop?.ending = ending }
    records[account] = record
  }

  /// What was tried before a day without another attempt is no part of what comes then, unless it led nowhere: that is out of
  /// sight later.
  private mutating func pause(_ account: AccountNumber, _ context: EventContext) {
    guard var record = records[account], let latest = record.latest else { return }
    guard !Episodes.isOutOfSight(latest, at: context) else {
      return endAttempts(account, DiagnosisEnding(.outOfSight, at: latest))
    }
    guard context.elapsed(since: latest) > RetrySchedule.day else { return }
    if !record.row.isTrouble { record.row = Row() }
    if !record.isLoop { (record.compliant, record.refusals) = (nil, Occurrences()) }
    records[account] = record
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    records.inOrder.compactMap { account, record in
      let isOutOfSight = Episodes.isOutOfSight(record.latest, at: last)
      let troubles = [
        loop(account, record, isOutOfSight), demand(account, record, isOutOfSight), row(account, record.row),
        record.longest.flatMap { row(account, $0) },
      ].compactMap { $0 }
      // What lasts comes before what is over.
      guard let trouble = troubles.first(where: { $0.ending == nil }) ?? troubles.first else {
        return premature(account, record, last)
      }
      var problem = trouble.problem
      if let ending = trouble.ending {
        problem.end(ending.kind, at: ending.event)
        problem.severity = trouble.isLoop ? .warning : .note
      }
      problem.endOutOfSight(since: record.latest, trouble.isLoop ? Self.most : 1, at: last)
      return problem
    }
  }

  private typealias Trouble = (problem: Problem, ending: DiagnosisEnding?, isLoop: Bool)

  private func loop(_ account: AccountNumber, _ record: Record, _ isOutOfSight: Bool) -> Trouble? {
    guard let loop = record.loop else { return nil }
    let isOver = loop.ending != nil || isOutOfSight
    let problem = make(
      account, loop.isSeen ? .certain : .likely,
      "tokens of \(account) \(isOver ? "were" : "are") refused again and again, although each remediation "
        + "ended compliant: "
        + "\(loop.refusals.times) up to event \(loop.refusals.last?.sequence ?? loop.event.sequence)", loop.event,
      "the refusal that makes it a loop",
      loop.refusals.evidence("a token is refused after a compliant remediation"),
      next: "compare the client id, the object id that is passed, and the keychain group of the token cache")
    return (problem, loop.ending, true)
  }

  private func demand(_ account: AccountNumber, _ record: Record, _ isOutOfSight: Bool) -> Trouble? {
    guard let demand = record.demand else { return nil }
    let isOver = record.demandEnding != nil || isOutOfSight
    let problem = make(
      account, .certain,
      "a remediation of \(account) with interaction \(isOver ? "ended" : "ends") in another demand for interaction",
      demand,
      "interaction is demanded again", record.demands.evidence("interaction is demanded"),
      next: "call remediateCompliance with silent set to false once, and look at what the sign-in page says")
    return (problem, record.demandEnding, true)
  }

  private func row(_ account: AccountNumber, _ row: Row) -> Trouble? {
    guard row.isTrouble, let first = row.attempts.first else { return nil }
    let problem = make(
      account, .likely,
      "\(row.attempts.count) remediations of \(account) in a row did not end compliant, the last one "
        + row.status.name, first, "the first one that does not end compliant",
      row.attempts.evidence("a remediation does not end compliant"), next: Self.next(after: row.status))
    return (problem, row.ending, false)
  }

  private func premature(_ account: AccountNumber, _ record: Record, _ last: EventContext) -> Problem? {
    guard record.premature.count > 1, let first = record.premature.first else { return nil }
    var problem = make(
      account, .likely,
      "the app asked \(record.premature.count) times for a token of \(account) before its remediation had ended",
      first, "the token is asked for too early", record.premature.evidence("the token is asked for too early"),
      next: "wait for the compliance callback before asking for the token")
    problem.severity = .warning
    problem.endOutOfSight(since: record.premature.last, record.premature.count, at: last)
    return problem
  }

  private func make(
    _ account: AccountNumber, _ confidence: DiagnosisConfidence, _ sentence: String, _ event: EventContext,
    _ words: String, _ others: [DiagnosisEvidence], next: String
  ) -> Problem {
    Problem(
      .remediationLoop, confidence, of: account.description, sentence,
      evidence: DiagnosisEvidence(event, words), others, next: next,
      command: "log JOURNAL --account \(account) -w 'type = token.* or type = remediation.*'")
  }

  private static func next(after status: ComplianceStatus) -> String {
    switch status {
    case .notCompliant: "assign an app protection policy to the user, which conditional access demands"
    case .networkFailure: "look at the network, and try again when the device is online"
    case .serviceFailure: "try later; if it lasts, ask the service's support"
    case .interactionRequired: "call remediateCompliance with silent set to false"
    case .compliant, .userCancelled: "let the user try again"
    }
  }
}
