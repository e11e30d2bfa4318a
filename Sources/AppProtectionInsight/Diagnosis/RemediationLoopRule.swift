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
    /// The last refusal that shows it.
    var latest: EventContext
    /// Whether the engine saw it, too.
    var isSeen = false
    /// How it ended; `nil` while it lasts.
    var ending: DiagnosisEnding?
  }

  /// Remediations with interaction that ended in another demand for it.
  private struct Demand: Sendable {
    /// The first one that the engine saw.
    let event: EventContext
    var demands: Occurrences
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
    /// The demands for interaction since the last one that was met, and the last ones that came again.
    var demands = Occurrences()
    var demand: Demand?
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
    case .tokenAcquired(let event): endAttempts(event.account, context)
    // A first policy is what conditional access waits for; a revision is a check-in like any other.
    case .policyReceived(let event) where before.policies[event.account] == nil:
      endAttempts(event.account, context)
    default: break
    }
  }

  private mutating func refuse(_ event: TokenDenied, _ context: EventContext, wasRemoved: Bool) {
    if event.isPremature { records[event.account, default: Record()].premature.add(context) }
    guard event.isLoop || Self.isRefusal(event.error, wasRemoved: wasRemoved) else { return }
    pause(event.account, context)
    var record = records[event.account] ?? Record()
    record.latest = context
    var isSighting = event.isLoop
    if let compliant = record.compliant {
      if context.elapsed(since: compliant) <= Self.memory {
        record.refusals.add(context)
        isSighting = true
      } else if !record.isLoop {
        record.refusals = Occurrences()
      }
      record.compliant = nil
    }
    if !record.isLoop, event.isLoop || record.refusals.count >= Self.most {
      record.loop = Loop(event: context, refusals: record.refusals, latest: context)
    }
    if record.isLoop {
      record.loop?.refusals = record.refusals
      if isSighting { record.loop?.latest = context }
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
    guard var record = records[event.account] else { return }
    if event.status == .interactionRequired { record.demands.add(context) }
    if event.isLoop, record.demand == nil || record.demand?.ending != nil {
      record.demand = Demand(event: context, demands: record.demands)
    }
    if record.demand?.ending == nil { record.demand?.demands = record.demands }
    records[event.account] = record
  }

  /// Interaction is no longer demanded.
  private mutating func endDemand(_ account: AccountNumber, _ ending: DiagnosisEnding) {
    records[account]?.demands = Occurrences()
    if records[account]?.demand?.ending == nil { records[account]?.demand?.ending = ending }
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

  private mutating func endLoop(_ account: AccountNumber, _ ending: DiagnosisEnding) {
    guard var record = records[account] else { return }
    (record.compliant, record.refusals) = (nil, Occurrences())
    if record.isLoop { record.loop?.ending = ending }
    records[account] = record
  }

  /// A token, or a first policy, ends what went before.
  private mutating func endAttempts(_ account: AccountNumber, _ context: EventContext) {
    endOutOfSight(account, context)
    let ending = DiagnosisEnding(.recovered, at: context)
    endRow(account, ending)
    endDemand(account, ending)
    endLoop(account, ending)
  }

  /// What was not seen for long is over, each trouble with its own last sighting.
  private mutating func endOutOfSight(_ account: AccountNumber, _ context: EventContext) {
    guard let record = records[account] else { return }
    func ending(_ sighting: EventContext?) -> DiagnosisEnding? {
      Episodes.isOutOfSight(sighting, at: context) ? sighting.map { DiagnosisEnding(.outOfSight, at: $0) } : nil
    }
    if let ending = ending(record.row.attempts.last) { endRow(account, ending) }
    if let ending = ending(record.demands.last) { endDemand(account, ending) }
    if record.isLoop, let ending = ending(record.loop?.latest) { endLoop(account, ending) }
  }

  /// What was tried before a day without another attempt is no part of what comes then, unless it led nowhere: that is out of
  /// sight later.
  private mutating func pause(_ account: AccountNumber, _ context: EventContext) {
    endOutOfSight(account, context)
    guard var record = records[account], let latest = record.latest,
      context.elapsed(since: latest) > RetrySchedule.day
    else { return }
    if !record.row.isTrouble { record.row = Row() }
    if !record.isLoop { (record.compliant, record.refusals) = (nil, Occurrences()) }
    records[account] = record
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    records.inOrder.flatMap { account, record in
      // Demands in a row are one trouble.
      let rows = [record.row, record.longest].compactMap { $0 }.filter { row in
        guard let demand = record.demand?.event.sequence, let first = row.attempts.first?.sequence,
          let last = row.attempts.last?.sequence
        else { return true }
        return !(first...last).contains(demand)
      }
      let troubles =
        [
          record.loop.map { problem(account, $0, at: last) }, record.demand.map { problem(account, $0, at: last) },
        ].compactMap { $0 } + rows.compactMap { problem(account, $0, at: last) }
      return troubles.isEmpty ? [premature(account, record, last)].compactMap { $0 } : troubles
    }
  }

  private func problem(_ account: AccountNumber, _ loop: Loop, at last: EventContext) -> Problem {
    let isOver = loop.ending != nil || Episodes.isOutOfSight(loop.latest, at: last)
    var problem = make(
      account, loop.isSeen ? .certain : .likely,
      "tokens of \(account) \(isOver ? "were" : "are") refused again and again, although each remediation "
        + "ended compliant: "
        + "\(loop.refusals.times) up to event \(loop.refusals.last?.sequence ?? loop.event.sequence)", loop.event,
      "the refusal that makes it a loop",
      loop.refusals.evidence("a token is refused after a compliant remediation"),
      next: "compare the client id, the object id that is passed, and the keychain group of the token cache")
    problem.conclude(loop.ending, .warning)
    problem.endOutOfSight(since: loop.latest, Self.most, at: last)
    return problem
  }

  private func problem(_ account: AccountNumber, _ demand: Demand, at last: EventContext) -> Problem {
    let sighting = demand.demands.last ?? demand.event
    let isOver = demand.ending != nil || Episodes.isOutOfSight(sighting, at: last)
    var problem = make(
      account, .certain,
      "a remediation of \(account) with interaction \(isOver ? "ended" : "ends") in another demand for interaction",
      demand.event,
      "interaction is demanded again", demand.demands.evidence("interaction is demanded"),
      next: "call remediateCompliance with silent set to false once, and look at what the sign-in page says")
    problem.conclude(demand.ending, .warning)
    problem.endOutOfSight(since: sighting, Self.most, at: last)
    return problem
  }

  private func problem(_ account: AccountNumber, _ row: Row, at last: EventContext) -> Problem? {
    guard row.isTrouble, let first = row.attempts.first else { return nil }
    var problem = make(
      account, .likely,
      "\(row.attempts.count) remediations of \(account) in a row did not end compliant, the last one "
        + row.status.name, first, "the first one that does not end compliant",
      row.attempts.evidence("a remediation does not end compliant"), next: Self.next(after: row.status))
    problem.conclude(row.ending, .note)
    problem.endOutOfSight(since: row.attempts.last, at: last)
    return problem
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

extension Problem {
  /// Says how it ended, if it did, and how bad it was.
  fileprivate mutating func conclude(_ ending: DiagnosisEnding?, _ severity: DiagnosisSeverity) {
    guard let ending else { return }
    end(ending.kind, at: ending.event)
    self.severity = severity
  }
}
