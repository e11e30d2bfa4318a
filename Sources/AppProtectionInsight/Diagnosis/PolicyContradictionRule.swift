import AppProtection
import EventSourcing

/// Settings of a policy in force that contradict one another.
struct PolicyContradictionRule: ProblemRule {
  private struct Record: Sendable {
    /// The contradictions, with the event that began each.
    var found: [(contradiction: PolicyContradiction, event: EventContext)] = []
  }

  private let check: @Sendable (PolicyDocument) -> [PolicyContradiction]
  private var records = PerAccount<Record>()

  init() { self.init { _ in [] } }

  /// `check` finds the contradictions within a policy.
  init(_ check: @escaping @Sendable (PolicyDocument) -> [PolicyContradiction]) { self.check = check }

  static let events: [any EventPayload.Type] = [
    PolicyReceived.self
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .policyReceived(let event):
      guard before.policies[event.account]?.document != event.document else { break }
      let earlier = before.policies[event.account] == nil ? [] : records[event.account]?.found ?? []
      records[event.account] = Record(
        found: check(event.document).map { contradiction in
          (contradiction, earlier.first { $0.contradiction == contradiction }?.event ?? context)
        })
    default: break
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    records.inOrder.compactMap { account, record in
      let found = record.found.sorted { one, other in
        one.contradiction.severity == other.contradiction.severity
          ? one.event.sequence < other.event.sequence : one.contradiction.severity > other.contradiction.severity
      }
      guard let (first, event) = found.first, state.isManaged(account) else { return nil }
      let more = found.count > 1 ? "; \(found.count - 1) more" : ""
      var problem = Problem(
        .policyContradiction, of: account.description,
        "the policy of \(account): \(first.message)\(more)",
        evidence: DiagnosisEvidence(event, "the policy arrives: \(first.rule)"),
        found.dropFirst().map { DiagnosisEvidence($0.event, "\($0.contradiction.message)") },
        next: first.remedy, command: "policy lint JOURNAL --account \(account)")
      problem.severity = first.severity
      if found.contains(where: { $0.contradiction.refusesEverySystem }) { problem.consequences = [.osVersion] }
      return problem
    }
  }
}
