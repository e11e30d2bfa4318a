import AppProtection
import EventSourcing

/// Looks for the problems of every family in one pass.
public struct AppProtectionExamination: HistoryExamination {
  /// The domain.
  public typealias Machine = AppProtectionMachine

  private var rules: [any ProblemRule]
  /// What each rule looks at events as.
  private let readers: [EventReaders]
  private var notes = HistoryNotes()

  /// An examination that has seen no event, and does not judge policies by themselves.
  public init() { self.init { _ in [] } }

  /// An examination that has seen no event.
  ///
  /// - Parameter contradictions: Finds settings of a policy that contradict one another. Such rules are those of policy
  ///   documents, which this module does not know.
  public init(contradictions: @escaping @Sendable (PolicyDocument) -> [PolicyContradiction]) {
    rules = ProblemFamily.allCases.compactMap { $0.rule(contradictions) }
    readers = rules.map { type(of: $0).readers }
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
  public static func observes(_ event: AppProtectionEvent) -> Bool { !readers(of: event).isEmpty }

  private static func readers(of event: AppProtectionEvent) -> EventReaders {
    AppProtectionEvent.Kind(rawValue: event.type)?.diagnosing ?? []
  }

  /// Shows the event to every rule that looks at events of its type.
  public mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: borrowing AppProtectionState,
    after: borrowing AppProtectionState
  ) {
    let own = Self.readers(of: event)
    notes.note(event, context, before: before, after: after, for: own)
    for index in rules.indices where !readers[index].isDisjoint(with: own) {
      rules[index].observe(event, context, before: before, after: after, notes)
    }
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
