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

  /// Shows every rule events that lead to the state.
  public mutating func begin(at state: borrowing AppProtectionState, _ opening: EventContext) {
    let state = copy state
    notes.begin(at: opening)
    for step in OpeningEvents(of: state, opening).steps {
      observe(step.event, step.context, before: step.before, after: state)
    }
  }

  /// Whether any rule, or what they share, looks at events of this type.
  public static func observes(_ event: AppProtectionEvent) -> Bool {
    AppProtectionEvent.Kind(rawValue: event.type)?.diagnosing.isEmpty == false
  }

  /// Shows the event to every rule.
  public mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: borrowing AppProtectionState,
    after: borrowing AppProtectionState
  ) {
    notes.note(event, context, before: before, after: after)
    for index in rules.indices { rules[index].observe(event, context, before: before, after: after, notes) }
  }

  /// Takes note of the process for the rules that say who asked.
  public mutating func noteHandover(by process: UInt64) { notes.noteHandover(by: process) }

  /// Takes note of the jump for the rules that measure times.
  public mutating func noteClockJump(by nanoseconds: Int64, before sequence: UInt64) {
    notes.noteClockJump(by: nanoseconds, before: sequence)
  }

  /// What every rule found.
  public func diagnoses(at state: AppProtectionState, _ last: EventContext) -> [Problem] {
    rules.flatMap { $0.problems(at: state, last, notes) }
  }
}

extension AppProtectionMachine: DiagnosisDomain {
  /// The kinds of problem.
  public typealias Family = ProblemFamily
  /// What looks for them.
  public typealias Examination = AppProtectionExamination
}
