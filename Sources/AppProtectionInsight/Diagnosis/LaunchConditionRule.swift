import AppProtection
import EventSourcing

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

  /// Whether the fact that a condition is about differs in two states.
  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool

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
    guard let trail = notes.launchConditions(of: Self.family) else { return [] }
    return trail.inOrder(at: state).compactMap { account, failure in
      var failure = failure
      failure.isOver = failure.ending != nil || failure.met != nil || Episodes.isOutOfSight(failure.wipe, at: last)
      return Self.reports(failure) ? Self.problem(account, failure, trail, notes) : nil
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
    let changes = [cause, decided, other].compactMap { $0 }
    let began = cause?.sequence ?? failure.decided.sequence
    if let unseen = failure.unseen {
      // A policy that arrived before is enforced from a restart on.
      let deciding = unseen == failure.decided ? decided : DiagnosisEvidence(unseen, "the condition is not met")
      let absent = DiagnosisEvidence(nil, "no launch condition was evaluated since")
      return LaunchConditionDecision(
        deciding: deciding, others: changes.filter { $0 != deciding } + [absent], began: began, cause: cause?.text)
    }
    let evaluation = DiagnosisEvidence(
      failure.evaluations.first ?? failure.decided, "the launch conditions come to: \(failure.finding.outcome.name)")
    let isRefusal = isFactRefusal && !failure.isPolicy && !isUnknown
    return LaunchConditionDecision(
      deciding: isRefusal ? decided : evaluation,
      others: isRefusal ? [other, evaluation].compactMap { $0 } : changes, began: began, cause: cause?.text)
  }

  private static func problem(
    _ account: AccountNumber, _ failure: LaunchConditionTrail.Failure, _ trail: LaunchConditionTrail,
    _ notes: HistoryNotes
  ) -> Problem {
    // Those are of what kept the user out, and not of warnings.
    var episodes = failure.finding.keepsOut ? trail.episodes(of: account) : Episodes(ofState: true)
    if let unseen = failure.unseen { episodes.see(unseen) }
    let comparison = failure.finding.comparison
    let setting = comparison?.settingValue ?? ""
    let decision = decision(failure, notes)
    let first = (failure.unseen ?? failure.evaluations.first ?? failure.decided).sequence
    var others = decision.others
    if let wipe = failure.wipe { others.append(DiagnosisEvidence(wipe, "the account's data is wiped")) }
    let course = course(of: failure, notes)
    others += (course?.events ?? []) + failure.evaluations.evidence("still not met")
    let felt = (failure.wipe == nil ? nil : failure.wipes.first)?.sequence ?? first
    var current = failure
    current.finding = failure.latest
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
    // Each of several episodes had an end of its own, and a policy that a restart enforces ends none.
    let ended = (failure.ending?.event ?? failure.met)?.sequence
    let end =
      mending.map {
        episodes.count > 1 || $0.sequence != ended ? "" : ", until \($0.text) with event \(ended ?? first)"
      }
      ?? ""
    let repetition =
      failure.wipe != nil && failure.wipes.count > 1
      ? "; it was wiped \(failure.wipes.times) up to event \(failure.wipe?.sequence ?? first)"
      : episodes.count > 1
        ? "; it came \(episodes.words), from event \(episodes.first?.sequence ?? first) to event "
          + "\(episodes.last?.sequence ?? first)" : ""
    var problem = Problem(
      family, of: account.description,
      "\(account) \(effect(failure)) \(failure.unseen != nil ? "from event \(felt) on" : "at event \(felt)\(failure.repetition)"): "
        + reason(setting, comparison?.factValue ?? "", failure) + (decision.cause.map { ", since \($0)" } ?? "")
        + (course?.words ?? "") + changes(account, failure, trail) + end + repetition,
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

  /// What the user met, as the verb of the sentence.
  private static func effect(_ failure: LaunchConditionTrail.Failure) -> String {
    if failure.wipe != nil { return "was wiped" }
    let isOrWas = failure.ending == nil ? "is" : "was"
    switch failure.finding.outcome {
    case .warn: return "\(isOrWas) warned"
    case .wipe where failure.unseen != nil: return "is to be wiped"
    default: return "\(isOrWas) blocked"
    }
  }

  /// The other values with which it kept the user out: at first, at last, and those of the state: the end of the sentence.
  private static func changes(
    _ account: AccountNumber, _ failure: LaunchConditionTrail.Failure, _ trail: LaunchConditionTrail
  ) -> String {
    var told = [failure.finding]
    let judged = failure.judged ?? failure.unseen ?? failure.decided
    let all = (failure.finding.keepsOut ? trail.evaluations(of: account) : []) + [(judged, failure.latest)]
    return all.sorted { $0.event.sequence < $1.event.sequence }.map { event, finding in
      guard let comparison = finding.comparison,
        !told.contains(where: { $0.values == finding.values && $0.comparison?.fact == comparison.fact })
      else { return "" }
      told.append(finding)
      let event = event.sequence
      var other = failure
      (other.finding, other.isOver) = (
        finding, failure.isOver || event < (failure.unseen ?? failure.evaluations.first)?.sequence ?? 0
      )
      return comparison.fact != failure.finding.comparison?.fact
        ? "; at event \(event), \(reason(comparison.settingValue, comparison.factValue, other))"
        : finding.values.isEmpty ? "" : "; at event \(event), it \(other.isOver ? "was" : "is") \(finding.values)"
    }.joined()
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
