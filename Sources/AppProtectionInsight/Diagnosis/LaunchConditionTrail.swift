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
    /// The same with the latest values, and the event that brought or found them.
    var latest: LaunchFinding
    var judged: EventContext?
    /// The change of the setting or the fact from which on the condition was not met: it decided.
    let decided: EventContext
    /// Whether a policy decided, and not the device or its user.
    let isPolicy: Bool
    /// The last change of the other one of the two.
    let other: EventContext?
    /// The event from which on the state shows it, where nothing has evaluated it.
    var unseen: EventContext?
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
    /// The change with which it was met.
    var mending: (event: EventContext, change: Mending)?
    /// Whether it is described as what was.
    var isOver = false

    /// In how many launches it was found so: `, at each of 4 launches`; empty for fewer than three.
    var repetition: String {
      guard foundIn.count >= Episodes.many.episodes else { return "" }
      return foundIn.count > launches.count
        ? ", at each of \(foundIn.count) launches" : ", at \(foundIn.count) launches"
    }

    /// Whether it lasted so long with the app in use that it counts more than an earlier one.
    fileprivate var wasLong: Bool {
      guard let first = evaluations.first, let ending else { return false }
      return launches.count > 1 && ending.event.elapsed(since: first) >= RetrySchedule.day
    }
  }

  /// What the condition comes to for an account, whether or not it is evaluated.
  private struct Standing: Sendable {
    let finding: LaunchFinding
    let decided: EventContext
    let isPolicy: Bool
    /// The event from which on it came to that, and whether the account has left since.
    var began: EventContext
    var isLeft = false
    /// The same with the values that it has now, and since when.
    var latest: LaunchFinding
    var changed: EventContext
  }

  private let rules: Set<LaunchRule>
  private let properties: [PolicyProperty]
  /// What lasts, or ended in a wipe.
  private var failures = PerAccount<Failure>()
  /// What is over and kept the user out, the short ones included: the last one that was long, or else the first.
  private var past = PerAccount<Failure>()
  /// The episodes in which the condition kept the user out.
  private var episodes = PerAccount<Episodes>()
  /// With which values it first and last kept the user out, and the evaluations.
  private var values = PerAccount<(first: (EventContext, LaunchFinding), last: (EventContext, LaunchFinding))>()
  /// The accounts for which the condition is not met now.
  private var standings = PerAccount<Standing>()
  /// The last change of each setting, in the order of the properties.
  private var policies = PerAccount<[EventContext?]>()
  /// The last policy, also after a wipe took it.
  private var documents = PerAccount<PolicyDocument>()
  /// The last change of the fact that each condition is about.
  private var facts: [LaunchRule: EventContext] = [:]

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

  /// The failures that last or ended in a wipe, and those that are over and kept the user out, by account. Of the latter, one
  /// that was long counts, or else the first; it stands beside a mere warning.
  ///
  /// - Parameter state: The last state: it shows what lasts although nothing evaluated it.
  func inOrder(at state: AppProtectionState) -> [(account: AccountNumber, value: Failure)] {
    var (all, rest) = (failures, PerAccount<Failure>())
    for (account, standing) in standings.inOrder where state.enforcedPolicy(for: .account(account)) != nil {
      guard let failure = unseen(account, standing) else { continue }
      all[account] = failure
    }
    for (account, failure) in past.inOrder {
      if all[account] == nil {
        all[account] = failure
      } else if all[account]?.finding.keepsOut == false {
        rest[account] = failure
      }
    }
    return all.inOrder + rest.inOrder
  }

  /// What keeps the user out since the last change of the policy or the fact, and was not evaluated; `nil` where it was, or where
  /// the app has yet to report the fact.
  private func unseen(_ account: AccountNumber, _ standing: Standing) -> Failure? {
    guard standing.finding.keepsOut, standing.latest.comparison?.factValue.isEmpty == false else { return nil }
    if let failure = failures[account], failure.met == nil, failure.finding.keepsOut { return nil }
    return Failure(
      finding: standing.finding, latest: standing.latest, judged: standing.changed, decided: standing.decided,
      isPolicy: standing.isPolicy,
      other: standing.isPolicy ? facts[standing.finding.rule] : lastPolicy(account, standing.finding),
      unseen: standing.began)
  }

  /// The episodes in which the condition kept the user of an account out.
  func episodes(of account: AccountNumber) -> Episodes { episodes[account] ?? Episodes(ofState: true) }

  /// The first and the last evaluation that kept the user of an account out, with their values.
  func evaluations(of account: AccountNumber) -> [(event: EventContext, finding: LaunchFinding)] {
    values[account].map { [$0.first, $0.last] } ?? []
  }

  /// Whether a policy that kept the user of an account out, or let the user in again, did so by one of these settings only.
  func isDemanded(_ account: AccountNumber, by settings: [String]) -> Bool {
    let failure = failures[account].flatMap { $0.finding.keepsOut ? $0 : nil } ?? past[account]
    guard let failure, failure.isPolicy || failure.mending?.change == .policy, !settings.isEmpty else { return false }
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
    PolicyWithdrawn.self, WipeRequested.self, WipeCompleted.self, DeviceReported.self, UserStatusReceived.self,
    LaunchEvaluated.self,
    PINSet.self, PINVerified.self, PINFailed.self, PINReset.self,
  ]

  /// Observes an event.
  ///
  /// - Parameter isChanged: Whether the fact that a condition is about differs in two states.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ isChanged: (LaunchRule, AppProtectionState, AppProtectionState) -> Bool
  ) {
    func changed() -> Set<LaunchRule> { rules.filter { isChanged($0, before, after) } }
    switch event {
    case .policyReceived(let event):
      recordPolicy(event, context)
      refresh(event.account, context, after)
    case .processStarted(let event):
      recordFacts(changed(), context, after)
      if !event.isExtension { failures.updateAll { $0.launches.add(context) } }
    case .deviceReported, .pinFailed, .pinSet, .pinVerified, .userStatusReceived:
      let changed = changed()
      if !changed.isEmpty { recordFacts(changed, context, after) }
    case .pinReset:
      let changed = changed()
      if !changed.isEmpty { recordFacts(changed, context, after) }
      // The user has signed in: every account's user may choose a new PIN.
      if rules.contains(.pinAttempts) { for (account, _) in failures.inOrder { end(account, .recovered, context) } }
    case .launchEvaluated(let event):
      recordEvaluation(event, context, after)
      let launch = after.process.launch
      if failures[event.account]?.evaluations.last == context, failures[event.account]?.foundIn.last != launch {
        failures[event.account]?.foundIn.count += 1
        failures[event.account]?.foundIn.last = launch
      }
    case .wipeRequested(let event):
      if event.reason == .conditionalLaunch, failures[event.account]?.finding.outcome == .wipe {
        failures[event.account]?.wipe = context
        failures[event.account]?.judged = context
        failures[event.account]?.wipes.add(context)
        episodes[event.account]?.end(.wiped, at: context)
      } else {
        end(event.account, .wiped, context)
      }
    case .policyWithdrawn(let event):
      if let failure = failures[event.account], failure.met == nil {
        failures[event.account]?.mending = (context, .withdrawal)
      }
      end(event.account, .recovered, context)
      standings[event.account]?.isLeft = true
    case .wipeCompleted(let event): standings[event.account]?.isLeft = true
    case .unenrollmentRequested(let event): end(event.account, .abandoned, context)
    case .unenrollmentSucceeded(let event):
      end(event.account, .abandoned, context)
      standings[event.account]?.isLeft = true
    default: break
    }
  }

  private mutating func recordPolicy(_ event: PolicyReceived, _ context: EventContext) {
    var changes = policies[event.account] ?? properties.map { _ in nil }
    let earlier = documents[event.account]
    for (place, property) in properties.enumerated()
    where changes[place] == nil || earlier.map({ property.read($0) != property.read(event.document) }) ?? true {
      changes[place] = context
    }
    (policies[event.account], documents[event.account]) = (changes, event.document)
  }

  /// Facts differ, or a policy may be enforced from here on.
  private mutating func recordFacts(
    _ changed: Set<LaunchRule>, _ context: EventContext, _ after: AppProtectionState
  ) {
    for rule in changed { facts[rule] = context }
    for record in after.policies.records { refresh(record.account, context, after, changed: changed) }
    guard !changed.isEmpty else { return }
    for (account, failure) in failures.inOrder where failure.wipe != nil && after.policies[account] == nil {
      refreshWiped(account, failure, context, after)
    }
  }

  /// What the wiped account's last policy comes to with another fact: the account can come back once it is met.
  private mutating func refreshWiped(
    _ account: AccountNumber, _ failure: Failure, _ context: EventContext, _ after: AppProtectionState
  ) {
    guard let document = documents[account] else { return }
    let found = after.launchFindings(of: account, under: document, at: context.moment)
    if !found.contains(where: { rules.contains($0.rule) && $0.keepsOut }) {
      meet(account, context, changed: rules)
    } else if failure.met != nil {
      failures[account]?.met = nil
      failures[account]?.mending = nil
      failures[account]?.isMetSince = false
    }
  }

  /// Records what the condition comes to, and what decided that if it is something else than before.
  ///
  /// - Parameter changed: The conditions whose facts an event changed; where it is none, a policy decides.
  private mutating func refresh(
    _ account: AccountNumber, _ context: EventContext, _ after: AppProtectionState, changed: Set<LaunchRule> = []
  ) {
    var explanation = Explanation()
    let findings = after.launchDecision(
      for: account, at: context.moment, explanation: &explanation, comparing: true
    ).findings
    guard let finding = finding(among: findings, account) else {
      standings[account] = nil
      if after.policies[account]?.isEnforced == true, !isWarned(account, after) {
        meet(account, context, changed: changed)
      }
      return
    }
    replace(account, with: finding, context, changed: changed)
    if let standing = standings[account], standing.finding.isSame(as: finding) {
      if standing.isLeft {
        standings[account]?.isLeft = false
        standings[account]?.began = context
      }
      guard standing.latest.values != finding.values else { return }
      standings[account]?.latest = finding
      standings[account]?.changed = context
      return
    }
    // A policy that is enforced from a restart on decided when it arrived.
    let isPolicy = !changed.contains(finding.rule)
    let decided = isPolicy ? lastPolicy(account, finding) ?? context : context
    standings[account] = Standing(
      finding: finding, decided: decided, isPolicy: isPolicy, began: context, latest: finding, changed: context)
  }

  /// The finding about the condition: the worst one, and the one that lasts of those that are equally bad.
  private func finding(among findings: [LaunchFinding], _ account: AccountNumber) -> LaunchFinding? {
    let all = findings.filter { rules.contains($0.rule) }
    guard let worst = all.first, let failure = failures[account] else { return all.first }
    let known = all.first { failure.finding.isSame(as: $0) }
    return known.flatMap { $0.outcome.severityRank == worst.outcome.severityRank ? $0 : nil } ?? worst
  }

  /// Whether the process has shown the warning, which it shows once.
  private func isWarned(_ account: AccountNumber, _ after: AppProtectionState) -> Bool {
    guard let failure = failures[account], failure.finding.outcome == .warn else { return false }
    return after.launch.accounts[account]?.warned.contains(failure.finding.rule) == true
  }

  /// The condition is not met in another way than before: what kept the user out may only warn from here on.
  private mutating func replace(
    _ account: AccountNumber, with finding: LaunchFinding, _ context: EventContext, changed: Set<LaunchRule>
  ) {
    guard let failure = failures[account], failure.wipe == nil, !failure.finding.isSame(as: finding) else { return }
    if finding.keepsOut { return end(account, .replaced, context) }
    meet(account, context, changed: changed)
  }

  /// The condition is met, or no longer keeps the user out.
  private mutating func meet(_ account: AccountNumber, _ context: EventContext, changed: Set<LaunchRule>) {
    guard let failure = failures[account], failure.met == nil else { return }
    let mending = mending(of: failure, account, changed.contains(failure.finding.rule) ? .fact : .policy)
    failures[account]?.mending = mending
    end(account, .recovered, context)
  }

  private mutating func recordEvaluation(
    _ event: LaunchEvaluated, _ context: EventContext, _ after: AppProtectionState
  ) {
    let account = event.account
    // Without a policy, nothing was compared.
    guard event.rule != .unmanaged else { return }
    guard let finding = finding(among: event.findings, account) else {
      if !isWarned(account, after) { end(account, .recovered, context) }
      return
    }
    // What changed is known since before, where the state shows it.
    replace(account, with: finding, context, changed: [])
    if finding.keepsOut {
      episodes[account, default: Episodes(ofState: true)].see(context)
      values[account] = (values[account]?.first ?? (context, finding), (context, finding))
    }
    if let failure = failures[account], failure.wipe == nil {
      failures[account]?.evaluations.add(context)
      failures[account]?.latest = finding
      failures[account]?.judged = context
      return
    }
    let policy = lastPolicy(account, finding)
    let standing = standings[account].flatMap { $0.finding.isSame(as: finding) ? $0 : nil }
    // After a wipe, an account that is added again fails for the same reason as before.
    let earlier = failures[account].flatMap { earlier in
      !earlier.isMetSince && earlier.finding.isSame(as: finding) ? earlier : nil
    }
    let fact = facts[finding.rule]
    let isPolicy = earlier?.isPolicy ?? standing?.isPolicy ?? (policy?.sequence ?? 0 > fact?.sequence ?? 0)
    var failure = Failure(
      finding: earlier?.finding ?? standing?.finding ?? finding, latest: finding, judged: context,
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
    guard var failure = failures[account] else { return }
    if kind == .recovered, failure.met == nil { failure.mending = failure.mending ?? mending(of: failure, account) }
    guard failure.wipe == nil else {
      if kind == .recovered { failure.met = failure.met ?? context }
      failure.isMetSince = true
      failures[account] = failure
      return
    }
    failures[account] = nil
    failure.ending = DiagnosisEnding(kind, at: context)
    guard failure.finding.keepsOut, past[account] == nil || failure.wasLong else { return }
    past[account] = failure
  }

  /// The change of the setting or the fact after the one that decided: of one kind, or the last one.
  private func mending(
    of failure: Failure, _ account: AccountNumber, _ kind: Mending? = nil
  ) -> (event: EventContext, change: Mending)? {
    let policy = lastPolicy(account, failure.finding)
    let all: [(event: EventContext, change: Mending)?] = [
      facts[failure.finding.rule].map { ($0, .fact) }, policy.map { ($0, .policy) },
    ]
    let changes = all.compactMap { $0 }.filter { $0.event.sequence > failure.decided.sequence }
    return changes.first { $0.change == kind } ?? changes.max { $0.event.sequence < $1.event.sequence }
  }
}

extension LaunchFinding {
  /// Whether it keeps the user out, and is not only a warning.
  var keepsOut: Bool { outcome.severityRank < 2 }

  /// Whether it is about the same condition, with the same outcome; the values may differ.
  func isSame(as other: Self) -> Bool { rule == other.rule && outcome == other.outcome }

  /// The demand and the fact: `18.0 beside 17.5`; empty where one of them is unknown.
  var values: String {
    guard let comparison, !comparison.settingValue.isEmpty, !comparison.factValue.isEmpty else { return "" }
    return "\(comparison.settingValue) beside \(comparison.factValue)"
  }
}
