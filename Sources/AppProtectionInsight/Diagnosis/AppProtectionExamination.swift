import AppProtection
import EventSourcing

/// Looks for the problems of every family in one pass.
public struct AppProtectionExamination: HistoryExamination {
  /// The domain.
  public typealias Machine = AppProtectionMachine

  private var rules: [any ProblemRule]
  private var notes = HistoryNotes()

  /// An examination that has seen no event, and does not judge policies by themselves.
  public init() { self.init { _ in [] } }

  /// An examination that has seen no event.
  ///
  /// - Parameter contradictions: Finds settings of a policy that contradict one another. Such rules are those of policy
  ///   documents, which this module does not know.
  public init(contradictions: @escaping @Sendable (PolicyDocument) -> [PolicyContradiction]) {
    rules = ProblemFamily.allCases.compactMap { $0.rule(contradictions) }
  }

  /// The bit of what the rules about launch conditions share. There are fewer rules.
  private static let conditions = UInt64.bitWidth - 1

  /// A bit for each rule, by its place, that looks at events of a type, by the type's number.
  private static let observers: [UInt64] = {
    let rules = ProblemFamily.allCases.compactMap { $0.rule() }.map { type(of: $0).events }
    precondition(rules.count <= conditions)
    var observers: [UInt64] = []
    for (place, events) in Array(rules.enumerated()) + [(conditions, LaunchConditionTrail.events)] {
      for number in events.map({ Int($0.entry.number) }) {
        observers += Array(repeating: 0, count: max(0, number + 1 - observers.count))
        observers[number] |= 1 << UInt64(place)
      }
    }
    return observers
  }()

  /// The bits for an event.
  private static func observers(of event: AppProtectionEvent) -> UInt64 {
    let number = Int(event.type)
    return number < observers.count ? observers[number] : 0
  }

  /// Shows every rule events that lead to the state.
  public mutating func begin(at state: borrowing AppProtectionState, _ opening: EventContext) {
    let state = copy state
    notes.begin(at: opening)
    for step in OpeningEvents(of: state, opening).steps {
      observe(step.event, step.context, before: step.before, after: state)
    }
  }

  /// Whether any rule, or what they share, looks at events of this type.
  public static func observes(_ event: AppProtectionEvent) -> Bool { observers(of: event) != 0 }

  /// Shows the event to every rule that looks at events of its type.
  public mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: borrowing AppProtectionState,
    after: borrowing AppProtectionState
  ) {
    var remaining = Self.observers(of: event)
    notes.observe(
      event, context, before: before, after: after, isForConditions: remaining >> UInt64(Self.conditions) == 1)
    remaining &= ~(1 << UInt64(Self.conditions))
    while remaining != 0 {
      rules[remaining.trailingZeroBitCount].observe(event, context, before: before, after: after, notes)
      remaining &= remaining - 1
    }
  }

  /// Observes the process for the rules that say who asked.
  public mutating func observeHandover(by process: UInt64) { notes.observeHandover(by: process) }

  /// Observes the jump for the rules that measure times.
  public mutating func observeClockJump(by nanoseconds: Int64, before sequence: UInt64) {
    notes.observeClockJump(by: nanoseconds, before: sequence)
  }

  /// What every rule found, with what changed just before.
  public func diagnoses(at state: AppProtectionState, _ last: EventContext) -> [Problem] {
    let reported = rules.flatMap { $0.problems(at: state, last, notes) }
    let all = reported + rules.flatMap { $0.rest(beside: reported, at: state, last, notes) }
    // The block reports the silence that led to it.
    let found = all.filter { problem in
      switch problem.family {
      case .checkInOverdue: !all.contains { $0.isSilence(of: problem) }
      // So does the wipe that is not finished its order.
      case .unexpectedWipe:
        !problem.isOwnCause || problem.isOver
          || !all.contains { $0.family == .wipeUnfinished && !$0.isOver && $0.felt == problem.felt }
      default: true
      }
    }
    return found.map { problem in
      var problem = problem
      if Self.isOfGuest(problem, notes) { (problem.severity, problem.harm) = (.note, .bystander) }
      if problem.family == .accountMismatch || problem.family == .secondManagedAccount {
        // An account that is not allowed here, and stays, is in the way of the one that is.
        problem.causes += found.filter { $0.family == .accountNotAllowed && state.isHindered(problem, by: $0) }
          .map(\.decidingEvent)
      }
      if problem.family == .staleAccount {
        // The record stays when what kept the service from being notified is over.
        problem.causes += found.filter { $0.family == .accountMismatch && $0.isOver && $0.leaves(problem) }
          .map(\.decidingEvent)
      }
      guard let moment = problem.decidingMoment else { return problem }
      problem.add(
        notes.facts.changes.evidence(before: problem.decidingEvent, at: moment, subject: problem.subject))
      return problem
    }
  }
}

extension AppProtectionExamination {
  /// Whether a problem is that the service refuses an account which needs no policy, and is used beside one that has: whatever
  /// the service answers, a guest's or a private account misses nothing.
  private static func isOfGuest(_ problem: Problem, _ notes: HistoryNotes) -> Bool {
    let refusals: [ProblemFamily] = [.policyNotApplied, .authRequired, .nilAccount, .accountMismatch, .checkInOverdue]
    guard refusals.contains(problem.family), problem.others.isEmpty,
      let account = problem.subject.flatMap({ AccountNumber($0) })
    else { return false }
    return notes.facts.isGuest(account)
  }
}

extension AppProtectionMachine: DiagnosisDomain {
  /// The kinds of problem.
  public typealias Family = ProblemFamily
  /// What looks for them.
  public typealias Examination = AppProtectionExamination
}

extension AppProtectionState {
  /// Whether a problem is that of an account which device management allows, and another one's that of an enrolled account
  /// which it does not.
  fileprivate func isHindered(_ problem: Problem, by other: Problem) -> Bool {
    guard !other.isOver, let account = problem.subject.flatMap({ AccountNumber($0) }),
      let hindering = other.subject.flatMap({ AccountNumber($0) })
    else { return false }
    return account != hindering && !isRestricted(account) && accounts[hindering]?.enrollment.status.isEnrolled == true
  }
}

extension Problem {
  /// Whether another problem, about an account that it concerns besides its own, began while it lasted.
  fileprivate func leaves(_ other: Problem) -> Bool {
    guard let concerned = other.subject else { return false }
    return others.contains(concerned) && span.contains(other.decidingEvent)
  }

  /// Whether it reports the same silence as another problem, with the harm that it did.
  fileprivate func isSilence(of other: Problem) -> Bool {
    family == .offlineBlock && subject == other.subject && isOver == other.isOver && span.overlaps(other.span)
  }
}
