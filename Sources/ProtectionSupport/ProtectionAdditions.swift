import AppProtection
import CommandSupport
import EventSourcing
import PolicyDocuments

/// What `pj` knows of app protection that not every domain has.
package struct ProtectionAdditions: DomainAdditions {
  package init() {}

  package let samples = DomainSamples(
    type: "policy.received", path: "/accounts/a1/enrollment/status", account: "a1",
    question: "managed(a1)",
    rule: "S-30", mistake: "an unknown status code",
    consequence: "as a wipe follows from the evaluation that ordered it", engine: "SDK",
    processStart: "the process.started event of the process that wrote it")

  package var clockFields: Set<String> { AppProtectionEvent.clockFields }

  package func isOfClock(_ change: StateChange) -> Bool { change.isOfClock }

  package func accounts(in state: AnyState) -> [UInt64] {
    state.protection.accounts.records.map { UInt64($0.account.rawValue) }
  }

  package func utcOffset(after event: LoggedEvent) -> Int64? {
    event.protectionStep?.withLaterState { $0.process.utcOffset } ?? nil
  }

  package func writer(of event: LoggedEvent) -> String { event.protectionStep?.before?.process.sdkVersion ?? "" }

  package func policyVersion(after event: LoggedEvent, of account: String?) -> UInt64? {
    guard let step = event.protectionStep else { return nil }
    var number = account.flatMap { AccountNumber($0) }
    if account == nil, case .policyReceived(let received)? = step.record.event { number = received.account }
    return number.flatMap { step.after?.policies[$0]?.version }
  }

  /// The evaluation that ordered it.
  package func order(of event: LoggedEvent) -> UInt64? {
    guard let step = event.protectionStep, let content = step.record.event else { return nil }
    let evaluation = step.withEarlierState {
      AppProtectionMachine.evaluation(ordering: content, at: step.record.sequence, before: $0)
    }
    guard let evaluation = evaluation ?? nil, evaluation != step.record.envelope.cause else { return nil }
    return evaluation
  }

  /// The launch conditions. Those that the user cannot answer keep the account out.
  package func conditions(of event: LoggedEvent, closedAlone: Bool) -> [UnmetCondition] {
    func isWanted(_ finding: LaunchFinding) -> Bool { !closedAlone || !finding.outcome.isAnswered }
    guard let step = event.protectionStep, case .launchEvaluated(let evaluation)? = step.record.event,
      evaluation.findings.contains(where: isWanted)
    else { return [] }
    let conditions = step.withLaterState { $0.conditions(of: evaluation, where: isWanted) } ?? []
    return conditions.map {
      UnmetCondition(
        rule: $0.finding.rule.id, outcome: $0.finding.outcome.name, settings: $0.settings, facts: $0.facts)
    }
  }

  package func inferences(in attributes: CommandAttributes) -> [String] {
    attributes.metadata.compactMap { FieldLog.Inference(key: $0.key)?.rawValue }
  }

  package func advice(on event: LoggedEvent) -> (meaning: String, remedy: String)? {
    (event.protectionStep?.record.event?.advice).map { ($0.meaning, $0.remedy) }
  }

  package func deadlines(in state: AnyState, at moment: Moment) -> [AccountDeadline] {
    let state = state.protection
    return state.accounts.records.flatMap { account in
      state.deadlines(for: account.account, at: moment).map { deadline in
        AccountDeadline(
          account: account.account.description, kind: deadline.kind.rawValue, statement: deadline.statement,
          time: deadline.wall(from: moment), isOver: deadline.remaining <= 0, setting: deadline.setting?.name)
      }
    }
  }

  package func label(of finding: any HistoryFinding) -> String {
    (finding as? TraceFinding)?.label ?? finding.rule
  }
}

extension LoggedEvent {
  /// The event as one of app protection; `nil` in another tool.
  package var protectionStep: HistoryStep<AppProtectionMachine>? { (self as? LoggedStep<AppProtectionMachine>)?.step }
}
