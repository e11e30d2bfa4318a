import AppProtection
import EventSourcing
import PlainText

/// A policy no longer accepts the PIN that the user chose under another one, and no other PIN is chosen.
///
/// The deciding event is the policy's arrival; where the user chose the PIN under the policy of another account, that choice.
struct PINQualityRule: ProblemRule {
  /// So long may the user take to choose another PIN.
  private static let patience = 10 * RetrySchedule.minute

  /// What a policy holds against the PIN.
  private struct Objection: Sendable {
    /// What brought policy and PIN together.
    let event: EventContext
    let isPolicy: Bool
    /// The choice of the PIN, if the history has it.
    let chosen: EventContext?
    /// The settings that refuse it.
    let settings: [String]
    /// What the first evaluation compared that asked for another PIN.
    var comparison: LaunchComparison?
    /// The evaluations that asked for another PIN.
    var demands = Occurrences()
    /// The questions that the user did not answer.
    var cancellations = Occurrences()
    /// The PINs that the policy refused, too.
    var refusals = Occurrences()
    var ending: DiagnosisEnding?

    /// Whether the user did not choose another PIN at once, although it is over.
    var wasLong: Bool {
      guard let first = demands.first, let ending else { return demands.count > 0 }
      return ending.event.elapsed(since: first) > PINQualityRule.patience
    }
  }

  private var chosen: EventContext?
  private var current = PerAccount<Objection>()
  /// The first objection of every account that is over and was long, or else the first one.
  private var past = PerAccount<Objection>()
  private var episodes = PerAccount<Episodes>()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      CommandRefused.self, PolicyReceived.self, PolicyWithdrawn.self, LaunchEvaluated.self, LaunchCanceled.self,
      PINSet.self,
    ] + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .policyReceived(let event): compare(event.account, context, before, after, notes, isPolicy: true)
    case .policyWithdrawn(let event): end(event.account, .recovered, context)
    case .pinSet:
      chosen = context
      for (account, _) in current.inOrder { end(account, .recovered, context) }
      for record in after.policies.records { compare(record.account, context, before, after, notes, isPolicy: false) }
    case .launchEvaluated(let event): evaluate(event, context)
    case .launchCanceled(let event): if isDemanded(event.account) { current[event.account]?.cancellations.add(context) }
    case .commandRefused(let event):
      guard event.rule.hasPrefix("pin.") else { break }
      if let account = event.account, isDemanded(account) { current[account]?.refusals.add(context) }
    default: break
    }
    guard let account = event.leavingAccount else { return }
    if case .wipeRequested = event { end(account, .wiped, context) } else { end(account, .abandoned, context) }
  }

  private func isDemanded(_ account: AccountNumber) -> Bool { current[account]?.demands.first != nil }

  /// Whether a policy holds something against the PIN that was not held against it before.
  private mutating func compare(
    _ account: AccountNumber, _ context: EventContext, _ before: AppProtectionState, _ after: AppProtectionState,
    _ notes: HistoryNotes, isPolicy: Bool
  ) {
    var settings = Self.objections(of: account, in: after, at: context)
    // When the PIN grew too old is not known of what came before the history.
    if notes.isMissing(context) { settings.removeAll { $0 == PolicyProperty.periodBeforePinReset.name } }
    guard !settings.isEmpty else {
      // Where the PIN was reset meanwhile, the demand for another one has another reason.
      let isReset = after.launch.pin.setAt == nil && after.policies[account]?.document.access.pinRequired == true
      return end(account, isReset ? .replaced : .recovered, context)
    }
    // A PIN that grew too old by itself was not made so by the policy that came then.
    let isNew = !isPolicy || Set(Self.objections(of: account, in: before, at: context)).isDisjoint(with: settings)
    guard current[account] == nil, isNew else { return }
    current[account] = Objection(event: context, isPolicy: isPolicy, chosen: chosen, settings: settings)
  }

  /// The settings of an account's policy that refuse the PIN.
  private static func objections(
    of account: AccountNumber, in state: AppProtectionState, at context: EventContext
  ) -> [String] {
    let pin = state.launch.pin
    guard let policy = state.policies[account]?.document, policy.access.pinRequired == true, let setAt = pin.setAt
    else { return [] }
    let age = state.launch.clock.elapsed(at: context.moment).distanceClamping(from: setAt)
    let isTooOld = policy.access.periodBeforePinReset.map { $0.nanoseconds > 0 && age >= $0.nanoseconds } ?? false
    // One setting may refuse a PIN for several reasons.
    var settings: [String] = []
    for name in policy.access.refusals(of: pin.facts).map(\.setting) where !settings.contains(name) {
      settings.append(name)
    }
    return settings + (isTooOld ? [PolicyProperty.periodBeforePinReset.name] : [])
  }

  private mutating func evaluate(_ event: LaunchEvaluated, _ context: EventContext) {
    guard current[event.account] != nil else { return }
    // A PIN that was reset meanwhile is missing, and still to be chosen.
    guard let finding = event.findings.first(where: { [.pinQuality, .pinExpired, .pinMissing].contains($0.rule) })
    else { return }
    if current[event.account]?.demands.count == 0 { current[event.account]?.comparison = finding.comparison }
    current[event.account]?.demands.add(context)
    episodes[event.account, default: Episodes(ofState: true)].see(context)
  }

  private mutating func end(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    guard var objection = current[account] else { return }
    current[account] = nil
    episodes[account]?.end(kind, at: context)
    guard objection.demands.count > 0 else { return }
    objection.ending = DiagnosisEnding(kind, at: context)
    if past[account].map({ !$0.wasLong && objection.wasLong }) ?? true { past[account] = objection }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let standing = current.inOrder.compactMap { account, objection in
      objection.demands.first.map { problem(account, objection, demanded: $0, last, notes) }
    }
    let over = past.inOrder.compactMap { account, objection -> Problem? in
      let isRecurrent = (episodes[account]?.count ?? 0) >= Episodes.many.episodes
      guard !isDemanded(account), objection.wasLong || isRecurrent else { return nil }
      return objection.demands.first.map { problem(account, objection, demanded: $0, last, notes) }
    }
    return standing + over
  }

  private func problem(
    _ account: AccountNumber, _ objection: Objection, demanded: EventContext, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem {
    let episodes = episodes[account] ?? Episodes()
    let event = objection.event.sequence
    let (isOrWas, refuses) = objection.ending == nil ? ("is", "refuses") : ("was", "refused")
    let settings = objection.settings.map { name in
      guard let value = objection.comparison, value.setting?.name == name, !value.settingValue.isEmpty
      else { return name }
      return "\(name) \(isOrWas) \(value.settingValue)"
    }.shortened
    let choice = objection.chosen.map { " of event \($0.sequence)" } ?? ""
    let cause =
      objection.isPolicy
      ? "the policy of event \(event) \(refuses) the PIN\(choice) (\(settings)), which was good before"
      : "the PIN of event \(event) \(isOrWas) refused by the policy of \(account) (\(settings)), and was chosen under another one"
    let latest = objection.demands.last?.sequence ?? 0
    let times = objection.demands.count == 1 ? "" : ", \(objection.demands.times) up to event \(latest)"
    let outcome =
      objection.ending.map { ", until event \($0.event.sequence)" } ?? ", and none has been chosen since"
    let trouble = [
      (objection.cancellations, "the user closed the question"), (objection.refusals, "the policy refused other PINs"),
    ].filter { $0.0.count > 0 }.map { "; \($0.1) \($0.0.times)" }.joined()
    let repetition =
      episodes.count > 1
      ? "; it came \(episodes.words), up to event \(episodes.last?.sequence ?? 0)" : ""
    var problem = Problem(
      .pinQuality, of: account.description,
      "\(cause); another PIN \(isOrWas) demanded of \(account) from event "
        + "\(demanded.sequence) on\(times)\(outcome)\(trouble)\(repetition)",
      evidence: DiagnosisEvidence(
        objection.event, objection.isPolicy ? "a policy arrives that refuses the PIN" : "the PIN is chosen"),
      (objection.isPolicy ? objection.chosen.map { [DiagnosisEvidence($0, "the PIN is chosen")] } ?? [] : [])
        + objection.demands.evidence("another PIN is demanded")
        + objection.cancellations.evidence("the user does not answer").prefix(1)
        + objection.refusals.evidence("the policy refuses another PIN").prefix(1),
      next: objection.isPolicy
        ? "let the user choose a PIN that the policy accepts, and tell the users before the demand for PINs changes"
        : "let the policies of both accounts demand PINs of one kind: the accounts share the PIN",
      command: "explain JOURNAL 'launch(\(account))' --when")
    problem.felt = demanded.sequence
    problem.restsOnAbsence = objection.ending == nil
    problem.show(episodes.kept, of: episodes.count)
    if let ending = objection.ending {
      let last = episodes.kept.last?.ending ?? ending
      problem.end(last.kind, at: last.event)
      problem.severity = episodes.count >= Episodes.many.episodes ? .warning : .note
    } else if !notes.processes.isLate(since: demanded, at: last, after: Self.patience) {
      problem.severity = .note
    }
    return problem
  }
}
