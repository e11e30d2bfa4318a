import EventSourcing

/// Looks for the problems of every family in one pass.
public struct AppProtectionExamination: HistoryExamination {
  /// The domain.
  public typealias Machine = AppProtectionMachine

  private var rules = ProblemFamily.allCases.compactMap { $0.rule() }
  private var notes = HistoryNotes()

  /// An examination that has seen no event.
  public init() {}

  /// Shows the event to every rule.
  public mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: borrowing AppProtectionState,
    after: borrowing AppProtectionState
  ) {
    notes.note(event, context, after: after)
    for index in rules.indices { rules[index].observe(event, context, before: before, after: after, notes) }
  }

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
