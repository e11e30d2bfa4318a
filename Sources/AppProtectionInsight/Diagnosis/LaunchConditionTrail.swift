import AppProtection
import EventSourcing

/// Where an account stands with one launch condition: since when it is not met, and which event decided that.
struct LaunchConditionTrail: Sendable {
  /// A stretch during which the condition was not met.
  struct Failure: Sendable {
    /// The condition with the values that were compared.
    let finding: LaunchFinding
    /// The change of the setting or the fact from which on the condition was not met: it decided.
    let decided: EventContext
    /// Whether a policy decided, and not the device or its user.
    let isPolicy: Bool
    /// The last change of the other one of the two.
    let other: EventContext?
    /// The evaluations that found it so.
    var evaluations = Occurrences()
    /// The processes of the app that started since then.
    var launches = Occurrences()
    /// The wipe that followed.
    var wipe: EventContext?
    /// The event that ended it; `nil` while it lasts.
    var end: EventContext?
    /// Whether the condition was met after the wipe.
    var isMetSince = false

    /// Whether it lasted so long, with the app in use, that the user noticed it, although it is over.
    fileprivate var wasNoticed: Bool {
      guard wipe == nil, let first = evaluations.first, let end else { return true }
      return finding.outcome.severityRank < 3 && launches.count > 1
        && end.elapsed(since: first) >= RetrySchedule.day
    }
  }

  /// What the condition comes to for an account, whether or not it is evaluated.
  private struct Standing: Sendable {
    let rule: LaunchRule
    let outcome: LaunchOutcome
    let decided: EventContext
    let isPolicy: Bool
  }

  private let rules: Set<LaunchRule>
  private let properties: [PolicyProperty]
  private var failures = PerAccount<Failure>()
  /// The accounts for which the condition is not met now.
  private var standings = PerAccount<Standing>()
  /// The last change of each setting, in the order of the properties.
  private var policies = PerAccount<[EventContext?]>()
  /// The last value of each setting, also after a wipe took the policy.
  private var values = PerAccount<[PolicyValue?]>()
  /// The last change of the fact.
  private var fact: EventContext?

  /// Follows the conditions of these rules.
  init(of rules: [LaunchRule]) {
    self.rules = Set(rules)
    var properties: [PolicyProperty] = []
    for outcome in [LaunchOutcome.block, .wipe, .warn] {
      for property in rules.flatMap({ $0.properties(for: outcome) })
      where !properties.contains(where: { $0 === property }) {
        properties.append(property)
      }
    }
    self.properties = properties
  }

  /// The failures that last or ended in a wipe, and those that are over and were noticed, by account.
  var inOrder: [(account: AccountNumber, value: Failure)] { failures.inOrder }

  /// The failure that led to a wipe.
  func failure(of account: AccountNumber, wipedBy wipe: EventContext) -> Failure? {
    failures[account].flatMap { $0.wipe == wipe ? $0 : nil }
  }

  /// The events that may change where an account stands.
  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, UnenrollmentRequested.self, UnenrollmentSucceeded.self, PolicyReceived.self,
    PolicyWithdrawn.self, WipeRequested.self, DeviceReported.self, UserStatusReceived.self, LaunchEvaluated.self,
    PINSet.self, PINVerified.self, PINFailed.self, PINReset.self,
  ]

  /// Observes an event.
  ///
  /// - Parameter isChanged: Whether the fact that the condition is about differs in two states.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ isChanged: (AppProtectionState, AppProtectionState) -> Bool
  ) {
    switch event {
    case .policyReceived(let event):
      recordPolicy(event, context)
      refresh(event.account, context, after, isPolicy: true)
    case .processStarted(let event):
      recordFact(context, isChanged(before, after), after)
      if !event.isExtension { failures.updateAll { if $0.end == nil { $0.launches.add(context) } } }
    case .deviceReported, .pinFailed, .pinSet, .pinVerified, .userStatusReceived:
      if isChanged(before, after) { recordFact(context, true, after) }
    case .pinReset:
      if isChanged(before, after) { recordFact(context, true, after) }
      // The user has signed in: every account's user may choose a new PIN.
      if rules.contains(.pinAttempts) { for (account, _) in failures.inOrder { end(account, context) } }
    case .launchEvaluated(let event): recordEvaluation(event, context)
    case .wipeRequested(let event):
      if event.reason == .conditionalLaunch, failures[event.account]?.end == nil,
        failures[event.account]?.finding.outcome == .wipe
      {
        failures[event.account]?.wipe = context
      } else {
        end(event.account, context)
      }
    case .policyWithdrawn(let event): end(event.account, context)
    case .unenrollmentRequested(let event): end(event.account, context)
    case .unenrollmentSucceeded(let event): end(event.account, context)
    default: break
    }
  }

  private mutating func recordPolicy(_ event: PolicyReceived, _ context: EventContext) {
    var changes = policies[event.account] ?? properties.map { _ in nil }
    let earlier = values[event.account] ?? properties.map { _ in nil }
    let new = properties.map { $0.read(event.document) }
    for place in properties.indices where earlier[place] != new[place] || changes[place] == nil {
      changes[place] = context
    }
    (policies[event.account], values[event.account]) = (changes, new)
  }

  /// The fact may differ, or a policy may be enforced from here on.
  private mutating func recordFact(_ context: EventContext, _ isChanged: Bool, _ after: AppProtectionState) {
    if isChanged { fact = context }
    for record in after.policies.records { refresh(record.account, context, after, isPolicy: !isChanged) }
  }

  /// Records what the condition comes to, and what decided that if it is something else than before.
  private mutating func refresh(
    _ account: AccountNumber, _ context: EventContext, _ after: AppProtectionState, isPolicy: Bool
  ) {
    let found = after.conditionalLaunch(for: account, at: context.moment).findings
    guard let finding = found.first(where: { rules.contains($0.rule) }) else {
      standings[account] = nil
      return
    }
    if let standing = standings[account], standing.rule == finding.rule, standing.outcome == finding.outcome { return }
    // A policy that is enforced from a restart on decided when it arrived.
    let decided = isPolicy ? lastPolicy(account, finding) ?? context : context
    standings[account] = Standing(rule: finding.rule, outcome: finding.outcome, decided: decided, isPolicy: isPolicy)
  }

  private mutating func recordEvaluation(_ event: LaunchEvaluated, _ context: EventContext) {
    let account = event.account
    guard let finding = event.findings.first(where: { rules.contains($0.rule) }) else { return end(account, context) }
    if let failure = failures[account], failure.end == nil, failure.wipe == nil,
      failure.finding.rule == finding.rule, failure.finding.outcome == finding.outcome
    {
      failures[account]?.evaluations.add(context)
      return
    }
    let policy = lastPolicy(account, finding)
    let standing = standings[account].flatMap { $0.rule == finding.rule && $0.outcome == finding.outcome ? $0 : nil }
    // After a wipe, an account that is added again fails for the same reason as before.
    let earlier = failures[account].flatMap { earlier in
      earlier.wipe != nil && !earlier.isMetSince && earlier.finding.rule == finding.rule
        && earlier.finding.outcome == finding.outcome ? earlier : nil
    }
    let isPolicy = earlier?.isPolicy ?? standing?.isPolicy ?? (policy?.sequence ?? 0 > fact?.sequence ?? 0)
    var failure = Failure(
      finding: finding, decided: earlier?.decided ?? standing?.decided ?? (isPolicy ? policy : fact) ?? context,
      isPolicy: isPolicy, other: isPolicy ? fact : policy)
    failure.evaluations.add(context)
    failures[account] = failure
  }

  /// The last change of a setting that gives the condition its outcome.
  private func lastPolicy(_ account: AccountNumber, _ finding: LaunchFinding) -> EventContext? {
    guard let changes = policies[account] else { return nil }
    let settings = finding.rule.properties(for: finding.outcome)
    return properties.indices.filter { place in settings.contains { $0 === properties[place] } }
      .compactMap { changes[$0] }.max { $0.sequence < $1.sequence }
  }

  private mutating func end(_ account: AccountNumber, _ context: EventContext) {
    if failures[account]?.wipe != nil { failures[account]?.isMetSince = true }
    guard var failure = failures[account], failure.end == nil, failure.wipe == nil else { return }
    failure.end = context
    failures[account] = failure.wasNoticed ? failure : nil
  }
}

/// Looks for accounts that do not meet one launch condition.
///
/// The deciding event is the change from which on it is not met: of the policy, of the device, or of what its user did.
///
/// What is known about the condition is in ``HistoryNotes``, because the rule of wipes asks for it, too.
protocol LaunchConditionRule: ProblemRule {
  /// The family.
  static var family: ProblemFamily { get }
  /// The launch conditions that the family is about.
  static var conditions: [LaunchRule] { get }

  /// Whether the fact that the condition is about differs in two states.
  static func isFactChanged(from before: AppProtectionState, to after: AppProtectionState) -> Bool

  /// Whether a failure is one of the family's.
  static func reports(_ failure: LaunchConditionTrail.Failure) -> Bool
  /// What is wrong: the demand and the fact, as the end of a sentence that begins with the account.
  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String
  /// What changed, where the policy did not: a few words.
  static func change(_ rule: LaunchRule) -> String
  /// What took the fact away, if it was not the device itself: an event in a few words.
  static func cause(of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes) -> DiagnosisEvidence?
  /// What to do.
  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String
}

extension LaunchConditionRule {
  /// None: the notes have looked at the events.
  static var events: [any EventPayload.Type] { [] }

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {}

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    (notes.launchConditions(of: Self.family)?.inOrder ?? []).compactMap { account, failure in
      Self.reports(failure) ? Self.problem(account, failure, notes) : nil
    }
  }

  static func reports(_ failure: LaunchConditionTrail.Failure) -> Bool { true }

  static func cause(of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes) -> DiagnosisEvidence? { nil }

  /// What decided that the condition is not met, the deciding event first, and the last change of the other one of policy and
  /// fact.
  static func decision(
    _ failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes
  ) -> (events: [DiagnosisEvidence], other: DiagnosisEvidence?) {
    let change = change(failure.finding.rule)
    let demand = failure.isPolicy ? "the policy demands it" : "the policy that demands it"
    // What came first, the demand or the fact, is not known where both lie before the history.
    let isUnknown = notes.isMissing(failure.decided)
    let words =
      failure.isPolicy
      ? (decided: demand, other: "before that, \(change)") : (decided: change, other: demand)
    let decided = DiagnosisEvidence(
      failure.decided.sequence, isUnknown ? "the condition is no longer met" : words.decided)
    let cause = failure.isPolicy || isUnknown ? nil : Self.cause(of: failure, notes)
    let other = isUnknown ? nil : failure.other.map { DiagnosisEvidence($0.sequence, words.other) }
    return ((cause.map { [$0] } ?? []) + [decided], other)
  }

  private static func problem(
    _ account: AccountNumber, _ failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes
  ) -> Problem {
    let comparison = failure.finding.comparison
    let setting = comparison?.settingValue ?? ""
    let (decision, other) = decision(failure, notes)
    let cause = decision.count > 1 ? decision[0] : nil
    let first = failure.evaluations.first?.sequence ?? 0
    var others = other.map { [$0] } ?? []
    others.append(DiagnosisEvidence(first, "the launch conditions come to: \(failure.finding.outcome.name)"))
    if let wipe = failure.wipe { others.append(DiagnosisEvidence(wipe.sequence, "the account's data is wiped")) }
    others += failure.evaluations.evidence("still not met")
    let effect =
      if failure.wipe != nil {
        "was wiped"
      } else if failure.end != nil {
        failure.finding.outcome == .warn ? "was warned" : "was blocked"
      } else if failure.finding.outcome == .warn {
        "is warned"
      } else {
        "is blocked"
      }
    var problem = Problem(
      family, of: account.description,
      "\(account) \(effect) at event \(failure.wipe?.sequence ?? first): "
        + reason(setting, comparison?.factValue ?? "", failure) + (cause.map { ", since \($0.text)" } ?? ""),
      evidence: decision[0], decision.dropFirst() + others,
      next: remedy(failure), command: "explain JOURNAL 'launch(\(account))' --when")
    if cause != nil { problem.consequences = [.appConfiguration] }
    if failure.finding.outcome == .warn { problem.severity = .note }
    if let end = failure.end {
      problem.end(at: end.sequence)
      problem.severity = .note
    }
    return problem
  }
}
