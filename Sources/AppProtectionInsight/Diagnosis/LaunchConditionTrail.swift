import AppProtection
import EventSourcing

/// Where an account stands with one launch condition: since when it is not met, and which event decided that.
struct LaunchConditionTrail: Sendable {
  /// What a condition can be met by.
  enum Mending: Sendable {
    case fact, policy, withdrawal
  }

  /// A stretch during which the condition was not met.
  struct Failure: Sendable {
    /// The condition with the values that decided.
    var finding: LaunchFinding
    /// The same with the values of the last evaluation.
    var latest: LaunchFinding
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
    /// The processes in which it was found so, and the last of them.
    var foundIn: (count: Int, last: UInt64) = (0, 0)
    /// The wipe that followed, and those before it for the same reason.
    var wipe: EventContext?
    var wipes = Occurrences()
    /// How it ended; `nil` while it lasts.
    var ending: DiagnosisEnding?
    /// Whether the condition was met after the wipe, or the account left; and the event with which it was met.
    var isMetSince = false
    var met: EventContext?
    /// Since when the state meets the condition, although nothing has evaluated it since.
    var mended: EventContext?
    /// The change with which it was met.
    var mending: (event: EventContext, change: Mending)?
    /// Whether it is described as what was.
    var isOver = false

    /// In how many launches it was found so: `, at each of 4 launches`; empty for fewer than three.
    fileprivate var repetition: String {
      guard foundIn.count >= Episodes.many.episodes else { return "" }
      return foundIn.count > launches.count
        ? ", at each of \(foundIn.count) launches" : ", at \(foundIn.count) launches"
    }

    /// Whether it lasted, or lasted so long with the app in use that it counts more than an earlier one.
    fileprivate var wasLong: Bool {
      guard wipe == nil, let first = evaluations.first, let ending else { return true }
      return finding.keepsOut && launches.count > 1 && ending.event.elapsed(since: first) >= RetrySchedule.day
    }
  }

  /// What the condition comes to for an account, whether or not it is evaluated.
  private struct Standing: Sendable {
    let finding: LaunchFinding
    let decided: EventContext
    let isPolicy: Bool
  }

  private let rules: Set<LaunchRule>
  private let properties: [PolicyProperty]
  private var failures = PerAccount<Failure>()
  /// The episodes in which the condition kept the user out, the short ones included, and the first of them.
  private var episodes = PerAccount<Episodes>()
  private var brief = PerAccount<Failure>()
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

  /// The same, with failures that are over because the state meets the condition.
  var concluded: Self {
    var trail = self
    for (account, failure) in failures.inOrder {
      if failure.ending == nil, let mended = failure.mended { trail.end(account, .recovered, mended) }
    }
    return trail
  }

  /// The failures that last or ended in a wipe, and those that are over and kept the user out, by account. Of the latter, one
  /// that was long counts, or else the first; it stands beside a mere warning.
  var inOrder: [(account: AccountNumber, value: Failure)] {
    var (all, rest) = (failures, PerAccount<Failure>())
    for (account, failure) in brief.inOrder {
      if all[account] == nil {
        all[account] = failure
      } else if all[account]?.finding.keepsOut == false {
        rest[account] = failure
      }
    }
    return all.inOrder + rest.inOrder
  }

  /// The episodes in which the condition kept the user of an account out.
  func episodes(of account: AccountNumber) -> Episodes { episodes[account] ?? Episodes() }

  /// Whether a policy that kept the user of an account out demanded it by one of these settings only.
  func isDemanded(_ account: AccountNumber, by settings: [String]) -> Bool {
    let failure = failures[account] ?? brief[account]
    guard let failure, failure.isPolicy, failure.finding.keepsOut, !settings.isEmpty else { return false }
    let names = failure.finding.rule.properties(for: failure.finding.outcome).map(\.name)
    return settings.allSatisfy(names.contains)
  }

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
      if !event.isExtension { failures.updateAll { if $0.ending == nil { $0.launches.add(context) } } }
    case .deviceReported, .pinFailed, .pinSet, .pinVerified, .userStatusReceived:
      if isChanged(before, after) { recordFact(context, true, after) }
    case .pinReset:
      if isChanged(before, after) { recordFact(context, true, after) }
      // The user has signed in: every account's user may choose a new PIN.
      if rules.contains(.pinAttempts) { for (account, _) in failures.inOrder { end(account, .recovered, context) } }
    case .launchEvaluated(let event):
      recordEvaluation(event, context)
      let launch = after.process.launch
      if failures[event.account]?.evaluations.last == context, failures[event.account]?.foundIn.last != launch {
        failures[event.account]?.foundIn.count += 1
        failures[event.account]?.foundIn.last = launch
      }
    case .wipeRequested(let event):
      if event.reason == .conditionalLaunch, failures[event.account]?.ending == nil,
        failures[event.account]?.finding.outcome == .wipe
      {
        failures[event.account]?.wipe = context
        failures[event.account]?.wipes.add(context)
        episodes[event.account]?.end(.wiped, at: context)
      } else {
        end(event.account, .wiped, context)
      }
    case .policyWithdrawn(let event):
      if let failure = failures[event.account], failure.ending == nil, failure.met == nil,
        failure.mending == nil
      {
        failures[event.account]?.mending = (context, .withdrawal)
      }
      end(event.account, .recovered, context)
    case .unenrollmentRequested(let event): end(event.account, .abandoned, context)
    case .unenrollmentSucceeded(let event): end(event.account, .abandoned, context)
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
      if after.policies[account]?.isEnforced == true { mend(account, context, isPolicy: isPolicy) }
      return
    }
    if failures[account]?.ending == nil, failures[account]?.met == nil { forgetMending(account) }
    if let standing = standings[account], standing.finding.isSame(as: finding) { return }
    // A policy that is enforced from a restart on decided when it arrived.
    let decided = isPolicy ? lastPolicy(account, finding) ?? context : context
    var explanation = Explanation()
    let compared = after.launchDecision(
      for: account, at: context.moment, explanation: &explanation, comparing: true
    ).findings.first { $0.isSame(as: finding) }
    standings[account] = Standing(finding: compared ?? finding, decided: decided, isPolicy: isPolicy)
  }

  /// The state meets the condition. What is not there any longer after a wipe is over at once; else the next evaluation tells.
  private mutating func mend(_ account: AccountNumber, _ context: EventContext, isPolicy: Bool) {
    guard let failure = failures[account], failure.ending == nil, failure.met == nil, failure.mended == nil else {
      return
    }
    let mending = mending(of: failure, account, isPolicy ? .policy : .fact)
    failures[account]?.mending = mending
    guard failure.wipe == nil else { return end(account, .recovered, context) }
    failures[account]?.mended = context
  }

  /// What met the condition is undone.
  private mutating func forgetMending(_ account: AccountNumber) {
    failures[account]?.mended = nil
    failures[account]?.mending = nil
  }

  private mutating func recordEvaluation(_ event: LaunchEvaluated, _ context: EventContext) {
    let account = event.account
    guard let finding = event.findings.first(where: { rules.contains($0.rule) }) else {
      return end(account, .recovered, context)
    }
    if finding.keepsOut { episodes[account, default: Episodes()].see(context) }
    if let failure = failures[account], failure.ending == nil, failure.wipe == nil, failure.finding.isSame(as: finding)
    {
      failures[account]?.evaluations.add(context)
      failures[account]?.latest = finding
      forgetMending(account)
      return
    }
    let policy = lastPolicy(account, finding)
    let standing = standings[account].flatMap { $0.finding.isSame(as: finding) ? $0 : nil }
    // After a wipe, an account that is added again fails for the same reason as before.
    let earlier = failures[account].flatMap { earlier in
      earlier.wipe != nil && !earlier.isMetSince && earlier.finding.isSame(as: finding) ? earlier : nil
    }
    let isPolicy = earlier?.isPolicy ?? standing?.isPolicy ?? (policy?.sequence ?? 0 > fact?.sequence ?? 0)
    var failure = Failure(
      finding: earlier?.finding ?? standing?.finding ?? finding, latest: finding,
      decided: earlier?.decided ?? standing?.decided ?? (isPolicy ? policy : fact) ?? context,
      isPolicy: isPolicy, other: isPolicy ? fact : policy)
    if let earlier { (failure.evaluations, failure.wipes) = (earlier.evaluations, earlier.wipes) }
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

  private mutating func end(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    episodes[account]?.end(kind, at: context)
    if failures[account]?.wipe != nil {
      if kind == .recovered, let failure = failures[account], failure.met == nil {
        let mending = failure.mending ?? mending(of: failure, account)
        failures[account]?.met = context
        failures[account]?.mending = mending
      }
      failures[account]?.isMetSince = true
    }
    guard var failure = failures[account], failure.ending == nil, failure.wipe == nil else { return }
    failure.ending = DiagnosisEnding(kind, at: context)
    if kind == .recovered { failure.mending = failure.mending ?? mending(of: failure, account) }
    failures[account] = failure.wasLong ? failure : nil
    if failure.finding.keepsOut, brief[account] == nil { brief[account] = failure }
  }

  /// The change of the setting or the fact after the one that decided: of one kind, or the last one.
  private func mending(
    of failure: Failure, _ account: AccountNumber, _ kind: Mending? = nil
  ) -> (event: EventContext, change: Mending)? {
    let policy = lastPolicy(account, failure.finding)
    let all: [(event: EventContext, change: Mending)?] = [fact.map { ($0, .fact) }, policy.map { ($0, .policy) }]
    let changes = all.compactMap { $0 }.filter { $0.event.sequence > failure.decided.sequence }
    return changes.first { $0.change == kind } ?? changes.max { $0.event.sequence < $1.event.sequence }
  }
}

extension LaunchFinding {
  /// Whether it keeps the user out, and is not only a warning.
  fileprivate var keepsOut: Bool { outcome.severityRank < 2 }

  /// Whether it is about the same condition, with the same outcome; the values may differ.
  fileprivate func isSame(as other: Self) -> Bool { rule == other.rule && outcome == other.outcome }

  /// The demand and the fact: `18.0 beside 17.5`; empty where one of them is unknown.
  fileprivate var values: String {
    guard let comparison, !comparison.settingValue.isEmpty, !comparison.factValue.isEmpty else { return "" }
    return "\(comparison.settingValue) beside \(comparison.factValue)"
  }
}

/// Looks for accounts that do not meet one launch condition.
///
/// The deciding event is the evaluation that kept the user out. What brought it about, the change from which on the condition is
/// not met, comes next: of the policy, of the device, or of what its user did.
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
  /// What changed so that the condition was met, where the policy did not: a few words in the past tense.
  static func mending(_ rule: LaunchRule) -> String
  /// Whether the change of the fact itself keeps the user out, so that it decides: a PIN is refused when it is entered.
  static var isFactRefusal: Bool { get }
  /// What took the fact away, if it was not the device itself: an event in a few words.
  static func cause(of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes) -> DiagnosisEvidence?
  /// How the fact came about, if it took several events: the end of the sentence, and those events.
  static func course(
    of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes
  ) -> (words: String, events: [DiagnosisEvidence])?
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
    guard let trail = notes.launchConditions(of: Self.family)?.concluded else { return [] }
    return trail.inOrder.compactMap { account, failure in
      var failure = failure
      failure.isOver = failure.ending != nil || failure.met != nil || Episodes.isOutOfSight(failure.wipe, at: last)
      return Self.reports(failure) ? Self.problem(account, failure, trail.episodes(of: account), last, notes) : nil
    }
  }

  static func reports(_ failure: LaunchConditionTrail.Failure) -> Bool { true }

  static var isFactRefusal: Bool { false }

  static func cause(of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes) -> DiagnosisEvidence? { nil }

  static func course(
    of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes
  ) -> (words: String, events: [DiagnosisEvidence])? { nil }

  /// What kept the user out, with what brought it about: the change from which on the condition was not met, what caused
  /// that, and the last change of the other one of policy and fact.
  static func decision(_ failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes) -> LaunchConditionDecision {
    let change = change(failure.finding.rule)
    let demand = failure.isPolicy ? "the policy demands it" : "the policy that demands it"
    // What came first, the demand or the fact, is not known where both lie before the history.
    let isUnknown = notes.isMissing(failure.decided)
    let words =
      failure.isPolicy
      ? (decided: demand, other: "before that, \(change)") : (decided: change, other: demand)
    let decided = DiagnosisEvidence(failure.decided, isUnknown ? "the condition is no longer met" : words.decided)
    let cause = failure.isPolicy || isUnknown ? nil : Self.cause(of: failure, notes)
    let other = isUnknown ? nil : failure.other.map { DiagnosisEvidence($0, words.other) }
    let evaluation = DiagnosisEvidence(
      failure.evaluations.first ?? failure.decided, "the launch conditions come to: \(failure.finding.outcome.name)")
    let changes = [cause, decided, other].compactMap { $0 }
    let isRefusal = isFactRefusal && !failure.isPolicy && !isUnknown
    return LaunchConditionDecision(
      deciding: isRefusal ? decided : evaluation,
      others: isRefusal ? [other, evaluation].compactMap { $0 } : changes,
      began: cause?.sequence ?? failure.decided.sequence, cause: cause?.text)
  }

  private static func problem(
    _ account: AccountNumber, _ failure: LaunchConditionTrail.Failure, _ episodes: Episodes, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem {
    let comparison = failure.finding.comparison
    let setting = comparison?.settingValue ?? ""
    let decision = decision(failure, notes)
    let first = failure.evaluations.first?.sequence ?? 0
    var others = decision.others
    if let wipe = failure.wipe { others.append(DiagnosisEvidence(wipe, "the account's data is wiped")) }
    let course = course(of: failure, notes)
    others += (course?.events ?? []) + failure.evaluations.evidence("still not met")
    let effect =
      if failure.wipe != nil {
        "was wiped"
      } else if failure.ending != nil {
        failure.finding.outcome == .warn ? "was warned" : "was blocked"
      } else if failure.finding.outcome == .warn {
        "is warned"
      } else {
        "is blocked"
      }
    let felt = (failure.wipe == nil ? nil : failure.wipes.first)?.sequence ?? first
    let (values, latest) = (failure.finding.values, failure.latest.values)
    let judged = failure.wipe ?? failure.evaluations.last
    var current = failure
    current.finding = failure.latest
    let change =
      if let now = failure.latest.comparison, now.fact != comparison?.fact {
        "; at event \(judged?.sequence ?? first), \(reason(now.settingValue, now.factValue, current))"
      } else {
        latest.isEmpty || latest == values
          ? "" : "; at event \(judged?.sequence ?? first), it \(failure.isOver ? "was" : "is") \(latest)"
      }
    let mending = failure.mending.map { mending in
      let words =
        switch mending.change {
        case .fact: Self.mending(failure.finding.rule)
        case .policy: "another policy came"
        case .withdrawal: "the policy was withdrawn"
        }
      return DiagnosisEvidence(mending.event, words)
    }
    if let mending { others.append(mending) }
    // Each of several episodes had an end of its own.
    let end =
      episodes.count > 1 ? "" : mending.map { ", until \($0.text) with event \($0.sequence ?? first)" } ?? ""
    let repetition =
      failure.wipe != nil && failure.wipes.count > 1
      ? "; it was wiped \(failure.wipes.times) up to event \(failure.wipe?.sequence ?? first)"
      : episodes.count > 1
        ? "; it came \(episodes.words), from event \(episodes.first?.sequence ?? first) to event "
          + "\(episodes.last?.sequence ?? first)" : ""
    var problem = Problem(
      family, of: account.description,
      "\(account) \(effect) at event \(felt)\(failure.repetition): "
        + reason(setting, comparison?.factValue ?? "", failure) + (decision.cause.map { ", since \($0)" } ?? "")
        + (course?.words ?? "") + change + end + repetition,
      evidence: decision.deciding, others, next: remedy(current), command: "explain JOURNAL 'launch(\(account))' --when"
    )
    problem.began = decision.began
    if decision.cause != nil { problem.consequences = [.appConfiguration] }
    if failure.finding.outcome == .warn { (problem.severity, problem.harm) = (.note, .irregular) }
    problem.show(episodes.kept, of: episodes.count)
    if let ending = failure.ending {
      let latest = episodes.kept.last?.ending ?? ending
      problem.end(latest.kind, at: latest.event)
      problem.severity = episodes.count >= Episodes.many.episodes ? .warning : .note
    } else if let met = failure.met {
      problem.end(.recovered, at: met)
    } else if let wipe = failure.wipe, failure.isOver {
      problem.end(.outOfSight, at: wipe)
    }
    return problem
  }
}

/// Why a launch condition kept the user out.
struct LaunchConditionDecision: Sendable {
  /// The evaluation, or the refusal before it.
  let deciding: DiagnosisEvidence
  /// What brought it about.
  let others: [DiagnosisEvidence]
  /// The change from which on the condition was not met, or what caused that.
  let began: UInt64
  /// What caused the change, in a few words.
  let cause: String?
}
